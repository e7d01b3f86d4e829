// The packed form of nsgs: its batches, who visits them, where they lie, and kernels that give the same bits.
#include "math/vec.h"
#include "problem/operator.h"
#include "solve/nsgs/nsgs_share.h"
#include "support/purse.h"
#include "sweep/problems.h"
#include "test.h"

static const double weight_impulse = 9.81 / 60; // of 1 kg in a step

static double* aligned(void* memory) {
  return (double*)(((uintptr_t)memory + 63) & ~(uintptr_t)63);
}

static rgNsgs* packed(Made* m, const rgNsgsForm* form) {
  return rg_nsgs_pack(&m->problem, &m->solution, form, weight_impulse, aligned(m->work), NULL,
                      NULL);
}

// Sweeps with one kernel from a cold start; leaves the iterate in m->solution.
static void sweep_with(Made* m, const rgNsgsForm* form, const rgNsgsKernel* kernel, int sweeps) {
  memset(m->solution.r, 0, 4 * (size_t)m->problem.contact_count * sizeof(double));
  rg_problem_velocity(&m->problem, &m->solution);
  rgNsgs* nsgs = packed(m, form);
  nsgs->kernel = kernel;
  for (int i = 0; i < sweeps; i++)
    rg_nsgs_sweep_batches(nsgs, i % 2);
  rg_nsgs_store(nsgs, &m->solution, NULL);
}

static const rgNsgsForm* const forms[] = {&rg_nsgs_form_double, &rg_nsgs_form_single};

static void check_same_bits(Made* m, const rgNsgsForm* form) {
  size_t size = 4 * (size_t)m->problem.contact_count * sizeof(double);
  double* first = malloc(size);
  sweep_with(m, form, form->plain, 30);
  memcpy(first, m->solution.r, size);
  sweep_with(m, form, form->avx2(), 30);
  CHECK(memcmp(first, m->solution.r, size) == 0);
  free(first);
}

TEST(plain_and_avx2_kernels_give_the_same_bits) {
  if (!rg_nsgs_kernel_avx2())
    SKIP("this processor has no AVX2");
  Made made_ones[] = {made_pile(4, 4, 4, 0.3), made_pile(4, 4, 4, 0.02), made_pyramid(8, 0.5),
                      made_stack(9, 50, 0)};
  for (int k = 0; k < 4; k++) {
    Made* m = &made_ones[k];
    made_ready(m, "nsgs");
    check_same_bits(m, forms[0]);
    check_same_bits(m, forms[1]);
    made_free(m);
  }
}

// Whether batches lie in the whole workspace or in memory that is asked for when they are known makes no difference.
// Without memory for them the start stays as it is.
static void check_lean(Made m, int limit) {
  made_ready(&m, "nsgs");
  size_t size = 4 * (size_t)m.problem.contact_count * sizeof(double);
  double* swept = malloc(size);
  REQUIRE(swept);
  rgStop stop = rg_stop_default();
  stop.iteration_limit = limit;
  rgSolveReport report, lean;
  rg_solve(&m.problem, "nsgs", NULL, &stop, &m.solution, m.work, &report, NULL);
  memcpy(swept, m.solution.r, size);

  Purse purse = {0}, empty = {0};
  memset(m.solution.r, 0, size);
  lean = purse_solve(&m.problem, "nsgs", &stop, &m.solution, purse_give, &purse);
  CHECK_INT(lean.iterations, report.iterations);
  CHECK_INT(memcmp(m.solution.r, swept, size), 0);
  CHECK(purse.calls > 0);
  free(purse.memory);

  memset(m.solution.r, 0, size);
  lean = purse_solve(&m.problem, "nsgs", &stop, &m.solution, purse_refuse, &empty);
  CHECK_INT(lean.iterations, 0);
  CHECK_INT(empty.calls, 1);
  for (size_t i = 0; i < size / sizeof(double); i++)
    CHECK_NEAR(m.solution.r[i], 0, 0);
  CHECK(rg_solve_lean_size(&m.problem, "nsgs") < rg_solve_work_size(&m.problem, "nsgs"));
  free(swept);
  made_free(&m);
}

