// sensor.h - sensors: named numbers that a world measures in every step.
//
//     rgSensorDef def = rg_sensor_def(RG_SENSOR_ACCELEROMETER);
//     def.body = trunk;
//     def.frame.position.z = 0.1; // [m] where it sits on the body
//     def.name = "imu";
//     int imu;
//     rg_world_add_sensor(world, &def, &imu);
//     rg_world_step(world, NULL);
//     const double* a = rg_world_sensor_values(world) + rg_world_sensor(world, imu).value_start;
//     printf("%g m/s2 upwards\n", a[2]); // 9.81 where the trunk is at rest
//
// The values are those of the end of the last step that was made. Kinds of two sorts:
//
//   - of the state (position, velocity, gyro, range, ...): where bodies are and how they move at the
//     end of the step. rg_world_measure measures them once more, after poses or velocities were set;
//   - of the step (forces, accelerometer): means over the step, like load.h. Before the first step, where
//     a step did not keep its loads (steppers gauss and halving), and where the body or joint was
//     removed, they are NAN: not known.
//
// A value is a function of the state and of the last step alone, the same bits everywhere. Snapshots
// hold the values: after rg_world_load they are those at the time of rg_world_save, and the steps that
// follow give those that followed the save. A snapshot goes on in a world with as many values.
//
// Frames. A sensor on a body sits at `frame`, a pose in the frame of the body. What is said to be in
// sensor axes has the axes of that frame; of a mean over the step, their orientation half-way through it.
// An accelerometer measures proper acceleration, dv/dt - g of its place: +g upwards at rest, zero in free
// fall. Forces are what the others do to the body that is named, or what A does to B through a joint.
#ifndef RIGOR_SENSOR_H
#define RIGOR_SENSOR_H

#include "joint.h"

#ifdef __cplusplus
extern "C" {
#endif

// The kinds of sensors, one line each: X(NAME, name, "word") stands for the value RG_SENSOR_NAME, the
// word of scenes, and the descriptor rg_sensor_info_name in src/sensor.
#define RG_SENSOR_KINDS(X)                                                                         \
  X(POSITION, position, "position")                /* of the sensor, world axes [m] */             \
  X(ORIENTATION, orientation, "orientation")       /* of the sensor, w x y z */                    \
  X(VELOCITY, velocity, "velocity")                /* of the sensor, world axes [m/s] */           \
  X(VELOCIMETER, velocimeter, "velocimeter")       /* the same, sensor axes [m/s] */               \
  X(GYRO, gyro, "gyro")                            /* angular velocity, sensor axes [rad/s] */     \
  X(ACCELEROMETER, accelerometer, "accelerometer") /* proper, mean, sensor axes [m/s2] */          \
  X(RANGE, range, "range")                         /* [m] along its z, in 2D along its x */        \
  X(CONTACT_FORCE, contact_force, "contact-force") /* on the body, mean, world axes [N] */         \
  X(TOUCH, touch, "touch")                         /* sum of normal forces on it, mean [N] */      \
  X(JOINT_COORDINATE, joint_coordinate, "joint-coordinate") /* of its free axes [m] or [rad] */    \
  X(JOINT_RATE, joint_rate, "joint-rate")                   /* of them [m/s] or [rad/s] */         \
  X(JOINT_FORCE, joint_force, "joint-force")    /* on B along them, mean [N] or [N m] */           \
  X(FORCE_TORQUE, force_torque, "force-torque") /* on B through a joint, mean, sensor axes */      \
  /* new kinds go above this line */

typedef enum rgSensorKind {
#define RG_SENSOR_VALUE(NAME, name, word) RG_SENSOR_##NAME,
  RG_SENSOR_KINDS(RG_SENSOR_VALUE)
#undef RG_SENSOR_VALUE
      RG_SENSOR_KIND_COUNT
} rgSensorKind;
// "position", ...; one sentence. NULL past the end.
RG_API const char* rg_sensor_kind_name(rgSensorKind kind);
RG_API const char* rg_sensor_kind_summary(rgSensorKind kind);

enum { RG_SENSOR_VALUES_MAX = 6 }; // of one sensor

typedef struct rgSensorDef {
  rgSensorKind kind;
  rgBodyId body;   // all kinds but those of joints
  rgBodyId other;  // contact-force, touch: by this body alone; generation 0 = by all
  rgJointId joint; // joint-coordinate, joint-rate, joint-force, force-torque
  // Where it sits in the frame of the body; force-torque: in the frame of the joint on B.
  rgPose frame;
  double length;    // [m] > 0 range: what is farther gives INFINITY; HUGE_VAL by default
  const char* name; // copied; unique. NULL or "" = none. At most 63 bytes are kept
} rgSensorDef;

RG_API rgSensorDef rg_sensor_def(rgSensorKind kind);

// Adds a sensor, which lasts as long as the world; `index` may be NULL.
RG_API rgStatus rg_world_add_sensor(rgWorld* world, const rgSensorDef* def, int* index);
RG_API int rg_world_sensor_count(const rgWorld* world);
RG_API int rg_world_find_sensor(const rgWorld* world, const char* name); // -1 when there is none

typedef struct rgSensorView {
  rgSensorDef def;              // with the name that is kept
  int value_start, value_count; // its values among those of the world
} rgSensorView;
// What is known of a sensor; past the end without values.
RG_API rgSensorView rg_world_sensor(const rgWorld* world, int index);
// Name ("x", "force_z", "turn") and unit ("m", "N m", "" for pure numbers) of a value of a sensor; ""
// past the end.
RG_API const char* rg_sensor_value_name(const rgWorld* world, int sensor, int value);
RG_API const char* rg_sensor_value_unit(const rgWorld* world, int sensor, int value);

// The values of all sensors, one after the other. The array stays where it is until a sensor is added.
RG_API int rg_world_sensor_value_count(const rgWorld* world);
RG_API const double* rg_world_sensor_values(const rgWorld* world); // NULL when there are none
// Measures those that are of the state alone where the bodies are now.
RG_API void rg_world_measure(rgWorld* world);

#ifdef __cplusplus
}
#endif
#endif
