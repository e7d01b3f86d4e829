// world.h - the world: bodies, shapes, materials, forces, and the step.
//
// A world owns everything in it. What can be created has a definition struct and a function that
// fills it with defaults; ids name what was created. Ids carry a generation: the id of something
// that was removed is refused, never mistaken for its successor. Calls return an rgStatus, and
// rg_world_message explains the last failure. A world is used from one thread at a time; two worlds
// share nothing. A ball that falls on the ground:
//
//     rgWorldDef def = rg_world_def();
//     rgWorld* world;
//     rg_world_create(&def, &world, NULL);
//
//     rgBodyDef body = rg_body_def();
//     rgShapeDef shape = rg_shape_def(RG_SHAPE_HALFSPACE);
//     rgBodyId ground, ball;
//     body.kind = RG_BODY_STATIC;
//     rg_world_add_body(world, &body, &shape, 1, &ground);
//
//     body = rg_body_def();
//     body.pose.position.z = 2; // [m]
//     shape = rg_shape_def(RG_SHAPE_SPHERE);
//     shape.radius = 0.1; // [m]
//     rg_world_add_body(world, &body, &shape, 1, &ball);
//
//     rgCertificate certificate;
//     for (int i = 0; i < 240 && rg_world_step(world, &certificate) == RG_OK; i++)
//       if (!certificate.met)
//         printf("residual %g at t = %g s\n", certificate.residual, rg_world_time(world));
//     printf("the ball is at z = %g m\n", rg_body_pose(world, ball).position.z);
//     rg_world_destroy(world);
//
// Joints are in joint.h, scene files in scene.h, the state of all bodies in arrays in view.h.
#ifndef RIGOR_WORLD_H
#define RIGOR_WORLD_H

#include "problem.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgWorld rgWorld; // opaque

typedef struct rgBodyId {
  uint32_t index;
  uint32_t generation; // 0 is never valid
} rgBodyId;
static inline bool rg_body_equal(rgBodyId a, rgBodyId b) {
  return a.index == b.index && a.generation == b.generation;
}

typedef struct rgShapeId {
  uint32_t index;
  uint32_t generation;
} rgShapeId;
static inline bool rg_shape_equal(rgShapeId a, rgShapeId b) {
  return a.index == b.index && a.generation == b.generation;
}

typedef struct rgForceId {
  uint32_t index;
  uint32_t generation;
} rgForceId;
static inline bool rg_force_equal(rgForceId a, rgForceId b) {
  return a.index == b.index && a.generation == b.generation;
}

// -------------------------------------------------------------------------------------------------
// Options: the same names in scene files and on the command line; see rg_option.
// -------------------------------------------------------------------------------------------------

enum { RG_NAME_MAX = 32 };

typedef struct rgOptions {
  rgVec3 gravity; // [m/s2]
  double step;    // [s] h
  char stepper[RG_NAME_MAX];
  double theta;                  // [-] in [1/2, 1], of theta, implicit-geometry and auto
  char coordinates[RG_NAME_MAX]; // "reduced" or "full": joints that form trees
  char impacts[RG_NAME_MAX];     // "simultaneous", "sequential" or "routh": contacts in one impact
  double damping_time;           // [s] > 0, of the stepper first-order
  char solver[RG_NAME_MAX];
  char solver_options[RG_NAME_MAX]; // of this solver, "name=value,name=value" (rg_solver_option)
  double tolerance;                 // [-] on the certificate's residual
  int iteration_limit;              // per solve
  double time_limit;                // [s] CPU time per solve, 0 = none
  char cone[RG_NAME_MAX]; // friction cone for all contacts: "exact" (disk or ellipsoid), "inner",
                          // "outer", "frictionless"
  int facets;             // of an inner or outer cone
  char stabilizer[RG_NAME_MAX]; // "none", "baumgarte", "post", "post-once"
  double baumgarte_rate;        // [1/s] >= 0, of the stabilizer baumgarte
  bool implicit_forces;         // springs, dampers, drag and stiff callbacks are taken implicitly
  double projection_tolerance;  // [-] overlap left alone, as a fraction of the smaller shape's
                                // half-width
  int threads;                  // >= 1
  double accuracy; // [m] of runs with an rgAccuracy (accuracy.h), 0 = none; a step does not read it
  double effort;   // [-] >= 8, of these: steps for each options.step
  bool sleeping;   // bodies at rest stay where they are until something changes for them
} rgOptions;