TEST(batches_may_lie_in_memory_that_is_asked_for) {
  check_lean(made_pile(5, 5, 5, 0.3), 100); // in floats, and in double after them
  check_lean(made_pile(3, 3, 3, 0.3), 400); // in double
  check_lean(made_pyramid(8, 0.5), 400);
  check_lean(made_stack(9, 50, 0), 400);
  Made m = made_pyramid(6, 0.5);
  for (int i = 0; i < m.problem.contact_count; i += 3)
    m.contacts[i].cone = RG_CONE_OUTER, m.contacts[i].facets = 6; // visited alone
  check_lean(m, 400);
}

static double between(uint64_t* seed, double low, double high) {
  return low + (high - low) * rg_random_unit(seed);
}

static rgVec3 random_vector(uint64_t* seed) {
  return v3(between(seed, -1, 1), between(seed, -1, 1), between(seed, -1, 1));
}

// Pairs of spheres of all sizes that fly at each other, each with one contact; every fourth hits a
// wall instead.
static Made made_hits(int count) {
  uint64_t seed = 7;
  Made m = made(0.4);
  for (int i = 0; i < count; i++) {
    double radius = between(&seed, 0.1, 2), mass = between(&seed, 0.1, 5), j = 0.3 * mass;
    rgVec3 n = v3_unit_or(random_vector(&seed), v3(0, 0, 1)), point = random_vector(&seed);
    int a = made_body(&m, v3_axpy(point, radius, n), mass, j, j, j), b = -1;
    if (i % 4 != 0)
      b = made_body(&m, v3_axpy(point, -2 * radius, n), 2 * mass, 3 * j, 3 * j, 3 * j);
    m.bodies[a].v_free = (rgTwist){random_vector(&seed), random_vector(&seed)};
    if (b >= 0)
      m.bodies[b].v_free = (rgTwist){random_vector(&seed), random_vector(&seed)};
    m.cone = i % 5 == 0 ? RG_CONE_FRICTIONLESS : RG_CONE_DISK;
    made_contact(&m, a, b, point, n)->bias[0] = between(&seed, -0.1, 0.1);
  }
  return m;
}

static bool is_ball(const Made* m, const rgProblemContact* contact) {
  rgBallMass* balls = calloc((size_t)m->problem.body_count, sizeof *balls);
  rg_nsgs_ball_masses(&m->problem, 0, m->problem.body_count, balls);
  bool is = rg_nsgs_is_ball(&m->problem, balls, contact);
  free(balls);
  return is;
}

// Contacts that share no body are solved by one sweep, by the closed form of ball contacts as by
// the solver of contacts visited alone.
static void check_ball_contacts(const rgNsgsForm* form, double epsilon) {
  Made m = made_hits(101);
  made_ready(&m, "nsgs");
  sweep_with(&m, form, form->plain, 1);
  int stuck = 0, slipping = 0, open = 0;
  for (int i = 0; i < m.problem.contact_count; i++) {
    const rgProblemContact* contact = &m.problem.contacts[i];
    CHECK(is_ball(&m, contact));
    rgNsgsGeneral general;
    rg_nsgs_general_make(&m.problem, i, &general);
    rgTwist still = {v3_zero(), v3_zero()};
    double u[4], r[4] = {0}, change[4];
    rg_contact_velocity_of(contact, m.bodies[contact->body_a].v_free,
                           contact->body_b < 0 ? still : m.bodies[contact->body_b].v_free, u);
    rg_nsgs_general_solve(&general, NULL, u, r, change);
    double tangent = hypot(r[1], r[2]);
    // rounding of some twenty operations on velocities of up to 6 m/s: two bodies of 1 m/s, turning by 1 rad/s on 2 m
    double largest = 6 * general.block.inverse_wnn;
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(m.solution.r[4 * i + k], r[k], 20 * epsilon * largest);
    open += r[0] == 0;
    slipping += contact->cone == RG_CONE_DISK && tangent >= contact->mu * r[0] * (1 - 1e-9);
    stuck += tangent > 0 && tangent < contact->mu * r[0] * (1 - 1e-9);
  }
  CHECK(open > 10 && slipping > 10 && stuck > 10); // all cases were seen
  made_free(&m);
}

