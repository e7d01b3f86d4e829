// MJCF models: what becomes of their bodies, joints, shapes and rules of contact. The oracles are
// closed forms and the rules that MuJoCo's documentation states.
#include "test.h"

#include "math/vec.h"
#include <rigor/joint.h>
#include <rigor/rigor.h>

typedef struct Model {
  rgScene* scene;
  rgWorld* world;
} Model;

static Model load(const char* text) {
  Model m = {0};
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(text, strlen(text), "m.xml", &m.scene, &message);
  if (status == RG_ERROR_UNSUPPORTED)
    SKIP("this build has no expat");
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  REQUIRE_MSG(rg_scene_build(m.scene, NULL, &m.world, &message) == RG_OK, "%s", message.text);
  // What is written reads back to the same text.
  size_t length = rg_scene_write(m.scene, NULL, 0);
  char *first = malloc(length + 1), *second = malloc(length + 1);
  REQUIRE(first && second);
  rg_scene_write(m.scene, first, length + 1);
  rgScene* again = NULL;
  status = rg_scene_parse(first, length, "m.json", &again, &message);
  if (CHECK_MSG(status == RG_OK, "%s", message.text)) {
    CHECK_INT(rg_scene_write(again, second, length + 1), length);
    CHECK_STR(second, first);
  }
  rg_scene_free(again);
  free(first);
  free(second);
  return m;
}

static void drop(Model m) {
  rg_world_destroy(m.world);
  rg_scene_free(m.scene);
}

static rgBodyId body(Model m, const char* name) {
  rgBodyId id = rg_world_find_body(m.world, name);
  REQUIRE_MSG(id.generation != 0, "no body %s", name);
  return id;
}

static rgJointState joint(Model m, const char* name) {
  rgJointState state = {0};
  REQUIRE_INT(rg_joint_state(m.world, rg_world_find_joint(m.world, name), &state), RG_OK);
  return state;
}

static void check_vec(rgVec3 a, rgVec3 b, double tolerance) {
  CHECK_NEAR(a.x, b.x, tolerance);
  CHECK_NEAR(a.y, b.y, tolerance);
  CHECK_NEAR(a.z, b.z, tolerance);
}

static int remarks_with(Model m, const char* part) {
  const char *place, *text;
  int count = 0;
  for (int i = 0; rg_scene_note(m.scene, i, &place, &text); i++)
    count += strstr(text, part) != NULL;
  return count;
}

static const double EXACT = 1e-14; // a few roundings of numbers near 1

TEST(classes_lend_what_an_element_does_not_say) {
  Model m =
      load("<mujoco><default><geom density='2000' size='.1'/>"
           "<default class='a'><geom size='.2'/><default class='b'><geom density='500'/>"
           "</default></default></default><worldbody>"
           "<body name='main'><freejoint/><geom/></body>"
           "<body name='own' pos='5 0 0'><freejoint/><geom class='b'/></body>"
           "<body name='child' pos='9 0 0' childclass='a'><freejoint/><geom/></body>"
           "<body name='said' pos='13 0 0' childclass='a'><freejoint/><geom size='.3'/></body>"
           "</worldbody></mujoco>");
  double ball = 4 * RG_PI / 3;
  CHECK_REL(rg_body_mass(m.world, body(m, "main")).mass, 2000 * ball * 0.001, EXACT);
  CHECK_REL(rg_body_mass(m.world, body(m, "own")).mass, 500 * ball * 0.008, EXACT);
  CHECK_REL(rg_body_mass(m.world, body(m, "child")).mass, 2000 * ball * 0.008, EXACT);
  CHECK_REL(rg_body_mass(m.world, body(m, "said")).mass, 2000 * ball * 0.027, EXACT);
  drop(m);
}

