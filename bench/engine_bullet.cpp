// engine_bullet.cpp - Bullet at its defaults: sequential impulses, 10 iterations, split impulse,
// single precision as Debian builds it.
#ifdef BENCH_BULLET

#include "engine.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

struct BulletWorld {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<btVector3> centers; // of mass, in the frames of the bodies
  std::vector<std::unique_ptr<btTypedConstraint>> joints;
  btScalar step = 0;

  ~BulletWorld() {
    for (auto& joint : joints)
      world.removeConstraint(joint.get());
    for (auto& body : bodies)
      world.removeRigidBody(body.get());
  }
};

btVector3 vector(rgVec3 a) { return btVector3(btScalar(a.x), btScalar(a.y), btScalar(a.z)); }

btQuaternion quaternion(rgQuat q) {
  return btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w));
}

// Corners about the centre of mass, which is where Bullet has the frame of a body.
btCollisionShape* hull_of(const rgShapeDef& def, const btVector3& center) {
  auto* hull = new btConvexHullShape();
  for (int i = 0; i < def.point_count; ++i)
    hull->addPoint(vector(def.points[i]) - center, false);
  hull->recalcLocalAabb();
  return hull;
}

btCollisionShape* shape_of(const rgShapeDef& def, const btVector3& center) {
  if (def.kind == RG_SHAPE_HULL)
    return hull_of(def, center);
  if (def.kind == RG_SHAPE_SPHERE)
    return new btSphereShape(btScalar(def.radius));
  if (def.kind == RG_SHAPE_BOX)
    return new btBoxShape(vector(def.half));
  if (def.kind == RG_SHAPE_HALFSPACE)
    return new btStaticPlaneShape(btVector3(0, 0, 1), 0);
  return nullptr;
}

bool add_body(BulletWorld& bullet, const Scene& scene, const SceneBody& body) {
  btScalar mass = 0;
  btVector3 inertia(0, 0, 0), center(0, 0, 0);
  rgMassProperties properties = {};
  bool dynamic = body.def.kind == RG_BODY_DYNAMIC;
  if (dynamic && rg_shape_mass(&body.shape, &properties, nullptr) != RG_OK)
    return false;
  center = vector(properties.center);
  btCollisionShape* shape = shape_of(body.shape, center);
  if (!shape)
    return false;
  bullet.shapes.emplace_back(shape);
  bullet.centers.push_back(center);
  if (dynamic) {
    mass = btScalar(body.def.mass > 0 ? body.def.mass : properties.mass);
    shape->calculateLocalInertia(mass, inertia);
  }
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
  const btQuaternion q = quaternion(body.def.pose.orientation);
  info.m_startWorldTransform =
      btTransform(q, vector(body.def.pose.position) + quatRotate(q, center));
  // Bullet multiplies the coefficients of the two bodies.
  info.m_friction = btScalar(std::sqrt(scene.materials[0].mu));
  auto* rigid = new btRigidBody(info);
  rigid->setActivationState(DISABLE_DEACTIVATION);
  rigid->setLinearVelocity(vector(body.def.velocity.linear));
  rigid->setAngularVelocity(vector(body.def.velocity.angular));
  bullet.bodies.emplace_back(rigid);
  bullet.world.addRigidBody(rigid);
  return true;
}

// Ball joints; bodies that share one do not collide.
void add_joint(BulletWorld& bullet, const SceneJoint& joint) {
  btRigidBody& b = *bullet.bodies[size_t(joint.b)];
  const btVector3 point = vector(joint.point), at_b = b.getWorldTransform().inverse() * point;
  btTypedConstraint* made;
  if (joint.a < 0) {
    made = new btPoint2PointConstraint(b, at_b);
  } else {
    btRigidBody& a = *bullet.bodies[size_t(joint.a)];
    made = new btPoint2PointConstraint(a, b, a.getWorldTransform().inverse() * point, at_b);
  }
  bullet.joints.emplace_back(made);
  bullet.world.addConstraint(made, true);
}

void* bullet_create(const Scene* scene, double step, const char*) {
  auto bullet = std::make_unique<BulletWorld>();
  bullet->step = btScalar(step);
  bullet->world.setGravity(vector(scene->gravity));
  for (int i = 0; i < scene->body_count; ++i)
    if (!add_body(*bullet, *scene, scene->bodies[i]))
      return nullptr;
  for (int i = 0; i < scene->joint_count; ++i)
    add_joint(*bullet, scene->joints[i]);
  return bullet.release();
}

void bullet_destroy(void* state) { delete static_cast<BulletWorld*>(state); }

bool bullet_step(void* state) {
  auto* bullet = static_cast<BulletWorld*>(state);
  bullet->world.stepSimulation(bullet->step, 0); // 0 sub-steps: one step of this length
  return true;
}

rgPose bullet_pose(void* state, int body) {
  auto* bullet = static_cast<BulletWorld*>(state);
  const btTransform& t = bullet->bodies[size_t(body)]->getWorldTransform();
  const btVector3 p = t * -bullet->centers[size_t(body)];
  const btQuaternion q = t.getRotation();
  return rgPose{{p.x(), p.y(), p.z()}, {q.w(), q.x(), q.y(), q.z()}};
}

int bullet_contacts(void* state) {
  auto* bullet = static_cast<BulletWorld*>(state);
  int count = 0;
  for (int i = 0; i < bullet->dispatcher.getNumManifolds(); ++i)
    count += bullet->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
  return count;
}

} // namespace

extern "C" const EngineInfo ENGINE_BULLET = {"bullet",
                                             "Bullet " BENCH_BULLET ", 10 iterations",
                                             "",
                                             bullet_create,
                                             bullet_destroy,
                                             bullet_step,
                                             bullet_pose,
                                             bullet_contacts,
                                             nullptr};

#endif