// Fills the options with a preset: "realtime", "default" or "reference". False, and nothing
// changed, when there is no such preset.
RG_API bool rg_options_preset(const char* name, rgOptions* options);
RG_API const char* rg_preset_name(int index);    // NULL past the end
RG_API const char* rg_preset_summary(int index); // NULL past the end

// The table of options, from which scene files, command line and documentation are made.
typedef enum rgOptionType {
  RG_OPTION_BOOL,
  RG_OPTION_INT,
  RG_OPTION_REAL,
  RG_OPTION_VEC3,
  RG_OPTION_NAME
} rgOptionType;
typedef struct rgOption {
  const char* name;
  rgOptionType type;
  size_t offset;                   // in rgOptions
  double lower, upper;             // inclusive range for INT and REAL
  bool lower_open;                 // the lower end itself is excluded
  const char* (*names)(int index); // NAME: the allowed words, NULL past the end; NULL: any text
  const char* unit;                // "m/s2", "" when none
  const char* help;
} rgOption;
RG_API const rgOption* rg_option(int index); // NULL past the end

// The tables that NAME options choose from: name, one sentence, works followed. NULL past the end.
RG_API const char* rg_stepper_name(int index);
RG_API const char* rg_stepper_summary(int index);
RG_API const char* rg_stepper_reference(int index);
RG_API const char* rg_stabilizer_name(int index);
RG_API const char* rg_stabilizer_summary(int index);
RG_API const char* rg_stabilizer_reference(int index);
RG_API const char* rg_cone_option_name(int index); // words of the option "cone"

// Checks every field against the table; the message names the field, its value and the range.
RG_API rgStatus rg_options_check(const rgOptions* options, rgMessage* message);
// Whether stepper, stabilizer, solver and cone go together in a world with or without friction.
// RG_ERROR_UNSUPPORTED with the reason and what would make it run when they do not.
RG_API rgStatus rg_options_combine(const rgOptions* options, bool friction, rgMessage* message);

// -------------------------------------------------------------------------------------------------
// World
// -------------------------------------------------------------------------------------------------

// A world of dimension 2 is the x-y plane: bodies move in it and turn about z, shapes are flat
// (circle, polygon, capsule, segment), densities are per area, and a contact has one direction of
// friction. What would leave the plane is refused; of forces given by callbacks and of inertias
// only the part in the plane counts.
typedef struct rgWorldDef {
  int dimension; // 3 or 2
  rgOptions options;
  rgAllocator allocator;
} rgWorldDef;

// The "default" preset and the C library's heap; in a world of dimension 2 gravity points along -y.
RG_API rgWorldDef rg_world_def(void);
RG_API rgWorldDef rg_world_def_2d(void);
// Makes a world without bodies. On failure *world is NULL and the message says why; `message` may
// be NULL.
RG_API rgStatus rg_world_create(const rgWorldDef* def, rgWorld** world, rgMessage* message);
RG_API void rg_world_destroy(rgWorld* world); // NULL is allowed
// Why the last call that failed did so; "" when none has failed.
RG_API const char* rg_world_message(const rgWorld* world);

RG_API int rg_world_dimension(const rgWorld* world); // 3 or 2
// The present options, and a change of all of them from the next step on. They are checked first,
// and stay unchanged when they are refused. What is set to what it was leaves a run as it is, bit
// for bit, and so does the number of threads.
RG_API const rgOptions* rg_world_options(const rgWorld* world);
RG_API rgStatus rg_world_set_options(rgWorld* world, const rgOptions* options);