TEST(six_spellings_of_one_orientation_agree) {
  // 90 degrees about z, then 30 about the new x.
  Model m =
      load("<mujoco><worldbody>"
           "<body name='a' quat='.6830127018922193 .18301270189221933 .18301270189221933 "
           ".6830127018922193'><freejoint/><geom size='1'/></body>"
           "<body name='b' euler='0 30 90' pos='9 0 0'><frame/><freejoint/><geom size='1'/></body>"
           "<body name='c' xyaxes='0 1 0 -.8660254037844386 0 .5' pos='18 0 0'><freejoint/>"
           "<geom size='1'/></body></worldbody></mujoco>");
  Model z = load("<mujoco><compiler eulerseq='zxy' angle='radian'/><worldbody>"
                 "<body name='d' euler='1.5707963267948966 .5235987755982988 0'><freejoint/>"
                 "<geom size='1'/></body></worldbody></mujoco>");
  Model f = load("<mujoco><compiler eulerseq='XZY'/><worldbody>"
                 "<body name='e' euler='30 90 0'><freejoint/><geom size='1'/></body></worldbody>"
                 "</mujoco>");
  rgQuat a = rg_body_pose(m.world, body(m, "a")).orientation;
  rgQuat others[] = {rg_body_pose(m.world, body(m, "c")).orientation,
                     rg_body_pose(z.world, body(z, "d")).orientation,
                     rg_body_pose(f.world, body(f, "e")).orientation};
  for (int i = 0; i < 3; i++) {
    CONTEXT("spelling %d", i);
    double dot = a.w * others[i].w + a.x * others[i].x + a.y * others[i].y + a.z * others[i].z;
    CHECK_NEAR(fabs(dot), 1, EXACT);
  }
  // x then y then z, each about axes that turn along: intrinsic xyz differs from the above.
  rgQuat b = rg_body_pose(m.world, body(m, "b")).orientation;
  rgVec3 x = quat_rotate(b, v3(1, 0, 0));
  check_vec(x, v3(0, 1, 0), EXACT);
  drop(m);
  drop(z);
  drop(f);
}

TEST(a_key_places_a_chain_and_its_velocities) {
  // Two links of length 1, hinges about y at 0.3 and 0.5 rad, turning at 2 and -1 rad/s.
  Model m = load("<mujoco><worldbody><body name='a'><joint name='p' axis='0 1 0'/>"
                 "<geom type='sphere' size='.1' pos='0 0 -.5'/>"
                 "<body name='b' pos='0 0 -1'><joint name='q' axis='0 1 0'/>"
                 "<geom type='sphere' size='.1' pos='0 0 -.5'/></body></body></worldbody>"
                 "<keyframe><key qpos='.3 .5' qvel='2 -1'/></keyframe></mujoco>");
  double s = sin(0.3), c = cos(0.3), s2 = sin(0.8), c2 = cos(0.8);
  check_vec(rg_body_pose(m.world, body(m, "b")).position, v3(-s, 0, -c), EXACT);
  check_vec(rg_body_center(m.world, body(m, "b")), v3(-s - s2 / 2, 0, -c - c2 / 2), EXACT);
  rgTwist v = rg_body_velocity(m.world, body(m, "b"));
  check_vec(v.angular, v3(0, 1, 0), EXACT);
  check_vec(v.linear, v3(-2 * c - c2 / 2, 0, 2 * s + s2 / 2), EXACT);
  CHECK_NEAR(joint(m, "p").coordinate[0], 0.3, EXACT);
  CHECK_NEAR(joint(m, "q").coordinate[0], 0.5, EXACT);
  CHECK_NEAR(joint(m, "q").rate[0], -1, EXACT);
  drop(m);
}

