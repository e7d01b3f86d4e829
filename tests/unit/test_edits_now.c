// An edit between two steps holds in the next one, whatever the world remembers of the last: the step is the one of a
// world that was built with the edit and put where the first one stands.
#include "support/builder.h"
#include "test.h"

#include <rigor/joint.h>
#include <rigor/view.h>

enum { BODIES = 6 };

typedef struct Scene {
  rgWorld* world;
  rgBodyId floor,
      ids[BODIES]; // two that stand on each other, one beside, a pendulum, a ball on a spring, one far
  rgShapeId knob; // on the third
  rgJointId hinge;
  rgForceId spring;
  int rough;
} Scene;

static Scene build_scene(void) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.theta = 1;
  def.options.step = 4e-3;
  Scene s = {.world = build_world_of(&def)};
  s.rough = build_material(s.world, 0.6, 0);
  s.floor = build_floor(s.world);
  static const rgVec3 places[BODIES] = {{0, 0, 0.2}, {0.05, 0, 0.6}, {0.41, 0, 0.2},
                                        {3, 0, 1},   {5, 0, 0.5},    {8, 0, 0.2}};
  for (int i = 0; i < BODIES; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, places[i]);
    body.velocity.linear = v3(i == 1 ? 0.3 : 0.05 * i, 0.02, 0);
    rgShapeDef shape = i == 4 ? shape_sphere(0.2) : shape_box(v3(0.2, 0.2, 0.2));
    shape.material = s.rough;
    s.ids[i] = build_body(s.world, &body, shape);
  }
  rgShapeDef knob = shape_sphere(0.05);
  knob.pose.position = v3(0, 0, 0.22);
  knob.material = s.rough;
  REQUIRE_INT(rg_world_add_shape(s.world, s.ids[2], &knob, &s.knob), RG_OK);
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  hinge.body_b = s.ids[3];
  hinge.point = v3(2.6, 0, 1);
  hinge.axis = v3(0, 1, 0);
  REQUIRE_INT(rg_world_add_joint(s.world, &hinge, &s.hinge), RG_OK);
  rgForceDef spring = rg_force_def();
  spring.kind = RG_FORCE_SPRING;
  spring.body = s.ids[4];
  spring.other_point = v3(5, 0, 1);
  spring.stiffness = 2000;
  spring.rest = 0.3;
  REQUIRE_INT(rg_world_add_force(s.world, &spring, &s.spring), RG_OK);
  return s;
}

typedef rgStatus Edit(Scene* s);

static rgStatus nothing(Scene* s) { return s->world ? RG_OK : RG_ERROR_INPUT; }
static rgStatus no_pair(Scene* s) {
  return rg_world_set_pair_collision(s->world, s->ids[0], s->ids[1], false);
}
static rgStatus no_floor(Scene* s) {
  return rg_world_set_pair_collision(s->world, s->floor, s->ids[5], false);
}
static rgStatus add_leg(Scene* s) {
  rgShapeDef leg = shape_box(v3(0.05, 0.05, 0.12));
  leg.pose.position = v3(0.3, 0, -0.1);
  rgShapeId id;
  return rg_world_add_shape(s->world, s->ids[5], &leg, &id);
}
static rgStatus add_ground(Scene* s) { // under what falls on the spring
  rgBodyDef def = body_at(RG_BODY_STATIC, v3(5, 0, 0.2));
  rgShapeDef shape = shape_box(v3(0.5, 0.5, 0.101));
  rgBodyId id;
  return rg_world_add_body(s->world, &def, &shape, 1, &id);
}
static rgStatus remove_knob(Scene* s) { return rg_world_remove_shape(s->world, s->knob); }
static rgStatus remove_floor(Scene* s) { return rg_world_remove_body(s->world, s->floor); }
static rgStatus remove_hinge(Scene* s) { return rg_world_remove_joint(s->world, s->hinge); }
static rgStatus remove_spring(Scene* s) { return rg_world_remove_force(s->world, s->spring); }
static rgStatus smooth(Scene* s) {
  rgMaterial material = rg_material_default();
  material.mu = 0.01;
  return rg_world_set_material(s->world, s->rough, &material);
}
static rgStatus lively(Scene* s) {
  rgMaterial material = rg_material_default();
  material.mu = 0.02;
  material.restitution = 0.9;
  return rg_world_set_pair_material(s->world, 0, s->rough, &material);
}
static rgStatus drive(Scene* s) {
  rgJointAxis axis = rg_joint_def(RG_JOINT_HINGE).axes[0];
  axis.motor = true;
  axis.motor_speed = 2;
  axis.motor_force = 1e4;
  return rg_joint_set_axis(s->world, s->hinge, 0, &axis);
}
static rgStatus hold(Scene* s) { // at a limit that it stands beyond
  rgJointAxis axis = rg_joint_def(RG_JOINT_HINGE).axes[0];
  axis.upper = -0.001;
  return rg_joint_set_axis(s->world, s->hinge, 0, &axis);
}
static rgStatus push(Scene* s) { return rg_joint_set_effort(s->world, s->hinge, 0, -300); }
static rgStatus weld(Scene* s) {
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  joint.body_a = s->ids[2];
  joint.body_b = s->ids[5];
  joint.frames_given = true; // wherever they are, by a point between them
  rgPose a = rg_body_pose(s->world, s->ids[2]), b = rg_body_pose(s->world, s->ids[5]);
  joint.frame_a = (rgPose){v3(3.8, 0, 0), {1, 0, 0, 0}};
  joint.frame_b = (rgPose){v3(-3.8, 0, 0), {1, 0, 0, 0}};
  (void)a, (void)b;
  rgJointId id;
  return rg_world_add_joint(s->world, &joint, &id);
}
static rgStatus pull(Scene* s) {
  rgForceDef force = rg_force_def();
  force.body = s->ids[0];
  force.wrench.force = v3(2000, 0, 0);
  rgForceId id;
  return rg_world_add_force(s->world, &force, &id);
}
static rgStatus tilt(Scene* s) {
  rgOptions options = *rg_world_options(s->world);
  options.gravity = v3(6, 0, -6);
  return rg_world_set_options(s->world, &options);
}
static rgStatus lengthen(Scene* s) {
  rgOptions options = *rg_world_options(s->world);
  options.step = 1e-2;
  return rg_world_set_options(s->world, &options);
}