TEST(ball_contacts_get_the_impulse_of_the_general_solver) {
  check_ball_contacts(&rg_nsgs_form_double, 0x1p-52);
  check_ball_contacts(&rg_nsgs_form_single, 0x1p-23);
}

TEST(a_contact_off_the_centre_or_of_a_long_body_is_not_round) {
  Made m = made(0.4);
  int ball = made_body(&m, v3(0, 0, 1), 1, 0.4, 0.4, 0.4),
      rod = made_body(&m, v3(0, 0, -1), 1, 0.4, 0.4, 0.1);
  rgVec3 up = v3(0, 0, 1);
  CHECK(is_ball(&m, made_contact(&m, ball, -1, v3(0, 0, 0), up)));
  CHECK(!is_ball(&m, made_contact(&m, ball, -1, v3(1e-6, 0, 0), up)));
  CHECK(!is_ball(&m, made_contact(&m, ball, rod, v3(0, 0, 0), up)));
  m.cone = RG_CONE_FRICTIONLESS; // nothing turns
  CHECK(is_ball(&m, made_contact(&m, ball, rod, v3(0, 0, 0), up)));
  made_free(&m);
}

// The lane in which a contact is visited, counted through those of all batches, balls first; -1 when alone. `colour`
// gets its colour.
static int lane_of(const rgNsgs* nsgs, int contact, int* colour) {
  int entry = nsgs->entry[contact], lanes = nsgs->form->lanes;
  if (entry >= nsgs->lone_state)
    return -1;
  bool ball = entry >= nsgs->ball_state;
  int point = (ball ? entry - nsgs->ball_state : entry) / (3 * lanes), batch = 0;
  if (ball)
    batch = point;
  else
    while (nsgs->runs[batch].first + nsgs->runs[batch].count <= point)
      batch++;
  for (*colour = 0; *colour < nsgs->hue_count; ++*colour) {
    rgNsgsPart hue = nsgs->hues[*colour];
    if (hue.balls == ball && batch >= hue.first && batch < hue.end)
      break;
  }
  CHECK(*colour < nsgs->hue_count);
  return (batch + (ball ? 0 : nsgs->ball_count)) * lanes + entry % lanes;
}

// A moving body is in one lane of a colour at most.
static void check_body(const rgNsgs* nsgs, int32_t* seen, int body, int colour, int lane) {
  if (body < 0)
    return;
  int32_t* place = &seen[body * nsgs->hue_count + colour];
  CHECK(*place == 0 || *place == 1 + lane);
  *place = 1 + lane;
}

// No two lanes of a colour share a moving body, which allows threads to share it; the colours are all
// batches in their order, and every contact has a place of its own.
static void check_batches(Made m, const rgNsgsForm* form) {
  made_ready(&m, "nsgs");
  rgNsgs* nsgs = packed(&m, form);
  int balls = 0, batches = 0;
  for (int k = 0; k < nsgs->hue_count; k++) {
    int* at = nsgs->hues[k].balls ? &balls : &batches;
    CHECK_INT(nsgs->hues[k].first, *at);
    CHECK(nsgs->hues[k].end > *at);
    *at = nsgs->hues[k].end;
  }
  CHECK_INT(balls, nsgs->ball_count);
  CHECK_INT(batches, nsgs->batch_count);
  int32_t* seen = calloc((size_t)m.problem.body_count * (size_t)nsgs->hue_count, sizeof *seen);
  char* taken = calloc((size_t)(nsgs->lone_state + nsgs->lone_count), 1);
  for (int i = 0; i < m.problem.contact_count; i++) {
    int colour, lane = lane_of(nsgs, i, &colour);
    CHECK(!taken[nsgs->entry[i]]++);
    if (lane < 0)
      continue;
    check_body(nsgs, seen, m.problem.contacts[i].body_a, colour, lane);
    check_body(nsgs, seen, m.problem.contacts[i].body_b, colour, lane);
  }
  free(taken);
  free(seen);
  made_free(&m);
}

TEST(batches_share_no_body) {
  for (int k = 0; k < 2; k++) {
    check_batches(made_pile(5, 5, 5, 0.5), forms[k]);
    check_batches(made_pyramid(8, 0.5), forms[k]);
  }
}