TEST(coordinates_are_those_of_the_model_whatever_its_references) {
  Model m =
      load("<mujoco><compiler angle='radian'/><worldbody>"
           "<body name='h'><joint name='hinge' axis='1 2 3' ref='.4'/><geom size='.1'/></body>"
           "<body name='s' pos='2 0 0'><joint name='slide' type='slide' axis='0 1 1' ref='.2'/>"
           "<geom size='.1'/></body>"
           "<body name='u' pos='4 0 0'><joint name='u1' axis='1 0 0' ref='.1'/>"
           "<joint name='u2' axis='0 0 1' ref='-.3'/><geom size='.1'/></body>"
           "<body name='p' pos='6 0 0'><joint name='p1' type='slide' axis='1 0 0' ref='.5'/>"
           "<joint name='p2' type='slide' axis='0 0 1'/><joint name='p3' axis='0 1 0' ref='.2'/>"
           "<geom size='.1'/></body>"
           "<body name='c' pos='8 0 0'><joint name='c1' type='slide' axis='0 0 1'/>"
           "<joint name='c2' axis='0 0 1' ref='.7'/><geom size='.1'/></body></worldbody>"
           "<keyframe><key qpos='.9 .6  .3 .8  .7 -.4 .6  .25 -.5'/></keyframe></mujoco>");
  CHECK_NEAR(joint(m, "hinge").coordinate[0], 0.9, EXACT);
  CHECK_NEAR(joint(m, "slide").coordinate[0], 0.6, EXACT);
  rgJointState u = joint(m, "u1+u2"), p = joint(m, "p1+p2+p3"), c = joint(m, "c1+c2");
  CHECK_INT(u.kind, RG_JOINT_UNIVERSAL);
  CHECK_NEAR(u.coordinate[0], 0.3, EXACT);
  CHECK_NEAR(u.coordinate[1], 0.8, EXACT);
  CHECK_INT(p.kind, RG_JOINT_PLANAR);
  // y cross x = -z: the first slide is the joint's z.
  CHECK_NEAR(p.coordinate[1], 0.7, EXACT);
  CHECK_NEAR(p.coordinate[0], -0.4, EXACT);
  CHECK_NEAR(p.coordinate[2], 0.6, EXACT);
  CHECK_INT(c.kind, RG_JOINT_CYLINDRICAL);
  CHECK_NEAR(c.coordinate[0], 0.25, EXACT);
  CHECK_NEAR(c.coordinate[1], -0.5, EXACT);
  for (int i = 0; i < rg_world_joint_count(m.world); i++) {
    rgJointState state;
    REQUIRE_INT(rg_joint_state(m.world, rg_world_joint(m.world, i), &state), RG_OK);
    CHECK_NEAR(state.error, 0, EXACT);
  }
  drop(m);
}

// Entry of the inertia about the origin that a point mass has.
static double about_origin(double mass, rgVec3 c, int i, int j) {
  return mass * ((i == j ? v3_norm2(c) : 0) - v3_get(c, i) * v3_get(c, j));
}

TEST(a_body_between_joints_is_massless) {
  static const char* const hinges[] = {"1 0 0", "0 0 1", "0 1 0"};
  char text[2000];
  snprintf(text, sizeof text,
           "<mujoco><worldbody><body name='a'><joint axis='%s' damping='1'/><joint axis='%s'/>"
           "<joint axis='%s'/><geom type='box' size='.1 .2 .3' pos='.1 .2 .3'/></body></worldbody>"
           "<keyframe><key qpos='.4 -.6 .8'/></keyframe></mujoco>",
           hinges[0], hinges[1], hinges[2]);
  Model m = load(text);
  CHECK_INT(rg_world_body_count(m.world), 2);
  CHECK_INT(remarks_with(m, "a massless body between them"), 1);
  CHECK_REL(rg_body_mass(m.world, body(m, "a")).mass, 48, EXACT);
  // Both together are a box of 24 litres, in every configuration.
  double mass = 0;
  rgVec3 first = v3_zero();
  rgMat3 second = m3_zero();
  for (int i = 0; i < 2; i++) {
    rgBodyId id = rg_world_body(m.world, i);
    rgMassProperties p = rg_body_mass(m.world, id);
    rgPose pose = rg_body_pose(m.world, id);
    rgMat3 r = m3_from_quat(pose.orientation), rt = m3_transpose(&r);
    rgMat3 inertia = m3_mul(&r, &p.inertia);
    inertia = m3_mul(&inertia, &rt);
    rgVec3 c = pose_apply(pose, p.center);
    mass += p.mass;
    first = v3_axpy(first, p.mass, c);
    for (int k = 0; k < 9; k++)
      second.m[k / 3][k % 3] += inertia.m[k / 3][k % 3] + about_origin(p.mass, c, k / 3, k % 3);
  }
  rgPose pose = rg_body_pose(m.world, body(m, "a"));
  CHECK_REL(mass, 48, EXACT);
  check_vec(v3_scale(first, 1 / mass), pose_apply(pose, v3(.1, .2, .3)), EXACT);
  rgMat3 r = m3_from_quat(pose.orientation);
  rgMat3 box = m3_congruence(&r, v3(16 * .13, 16 * .10, 16 * .05));
  rgVec3 c = v3_scale(first, 1 / mass);
  for (int k = 0; k < 9; k++) {
    double expected = box.m[k / 3][k % 3] + about_origin(mass, c, k / 3, k % 3);
    CHECK_NEAR(second.m[k / 3][k % 3], expected, 1e-12); // sums of numbers near 10
  }
  drop(m);
}