static const struct {
  const char* name;
  Edit* make;
} edits[] = {{"nothing", nothing},
             {"no pair", no_pair},
             {"no floor", no_floor},
             {"leg", add_leg},
             {"ground", add_ground},
             {"no knob", remove_knob},
             {"no ground", remove_floor},
             {"no hinge", remove_hinge},
             {"no spring", remove_spring},
             {"smooth", smooth},
             {"lively", lively},
             {"drive", drive},
             {"hold", hold},
             {"effort", push},
             {"weld", weld},
             {"pull", pull},
             {"tilt", tilt},
             {"lengthen", lengthen}};
enum { EDITS = sizeof edits / sizeof *edits };

static double apart(const Scene* a, const Scene* b) {
  double most = 0;
  for (int i = 0; i < BODIES; i++) {
    rgTwist v = rg_body_velocity(a->world, a->ids[i]), w = rg_body_velocity(b->world, b->ids[i]);
    most = fmax(most, distance(v.linear, w.linear));
    most = fmax(most, 0.2 * distance(v.angular, w.angular));
    most = fmax(most, distance(rg_body_pose(a->world, a->ids[i]).position,
                               rg_body_pose(b->world, b->ids[i]).position));
  }
  return most;
}

TEST(an_edit_holds_in_the_next_step) {
  for (int e = 0; e < EDITS; e++)
    for (int steps = 1; steps < 20; steps += 9 + e) {
      Scene edited = build_scene(), built = build_scene(), untouched = build_scene();
      run_steps(edited.world, steps);
      run_steps(untouched.world, steps);
      CONTEXT("%s after %d steps", edits[e].name, steps);
      REQUIRE_MSG(edits[e].make(&edited) == RG_OK, "%s", rg_world_message(edited.world));
      REQUIRE_MSG(edits[e].make(&built) == RG_OK, "%s", rg_world_message(built.world));
      for (int i = 0; i < BODIES; i++) {
        REQUIRE_INT(
            rg_body_set_pose(built.world, built.ids[i], rg_body_pose(edited.world, edited.ids[i])),
            RG_OK);
        REQUIRE_INT(rg_body_set_velocity(built.world, built.ids[i],
                                         rg_body_velocity(edited.world, edited.ids[i])),
                    RG_OK);
      }
      run_steps(edited.world, 1);
      run_steps(built.world, 1);
      run_steps(untouched.world, 1);
      double off = apart(&edited, &built), changed = apart(&edited, &untouched);
      CHECK_MSG(off <= 1e-6, "off by %g", off);
      bool shows = e > 0 && edits[e].make != remove_knob; // which touches nothing
      CHECK_MSG(!shows || changed > 1e-5 || steps > 1, "changes nothing: %g", changed);
      rg_world_destroy(edited.world);
      rg_world_destroy(built.world);
      rg_world_destroy(untouched.world);
    }
}
