// engine_ode.cpp - ODE at its defaults: the quick stepper, 20 iterations, double precision as
// Debian builds it. Contacts are made as in ODE's own examples: up to 8 points for a pair, friction
// pyramids scaled with the normal force.
#ifdef BENCH_ODE

#include "engine.h"

#include <ode/ode.h>

#include <cstdlib>
#include <memory>
#include <vector>

namespace {

struct OdeLibrary {
  OdeLibrary() { dInitODE2(0); }
  ~OdeLibrary() { dCloseODE(); }
};

struct OdeWorld {
  dWorldID world = dWorldCreate();
  dSpaceID space = dHashSpaceCreate(nullptr);
  dJointGroupID group = dJointGroupCreate(0);
  std::vector<dGeomID> geoms;
  double step = 0, mu = 0;
  int contacts = 0;

  ~OdeWorld() {
    dJointGroupDestroy(group);
    dSpaceDestroy(space); // with the geometries
    dWorldDestroy(world);
  }
};

const int MAX_POINTS = 8;

void near_pair(void* state, dGeomID a, dGeomID b) {
  auto* ode = static_cast<OdeWorld*>(state);
  dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
  if (!body_a && !body_b)
    return;
  if (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact))
    return;
  dContact contacts[MAX_POINTS];
  int count = dCollide(a, b, MAX_POINTS, &contacts[0].geom, sizeof(dContact));
  for (int i = 0; i < count; ++i) {
    contacts[i].surface = dSurfaceParameters();
    contacts[i].surface.mode = dContactApprox1;
    contacts[i].surface.mu = ode->mu;
    dJointID joint = dJointCreateContact(ode->world, ode->group, &contacts[i]);
    dJointAttach(joint, body_a, body_b);
  }
  ode->contacts += count;
}

dGeomID geom_of(const rgShapeDef& def, dSpaceID space) {
  if (def.kind == RG_SHAPE_SPHERE)
    return dCreateSphere(space, def.radius);
  if (def.kind == RG_SHAPE_BOX)
    return dCreateBox(space, 2 * def.half.x, 2 * def.half.y, 2 * def.half.z);
  if (def.kind == RG_SHAPE_HALFSPACE)
    return dCreatePlane(space, 0, 0, 1, 0);
  return nullptr;
}

void make_dynamic(OdeWorld& ode, const SceneBody& scene_body, dGeomID geom) {
  const rgShapeDef& shape = scene_body.shape;
  dMass mass;
  if (shape.kind == RG_SHAPE_SPHERE)
    dMassSetSphere(&mass, shape.density, shape.radius);
  else
    dMassSetBox(&mass, shape.density, 2 * shape.half.x, 2 * shape.half.y, 2 * shape.half.z);
  if (scene_body.def.mass > 0)
    dMassAdjust(&mass, scene_body.def.mass);
  dBodyID body = dBodyCreate(ode.world);
  dBodySetMass(body, &mass);
  dGeomSetBody(geom, body);
  const rgTwist& v = scene_body.def.velocity;
  dBodySetLinearVel(body, v.linear.x, v.linear.y, v.linear.z);
  dBodySetAngularVel(body, v.angular.x, v.angular.y, v.angular.z);
}

void* ode_create(const Scene* scene, double step, const char*) {
  static const OdeLibrary library;
  dRandSetSeed(0); // the quick stepper shuffles its rows: the same way in each run
  auto ode = std::make_unique<OdeWorld>();
  ode->step = step;
  ode->mu = scene->materials[0].mu;
  dWorldSetGravity(ode->world, scene->gravity.x, scene->gravity.y, scene->gravity.z);
  for (int i = 0; i < scene->body_count; ++i) {
    const SceneBody& body = scene->bodies[i];
    dGeomID geom = geom_of(body.shape, ode->space);
    if (!geom) // hulls: its convex geometries do not collide with each other reliably
      return nullptr;
    ode->geoms.push_back(geom);
    if (body.def.kind == RG_BODY_DYNAMIC)
      make_dynamic(*ode, body, geom);
    if (body.shape.kind == RG_SHAPE_HALFSPACE)
      continue;
    const rgVec3 p = body.def.pose.position;
    const rgQuat q = body.def.pose.orientation;
    const dQuaternion rotation = {q.w, q.x, q.y, q.z};
    dGeomSetPosition(geom, p.x, p.y, p.z);
    dGeomSetQuaternion(geom, rotation);
  }
  for (int i = 0; i < scene->joint_count; ++i) {
    const SceneJoint& def = scene->joints[i];
    dJointID joint = dJointCreateBall(ode->world, nullptr);
    dJointAttach(joint, def.a < 0 ? nullptr : dGeomGetBody(ode->geoms[size_t(def.a)]),
                 dGeomGetBody(ode->geoms[size_t(def.b)]));
    dJointSetBallAnchor(joint, def.point.x, def.point.y, def.point.z);
  }
  return ode.release();
}

void ode_destroy(void* state) { delete static_cast<OdeWorld*>(state); }

bool ode_step(void* state) {
  auto* ode = static_cast<OdeWorld*>(state);
  ode->contacts = 0;
  dSpaceCollide(ode->space, ode, near_pair);
  bool done = dWorldQuickStep(ode->world, ode->step) != 0;
  dJointGroupEmpty(ode->group);
  return done;
}

rgPose ode_pose(void* state, int body) {
  dGeomID geom = static_cast<OdeWorld*>(state)->geoms[size_t(body)];
  if (dGeomGetClass(geom) == dPlaneClass)
    return rgPose{{0, 0, 0}, {1, 0, 0, 0}};
  const dReal* p = dGeomGetPosition(geom);
  dQuaternion q;
  dGeomGetQuaternion(geom, q);
  return rgPose{{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}};
}

int ode_contacts(void* state) { return static_cast<OdeWorld*>(state)->contacts; }

} // namespace

extern "C" const EngineInfo ENGINE_ODE = {
    "ode",       "ODE " BENCH_ODE ", quick step, 20 iterations",
    "",          ode_create,
    ode_destroy, ode_step,
    ode_pose,    ode_contacts,
    nullptr};

#endif