// Bits of contact: a pair collides when the type of one meets the affinity of the other.
TEST(groups_and_masks_say_what_contype_and_conaffinity_say) {
  enum { COUNT = 7 };
  uint64_t state = 5;
  for (int round = 0; round < 20; round++) {
    char text[4000] = "<mujoco><worldbody>";
    int type[COUNT], affinity[COUNT];
    for (int i = 0; i < COUNT; i++) {
      type[i] = (int)(rg_random_bits(&state) >> 61);
      affinity[i] = 1 + (int)(rg_random_bits(&state) >> 62);
      type[i] |= i == 0; // somebody collides
      size_t used = strlen(text);
      snprintf(text + used, sizeof text - used,
               "<body name='b%d' pos='%d 0 0'><freejoint/><geom size='.1' contype='%d' "
               "conaffinity='%d'/></body>",
               i, 3 * i, type[i], affinity[i]);
    }
    strcat(text, "</worldbody></mujoco>");
    Model m = load(text);
    uint32_t group[COUNT] = {0}, mask[COUNT] = {0};
    rgShapeId ids[COUNT];
    int shapes = rg_world_shapes(m.world, ids, COUNT);
    for (int i = 0; i < shapes; i++) {
      rgShapeView view;
      REQUIRE_INT(rg_shape_view(m.world, ids[i], &view), RG_OK);
      int b = atoi(rg_body_name(m.world, view.body) + 1);
      group[b] = view.def.group;
      mask[b] = view.def.mask;
    }
    for (int i = 0; i < COUNT; i++)
      for (int j = 0; j < COUNT; j++) {
        bool wanted = (type[i] & affinity[j]) || (type[j] & affinity[i]);
        bool got = (group[i] & mask[j]) && (group[j] & mask[i]);
        CHECK_MSG(wanted == got, "round %d: %d %d", round, i, j);
      }
    drop(m);
  }
}

TEST(friction_is_the_larger_one_unless_priority_decides) {
  Model m =
      load("<mujoco><worldbody><geom type='plane' size='0 0 1' friction='.3'/>"
           "<body name='a' pos='0 0 .1'><freejoint/><geom size='.1' friction='.8'/></body>"
           "<body name='b' pos='1 0 .1'><freejoint/><geom size='.1' friction='.2' priority='1'/>"
           "</body><body name='c' pos='2 0 .1'><freejoint/><geom size='.1' condim='4' "
           "friction='.5 .01'/></body></worldbody></mujoco>");
  REQUIRE_INT(rg_world_find_contacts(m.world), RG_OK);
  double mu[3] = {0}, e_tau[3] = {0};
  for (int i = 0; i < rg_world_contact_count(m.world); i++) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(m.world, i, &contact), RG_OK);
    const char *a = rg_body_name(m.world, contact.body_a),
               *b = rg_body_name(m.world, contact.body_b);
    int which = (strlen(a) == 1 ? a : b)[0] - 'a';
    rgMaterial material;
    REQUIRE_INT(rg_world_pair_material(m.world, contact.material_a, contact.material_b, &material),
                RG_OK);
    mu[which] = material.mu;
    e_tau[which] = material.e_tau;
  }
  CHECK_NEAR(mu[0], 0.8, 0);
  CHECK_NEAR(mu[1], 0.2, 0);
  CHECK_NEAR(mu[2], 0.5, 0);
  CHECK_NEAR(mu[2] * e_tau[2], 0.01, EXACT); // the larger torsion, which MuJoCo gives in metres
  CHECK_NEAR(e_tau[0], 0, 0);
  drop(m);
}

