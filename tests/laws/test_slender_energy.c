// Rods fifty times as long as wide, joined in pairs and thrown at the floor: hits take energy, flight
// keeps it, and a step that cannot do so says that it is not met.
#include "support/pairs.h"
#include "support/random.h"
#include "test.h"

// Hits with restitution 1/2 and friction take energy, and free flight keeps it: slender rods must
// not spin up, whichever joint holds them.
TEST(slender_rods_thrown_at_the_floor_gain_no_energy) {
  const rgJointKind kinds[] = {RG_JOINT_BALL, RG_JOINT_HINGE, RG_JOINT_FIXED};
  const double steps[] = {0.02, 0.01, 0.005}, slender[] = {0.02};
  for (int kind = 0; kind < 3; kind++)
    for (int k = 0; k < 3; k++)
      for (int s = 0; s < 1; s++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
          Pair pair = throw_pair(kinds[kind], steps[k], slender[s], 3, seed);
          CONTEXT("%s, step %g, slender %g, seed %d", rg_joint_kind_name(kinds[kind]), steps[k],
                  slender[s], (int)seed);
          double start = rg_world_energy(pair.world).kinetic, most = 0;
          for (int i = 0; i < (int)(2 / steps[k]); i++) {
            double before = rg_world_energy(pair.world).kinetic;
            rgCertificate certificate;
            REQUIRE(rg_world_step(pair.world, &certificate) == RG_OK);
            // A hundredth: the law of the mean slip is given to what gains more than rounding only.
            CHECK_MSG(!certificate.met || certificate.energy <= 0.01 * before,
                      "step %d gains %g J of %g J and is met, contacts %d", i, certificate.energy,
                      before, certificate.contacts);
            most = fmax(most, rg_world_energy(pair.world).kinetic);
          }
          // Taking ringing out changes the energy by the square of the rate, to and fro.
          CHECK_MSG(most <= 1.001 * start, "%g J of %g J", most, start);
          rg_world_destroy(pair.world);
        }
}