// -------------------------------------------------------------------------------------------------
// Materials
// -------------------------------------------------------------------------------------------------

// Two materials combine by one rule: mu, restitution, e_t, e_o and e_tau are the geometric means of
// the two values. A friction direction is taken from the one that has it (when both have one, from
// the shape whose id has the lower index).
typedef struct rgMaterial {
  double mu;          // [-] >= 0
  double restitution; // [-] in [0, 1]
  double e_t, e_o;    // [-] friction along `direction` and across it is mu e_t and mu e_o
  double e_tau;       // [m] torsional friction: largest moment is mu e_tau r_n
  rgVec3 direction;   // body frame; zero length = isotropic
} rgMaterial;

RG_API rgMaterial rg_material_default(void); // mu 0.5, restitution 0, e_t = e_o = 1, e_tau = 0
// Adds a material; `index` (>= 1) is what rgShapeDef.material takes. Material 0 is the world's
// default.
RG_API rgStatus rg_world_add_material(rgWorld* world, const rgMaterial* material, int* index);
// Changes a material, 0 included, for all shapes that have it.
RG_API rgStatus rg_world_set_material(rgWorld* world, int index, const rgMaterial* material);
// What holds between two materials, instead of the combination rule.
RG_API rgStatus rg_world_set_pair_material(rgWorld* world, int index_a, int index_b,
                                           const rgMaterial* pair);

// -------------------------------------------------------------------------------------------------
// Bodies and shapes
// -------------------------------------------------------------------------------------------------

typedef enum rgBodyKind {
  RG_BODY_DYNAMIC,   // moved by forces and contacts
  RG_BODY_STATIC,    // never moves
  RG_BODY_KINEMATIC, // moved along a given motion, or at a velocity that it keeps
  RG_BODY_KIND_COUNT
} rgBodyKind;
RG_API const char* rg_body_kind_name(rgBodyKind kind); // "dynamic", ...; NULL past the end

// Pose of a kinematic body's frame at time t [s]; must be a pure function of its arguments.
typedef rgPose rgMotion(double time, void* context);

// Mass, centre and inertia are computed from the shapes' densities unless `mass` > 0 or
// `inertia_given`.
typedef struct rgBodyDef {
  rgBodyKind kind;
  rgPose pose;      // of the body frame (not of the centre of mass) in the world
  rgTwist velocity; // of the centre of mass
  double mass; // [kg] 0 = from density. Alone: density is scaled so that the total is this mass
  bool inertia_given; // `center` and `inertia` are given too
  rgVec3 center;      // [m] centre of mass, body frame
  rgMat3 inertia;     // [kg m2] about the centre, body axes; in 2D the entry zz alone counts
  bool
      rotation_locked; // a point-like body: moves but never turns; angular velocities are not taken
  // A part of a mechanism that has no mass, held by joints on both sides: it has neither weight, momentum nor
  // energy, and what acts on it is in balance. `mass` and `inertia` then stand in for it in the problem of a
  // step alone, to be small parts of those of its neighbours (docs/limits.md).
  bool massless;
  rgMotion* motion; // kinematic only; NULL = keeps its velocity
  void* motion_context;
  const char* name; // copied; NULL or "" = none. At most 63 bytes are kept
} rgBodyDef;

RG_API rgBodyDef rg_body_def(void); // dynamic, at the origin, at rest
// Adds a body with its shapes in one call; shapes may be added later too, which recomputes the
// mass. Here and for shapes, forces and joints `id` may be NULL.
RG_API rgStatus rg_world_add_body(rgWorld* world, const rgBodyDef* def, const rgShapeDef* shapes,
                                  int shape_count, rgBodyId* id);