TEST(welded_bodies_are_one_and_loops_are_closed) {
  Model m = load("<mujoco><compiler angle='radian'/><worldbody>"
                 "<body name='left'><joint axis='0 1 0'/><geom type='capsule' fromto='0 0 0 0 0 1' "
                 "size='.02'/>"
                 "<body name='tip' pos='0 0 1'><geom size='.05'/></body></body>"
                 "<body name='right' pos='1 0 0'><joint axis='0 1 0'/>"
                 "<geom type='capsule' fromto='0 0 0 0 0 1' size='.02'/></body>"
                 "<body name='bar' pos='0 0 1'><joint axis='0 1 0' pos='0 0 0' type='ball'/>"
                 "<geom type='capsule' fromto='0 0 0 1 0 0' size='.02'/></body></worldbody>"
                 "<equality><connect name='loop' body1='bar' body2='right' anchor='1 0 0'/>"
                 "<weld body1='left' body2='tip'/></equality></mujoco>");
  CHECK_INT(rg_world_find_body(m.world, "tip").generation, 0);
  CHECK_INT(remarks_with(m, "move as one already"), 1);
  rgJointState loop = joint(m, "loop");
  CHECK_INT(loop.kind, RG_JOINT_BALL);
  CHECK_NEAR(loop.error, 0, EXACT);
  check_vec(loop.frame_a.position, v3(1, 0, 1), EXACT);
  double link = rg_body_mass(m.world, body(m, "right")).mass;
  CHECK_REL(rg_body_mass(m.world, body(m, "left")).mass, link + 1000 * 4 * RG_PI / 3 * 1.25e-4,
            EXACT);
  drop(m);
}

TEST(frames_and_copies_place_bodies) {
  Model m = load("<mujoco><worldbody><replicate count='4' sep='-' euler='0 0 90'>"
                 "<frame pos='2 0 0' euler='0 0 90'><body name='a' pos='1 0 0'><freejoint/>"
                 "<geom size='.1'/></body></frame></replicate></worldbody></mujoco>");
  static const double x[] = {2, -1, -2, 1}, y[] = {1, 2, -1, -2};
  for (int i = 0; i < 4; i++) {
    char name[8];
    snprintf(name, sizeof name, "a-%d", i);
    check_vec(rg_body_pose(m.world, body(m, name)).position, v3(x[i], y[i], 0), EXACT);
  }
  drop(m);
}

TEST(a_mesh_has_the_mass_of_what_it_encloses) {
  // A unit cube with a corner at the origin, scaled by 2 along y and mirrored along z.
  Model m = load("<mujoco><asset><mesh name='cube' scale='1 2 -1' "
                 "vertex='0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1' "
                 "face='0 2 1 1 2 3 4 5 6 5 7 6 0 1 4 1 5 4 2 6 3 3 6 7 0 4 2 2 4 6 1 3 5 3 7 5'/>"
                 "</asset><worldbody><body name='a'><freejoint/><geom type='mesh' mesh='cube' "
                 "density='3'/></body></worldbody></mujoco>");
  rgMassProperties p = rg_body_mass(m.world, body(m, "a"));
  CHECK_REL(p.mass, 6, EXACT);
  check_vec(p.center, v3(.5, 1, -.5), EXACT);
  CHECK_REL(p.inertia.m[0][0], 6 * (4 + 1) / 12.0, EXACT);
  CHECK_REL(p.inertia.m[1][1], 6 * (1 + 1) / 12.0, EXACT);
  drop(m);
}

TEST(what_is_ignored_is_said_once_per_file_with_its_line) {
  Model m = load("<mujoco>\n<option cone='elliptic'/>\n<worldbody>\n<body name='a'><freejoint/>\n"
                 "<geom size='.1' solref='.1 1'/>\n<geom size='.2' solref='.1 1'/></body>\n"
                 "</worldbody>\n<sensor><clock/></sensor></mujoco>");
  const char *place, *text;
  CHECK(rg_scene_note(m.scene, 0, &place, &text));
  CHECK_STR(place, "m.xml:2:9");
  CHECK_CONTAINS(text, "cone of <option> is ignored");
  CHECK(rg_scene_note(m.scene, 1, &place, &text));
  CHECK_STR(place, "m.xml:5:17");
  CHECK_CONTAINS(text, "(2 times in this file)");
  CHECK(rg_scene_note(m.scene, 2, &place, &text));
  CHECK_STR(place, "m.xml:8:9");
  CHECK_STR(text, "<clock> is ignored");
  CHECK(!rg_scene_note(m.scene, 3, &place, &text));
  drop(m);
}