// How many members visit a body, one bit each, from the segments.
static void see_members(const rgNsgs* nsgs, const rgNsgsShares* shares, int member,
                        uint64_t* seen) {
  for (int k = 0; k < shares->segment_count; k++) {
    rgNsgsPart part = shares->segments[k].part;
    for (int i = part.first; i < part.end; i++)
      for (int lane = 0; lane < 2 * nsgs->form->lanes; lane++) {
        int body = nsgs->form->places(nsgs, part.balls, i)[lane] / RG_NSGS_BODY;
        if (body < nsgs->body_count)
          seen[body] |= (uint64_t)1 << member;
      }
  }
}

// Inner segments have no body that another member visits.
static void check_inner(const rgNsgs* nsgs, const rgNsgsShares* shares, int member,
                        const uint64_t* seen) {
  for (int k = 0; k < shares->segment_count; k++) {
    rgNsgsPart part = shares->segments[k].part;
    for (int i = part.first; i < part.end && shares->segments[k].inner; i++)
      for (int lane = 0; lane < 2 * nsgs->form->lanes; lane++) {
        int body = nsgs->form->places(nsgs, part.balls, i)[lane] / RG_NSGS_BODY;
        CHECK(body >= nsgs->body_count || seen[body] == (uint64_t)1 << member);
      }
  }
}

// The segments of all members, in the order of the members, are all batches of each colour, each once; twins are in one.
static void check_all_shared(const rgNsgs* nsgs, const rgNsgsShares* shares, int members) {
  int* visits = calloc((size_t)(nsgs->ball_count + nsgs->batch_count), sizeof *visits);
  for (int member = 0; member < members; member++)
    for (int hue = 0; hue < nsgs->hue_count; hue++)
      for (int k = shares[member].hue_start[hue]; k < shares[member].hue_start[hue + 1]; k++) {
        rgNsgsPart part = shares[member].segments[k].part;
        CHECK(part.balls == nsgs->hues[hue].balls && part.first >= nsgs->hues[hue].first &&
              part.end <= nsgs->hues[hue].end);
        CHECK(part.balls ||
              (nsgs->runs[part.first].twin != 2 && nsgs->runs[part.end - 1].twin != 1));
        for (int i = part.first; i < part.end; i++)
          visits[i + (part.balls ? 0 : nsgs->ball_count)]++;
      }
  for (int i = 0; i < nsgs->ball_count + nsgs->batch_count; i++)
    CHECK_INT(visits[i], 1);
  free(visits);
}

static int check_shares(Made m, const rgNsgsForm* form, int members) {
  made_ready(&m, "nsgs");
  rgNsgs* nsgs = packed(&m, form);
  rgNsgsDivision* division = calloc(1, sizeof *division);
  rgNsgsShares* shares = calloc((size_t)members, sizeof *shares);
  uint64_t* seen = calloc((size_t)m.problem.body_count, sizeof *seen);
  int inner = 0;
  rg_nsgs_divide(nsgs, members, division);
  for (int i = 0; i < members; i++)
    rg_nsgs_take_parts(nsgs, division, i, &shares[i]);
  for (int i = 0; i < members; i++) {
    rg_nsgs_find_inner(nsgs, division, i, &shares[i]);
    see_members(nsgs, &shares[i], i, seen);
  }
  for (int i = 0; i < members; i++) {
    check_inner(nsgs, &shares[i], i, seen);
    for (int k = 0; k < shares[i].segment_count; k++)
      inner += shares[i].segments[k].inner;
  }
  check_all_shared(nsgs, shares, members);
  free(seen);
  free(shares);
  free(division);
  made_free(&m);
  return inner;
}

TEST(members_of_a_team_visit_all_batches_and_inner_ones_alone) {
  for (int k = 0; k < 2; k++)
    for (int members = 1; members <= 7; members += 2) {
      CONTEXT("%d members", members);
      CHECK(check_shares(made_pile(6, 6, 12, 0.5), forms[k], members) > 0);
      check_shares(made_pyramid(12, 0.5), forms[k], members);
    }
}

// The total force and moment on each body, which are unique where the impulses are not.