// Removes a body together with its shapes, the forces on it and its joints.
RG_API rgStatus rg_world_remove_body(rgWorld* world, rgBodyId id);
// Adds a shape to a body, or takes one away; refused when a dynamic body would be left
// without mass.
RG_API rgStatus rg_world_add_shape(rgWorld* world, rgBodyId body, const rgShapeDef* def,
                                   rgShapeId* id);
RG_API rgStatus rg_world_remove_shape(rgWorld* world, rgShapeId id);

RG_API int rg_world_body_count(const rgWorld* world);
// The index-th living body in the order of the indices of ids, 0 <= index < body_count.
RG_API rgBodyId rg_world_body(const rgWorld* world, int index);
RG_API rgBodyId rg_world_find_body(const rgWorld* world,
                                   const char* name); // generation 0 when there is none

// What is known of a body. Of one that is not there: "", static, at the origin, at rest, no mass.
RG_API bool rg_body_valid(const rgWorld* world, rgBodyId id);
RG_API const char* rg_body_name(const rgWorld* world, rgBodyId id);
RG_API rgBodyKind rg_body_kind(const rgWorld* world, rgBodyId id);
RG_API rgPose rg_body_pose(const rgWorld* world, rgBodyId id);      // of the body frame
RG_API rgVec3 rg_body_center(const rgWorld* world, rgBodyId id);    // [m] centre of mass, world
RG_API rgTwist rg_body_velocity(const rgWorld* world, rgBodyId id); // of the centre of mass
// Whether the last step has left a body asleep (the option `sleeping`): it stays exactly where it is until something
// changes for it.
RG_API bool rg_body_is_asleep(const rgWorld* world, rgBodyId id);
RG_API rgMassProperties rg_body_mass(const rgWorld* world, rgBodyId id); // body frame
// Largest relative error of the volumes of its shapes, of which mass, centre and inertia are made: 0 where all are
// known in closed form (rg_shape_mass_error).
RG_API double rg_body_mass_error(const rgWorld* world, rgBodyId id);
// Places a body frame, and gives a body that is not static a velocity of its centre of mass.
RG_API rgStatus rg_body_set_pose(rgWorld* world, rgBodyId id, rgPose pose);
RG_API rgStatus rg_body_set_velocity(rgWorld* world, rgBodyId id, rgTwist velocity);
// Changes the velocity of a dynamic body by an impulse [N s] at a point [m] of the world, now.
RG_API rgStatus rg_body_apply_impulse(rgWorld* world, rgBodyId id, rgVec3 impulse, rgVec3 point);

// Collisions between two bodies on or off (on by default).
RG_API rgStatus rg_world_set_pair_collision(rgWorld* world, rgBodyId a, rgBodyId b, bool on);

// -------------------------------------------------------------------------------------------------
// Forces
// -------------------------------------------------------------------------------------------------

// Wrench on a body at its centre of mass as a function of time and state.
typedef rgWrench rgForceCallback(double time, rgPose pose, rgTwist velocity, void* context);

// Wrenches on `count` bodies at their centres of mass as a function of time and of the state of all of
// them. `wrenches` has zeros when it is called.
typedef void rgForceSystem(double time, int count, const rgPose* poses, const rgTwist* velocities,
                           rgWrench* wrenches, void* context);
enum { RG_FORCE_BODIES_MAX = 8 };

typedef enum rgForceKind {
  RG_FORCE_CONSTANT,  // `wrench`
  RG_FORCE_TABLE,     // wrench linear in time between the rows, constant outside them
  RG_FORCE_SPRING,    // spring and damper between a point of the body and one of the other
  RG_FORCE_TORSION,   // turns the other back to how the body saw it when the force was added
  RG_FORCE_DRAG,      // against the velocity of the centre and the spin
  RG_FORCE_ATTRACTOR, // towards or away from a point, stronger the nearer, bounded (Cline 2002)
  RG_FORCE_CALLBACK,  // `callback` on `body`, or `system` on all of `bodies`
  RG_FORCE_KIND_COUNT
} rgForceKind;
// Name ("constant", ...) and one sentence; NULL past the end.
RG_API const char* rg_force_kind_name(rgForceKind kind);
RG_API const char* rg_force_kind_summary(rgForceKind kind);