TEST(gravity_that_is_compensated_is_held_up) {
  Model m = load("<mujoco><worldbody><body name='a' gravcomp='1'><freejoint/>"
                 "<geom size='.1'/></body></worldbody></mujoco>");
  for (int i = 0; i < 100; i++)
    REQUIRE_INT(rg_world_step(m.world, NULL), RG_OK);
  check_vec(rg_body_pose(m.world, body(m, "a")).position, v3_zero(), 1e-12);
  drop(m);
}

// The force of an actuator is gain u + b0 + b1 l + b2 l' with l = gear q, and the joint feels gear
// times that: what a servo of the scene says in its own words.
TEST(actuators_become_efforts_and_servos) {
#define ARM(name) "<body><joint name='" name "' axis='0 1 0'/><geom size='.1'/></body>"
  Model m = load(
      "<mujoco><option gravity='0 0 0'/><default><position kp='5'/></default><worldbody>" ARM("m")
          ARM("p") ARM("v") ARM("g") ARM("t")
              ARM("both") "</worldbody>"
                          "<tendon><fixed name='wire'><joint joint='t' "
                          "coef='2'/></fixed></tendon><actuator>"
                          "<motor joint='m' gear='30' ctrlrange='-.5 .5'/>"
                          "<position joint='p' gear='2' kv='.25' forcerange='-3 3'/>"
                          "<velocity joint='v' kv='4'/>"
                          "<general joint='g' gainprm='3' biastype='affine' biasprm='1.5 -6 -.5'/>"
                          "<motor tendon='wire' gear='10'/>"
                          "<position joint='both'/><velocity joint='both' kv='2'/></actuator>"
                          "<keyframe><key qpos='0 0 0 0 0 0' ctrl='2 .8 .7 .5 .1 .3 "
                          ".5'/></keyframe></mujoco>");
  size_t length = rg_scene_write(m.scene, NULL, 0);
  char* text = malloc(length + 1);
  REQUIRE(text != NULL);
  rg_scene_write(m.scene, text, length + 1);
  static const char* const parts[] = {
      "\"effort\": 15", // clamped to .5
      "\"servo_target\": 0.4, \"servo_stiffness\": 20, \"servo_damping\": 1, \"servo_force\": 6",
      "\"servo_speed\": 0.7, \"servo_damping\": 4",
      "\"servo_target\": 0.5, \"servo_stiffness\": 6, \"servo_damping\": 0.5",
      "\"effort\": 2,", // gear 10 over a tendon with coefficient 2
      "\"servo_target\": 0.3, \"servo_speed\": 0.5, \"servo_stiffness\": 5, \"servo_damping\": 2",
  };
  // White space differs with the length of a line.
  char* flat = text;
  for (char* c = text; *c; c++)
    if (!(*c == '\n' || (*c == ' ' && flat > text && flat[-1] == ' ')))
      *flat++ = *c;
  *flat = 0;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    char wanted[200];
    snprintf(wanted, sizeof wanted, "%s", parts[i]);
    if (wanted[strlen(wanted) - 1] == ',')
      wanted[strlen(wanted) - 1] = 0;
    CHECK_CONTAINS(text, wanted);
  }
  free(text);
  drop(m);
}

TEST(a_rotor_and_a_servo_oscillate_as_their_numbers_say) {
  // A ball of inertia 0.4 m r^2 about its own hinge, armature 0.02, kp 3: omega^2 = kp / (I + a).
  Model m = load("<mujoco><option gravity='0 0 0' timestep='.0005'/><worldbody>"
                 "<body><joint name='j' axis='0 1 0' armature='.02'/>"
                 "<geom type='sphere' size='.2' mass='2'/></body></worldbody>"
                 "<actuator><position joint='j' kp='3'/></actuator>"
                 "<keyframe><key qpos='.5'/></keyframe></mujoco>");
  rgOptions options = *rg_world_options(m.world);
  options.theta = 0.5;
  REQUIRE_INT(rg_world_set_options(m.world, &options), RG_OK);
  double omega = sqrt(3 / (0.4 * 2 * 0.04 + 0.02));
  for (int i = 1; i <= 2000; i++) {
    REQUIRE_INT(rg_world_step(m.world, NULL), RG_OK);
    if (i % 500 == 0) // the midpoint rule lags by (omega h)^2 / 12 of the phase
      CHECK_NEAR(joint(m, "j").coordinate[0], 0.5 * cos(omega * i * 0.0005), 1e-5);
  }
  drop(m);
}