typedef struct rgForceDef {
  rgForceKind kind;
  rgBodyId body;       // attractor: generation 0 = every dynamic body
  rgBodyId other;      // spring, torsion: generation 0 = the ground
  rgWrench wrench;     // constant
  bool body_axes;      // wrench is given in axes that turn with the body
  rgVec3 point;        // [m] where the force acts, body frame; used when at_point is set
  bool at_point;       // otherwise it acts at the centre of mass
  const double* times; // [s] table, path of an attractor: increasing
  const rgWrench* wrenches;
  int row_count;
  // Spring: `point` and `other_point` in the frames of their bodies (of the ground: in the world).
  rgVec3 other_point; // [m]
  double stiffness;   // [N/m], torsion [N m/rad]
  double damping;     // [N s/m], torsion [N m s/rad]
  double rest;        // [m] length of the spring at rest; < 0 = as long as it is when added
  double drag;        // [N s/m] drag: force per velocity
  double spin_drag;   // [N m s/rad] drag: torque per angular velocity
  // Attractor at `center`, or along the points of `path` at `times`: strength / (1 + (d / range)^2)
  // on the centre of mass of each body at the distance d.
  double strength; // [N] > 0 attracts, < 0 repels
  double range;    // [m] where it has fallen to half
  rgVec3 center;   // [m] in the world
  const rgVec3* path;
  rgForceCallback* callback;
  // Instead of `callback`: a force on several dynamic bodies, 2 to RG_FORCE_BODIES_MAX, by the state of
  // all of them. `body` and `other` are not read.
  rgForceSystem* system;
  const rgBodyId* bodies; // copied
  int body_count;
  void* context;
  // Callback: its gradients are found by differences and the step takes it implicitly.
  bool stiff;
} rgForceDef;

RG_API rgForceDef rg_force_def(void); // constant, zero
// Adds a force, which acts until it or its body is removed. Tables and paths are copied.
RG_API rgStatus rg_world_add_force(rgWorld* world, const rgForceDef* def, rgForceId* id);
RG_API rgStatus rg_world_remove_force(rgWorld* world, rgForceId id);
// Moves an attractor and sets its strength [N]: what a mouse does. Ends its path, if it had one.
RG_API rgStatus rg_force_set_attractor(rgWorld* world, rgForceId id, rgVec3 center,
                                       double strength);

// -------------------------------------------------------------------------------------------------
// Stepping and what can be read afterwards
// -------------------------------------------------------------------------------------------------

// Makes one step of options.step [s]. `certificate` may be NULL. RG_OK says that the step was made,
// not that its tolerance was met: certificate->met says that. RG_ERROR_MEMORY leaves the state
// as it was, to the last bit: repeated with memory, the step and all after it are those of a run
// that never lacked any. RG_ERROR_INPUT when a state or the energy is not finite after the step, as
// with a spring that is too stiff for it: the message names the body, and the state is that before
// the step.
RG_API rgStatus rg_world_step(rgWorld* world, rgCertificate* certificate);
// While *cancel is not zero, solves end and steps fail with RG_CANCELLED; poses, velocities and time
// are then those before the step. A signal handler or another thread may set it. NULL: nothing
// cancels. The flag is the caller's and must live as long as the world uses it.
RG_API void rg_world_set_cancel(rgWorld* world, const volatile int* cancel);
// Whether the options go together with what is in the world (rg_options_combine). A step checks
// this after every change of the world.
RG_API rgStatus rg_world_check(rgWorld* world);

RG_API double rg_world_time(const rgWorld* world);   // [s] n h while h is not changed, never a sum
RG_API int64_t rg_world_steps(const rgWorld* world); // made so far
RG_API const rgCertificate* rg_world_certificate(const rgWorld* world); // of the last step

typedef struct rgEnergy {
  double kinetic;   // [J]
  double potential; // [J] of gravity, zero at the world's origin, and of springs
} rgEnergy;
RG_API rgEnergy rg_world_energy(const rgWorld* world);
// Linear momentum [kg m/s], and angular momentum about the origin [kg m2/s].
RG_API rgTwist rg_world_momentum(const rgWorld* world);

// Contacts at the present configuration, with the impulses of the last step: each goes to one contact between
// the same two shapes, that of its feature or the nearest on its side. Where none is left, nothing tells it here, and
// where several of a face or a line slide and turn, they are what the next step starts from, by some percent of
// friction off what acted. load.h lists what acted.
typedef struct rgContact {
  rgBodyId body_a, body_b;
  rgShapeId shape_a, shape_b;
  rgVec3 point;               // [m]
  rgVec3 normal;              // from B to A
  double gap;                 // [m]
  rgVec3 impulse;             // [N s] on A, of the last step
  double torsion;             // [N m s] about the normal, on A
  int material_a, material_b; // rg_world_pair_material says what holds between them
} rgContact;
RG_API int rg_world_contact_count(const rgWorld* world);
RG_API rgStatus rg_world_contact(const rgWorld* world, int index, rgContact* contact);

// The contact problems of the last step, one per island, with the solution found. Valid until the
// next call that changes the world.
RG_API int rg_world_island_count(const rgWorld* world);
RG_API rgStatus rg_world_island(const rgWorld* world, int index, rgProblem* problem,
                                rgSolution* solution, rgCertificate* certificate);
// How the last step's islands were answered.
typedef struct rgStepCounts {
  int islands;   // with at least one contact or row
  int solved;    // by iteration
  int warm;      // whose warm start already met the tolerance
  int not_met;   // that ended above the tolerance
  int pairs;     // of shapes given to the narrow phase
  int asleep;    // bodies that sleep: 0 without the option `sleeping`
  int redundant; // rows of joints that depend on others and carry no impulse, as last found (0:
                 // none found, or nobody looked: the solver direct does, auto where there are
                 // joints only)
  size_t memory; // [bytes] held by the world
} rgStepCounts;
RG_API rgStepCounts rg_world_counts(const rgWorld* world);
// The stepper that made the last step: with "auto" the one that it took. "" before the first step.
RG_API const char* rg_world_stepper(const rgWorld* world);

// -------------------------------------------------------------------------------------------------
// Snapshots: the whole state, bit for bit: time, poses, velocities, impulses, contacts and what is
// remembered of them, settings of joint axes, attractors, and whether an edit since the last step
// makes the next one seek its contacts anew. Steps that follow a restore are those that followed the
// save, whatever the number of threads.
//
// A snapshot goes on in a world with the same bodies, shapes, materials, joints, forces, motions and
// filters, made by the same calls; something that was added and removed again makes no difference.
// Every other world refuses it. Two things are up to the caller: options are not in a snapshot, and
// those of the world that loads it hold; forces given by a callback must be the same.
// -------------------------------------------------------------------------------------------------

// Bytes that a snapshot takes, writing one, and going on from one. A snapshot that is damaged, or
// forged, or of a world built differently is refused and changes nothing. Saving only reads.
RG_API size_t rg_world_save_size(const rgWorld* world);
RG_API rgStatus rg_world_save(const rgWorld* world, void* buffer, size_t size);
RG_API rgStatus rg_world_load(rgWorld* world, const void* buffer, size_t size);
// Hash of the state (poses, velocities, time): equal bits give equal hashes.
RG_API uint64_t rg_world_hash(const rgWorld* world);

#ifdef __cplusplus
}
#endif
#endif
