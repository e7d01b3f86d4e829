// trajectory.h - recording a run. The file is valid after every flush, so an interrupted run keeps
// its data; a .glb file is written whole when it is closed.
//
// A frame is the state of all bodies at one instant: pose of the body frame, velocity of the centre
// of mass and angular velocity, all in world axes and exact to the bit, with the certificate of the
// step that led to it.
//
//     rgTrajectory* trajectory;
//     rg_trajectory_create("run.h5", world, &trajectory, &message);
//     for (int i = 0; i < 1000; i++) {
//       rg_trajectory_append(trajectory, world, &message);
//       rg_world_step(world, NULL);
//     }
//     rg_trajectory_close(trajectory, &message);
#ifndef RIGOR_TRAJECTORY_H
#define RIGOR_TRAJECTORY_H

#include "accuracy.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgTrajectory rgTrajectory; // opaque

// Opens a file for writing; the format follows from the ending.
//
// .csv: one row for each frame and body: time, step, body, name, px..pz [m], qw..qz, vx..vz [m/s],
// wx..wz [rad/s]. A second file, with ".certificate.csv" instead of ".csv", has one row for each
// frame with the certificate (rg_certificate_field) and the energies.
//
// .h5: the datasets /time, /step, /position [frame, body, 3], /orientation [frame, body, 4],
// /velocity, /angular_velocity, /certificate/... and /energy/..., with their units, and /name, /kind,
// /index, /mass [kg], /center [m] and /inertia [kg m2] (about the centre of mass, body axes) of the bodies. A body that was removed has NaN; bodies must not be added after the file was
// made.
//
// .glb: glTF 2.0 (binary) for programs that show and render scenes: a node for each body with the
// triangles of its shapes, and an animation of poses in single precision; y is up, as that format wants.
// It is written when it is closed, if it has any frame; until then its frames are in memory, 28 bytes
// for each body. It holds the bodies that there were when it was made.
//
// A frame before the first step has tolerance 0 and is met: nothing was asked of it.
// RG_ERROR_UNSUPPORTED for another ending, and for ".h5" in a build without HDF5.
RG_API rgStatus rg_trajectory_create(const char* path, const rgWorld* world,
                                     rgTrajectory** trajectory, rgMessage* message);

// What a file may hold besides bodies and certificates, each a table with rows for every frame. Forces
// are means over the step that led to the frame, in world axes (load.h), and zero before the first.
//
// .csv: a file of its own for each, with ".contacts.csv", ".joints.csv" or ".forces.csv" instead of
// ".csv"; vectors have three columns, and bodies and joints their names.
//
// .h5: a group for each. Its dataset `count` has the rows of each frame; all others have the rows of
// all frames, one after the other. Bodies and joints are named by the index in their ids, -1 being the
// ground: /index and /joint_index say which these are of the bodies in /name and of the joints in
// /joint_name.
//
// contacts: body_a, body_b, shape_a, shape_b, point [m], normal (from B to A), gap at the start of the
// step [m], force on A [N], torsion on A about the normal [N m], arm_a and arm_b from the centres of
// mass [m].
// joints: a row for each free axis, and one with the axis -1 for a joint without any: joint, body_a,
// body_b, axis, coordinate, rate, force (by all that acts along the axis), drive (of that, by motor,
// servo and effort), reaction (force on B, the opposite on A, of the whole joint) [N], moment_a and
// moment_b about the centres of mass of A and B [N m].
// forces: a row for each body: its mass, 0 where it is not dynamic [kg], applied_force and
// applied_torque, of gravity and of the forces of the world [N] [N m], and the correction of its
// velocity [m/s] (load.h).
//
// Sensors (sensor.h) are not a table: ".sensors.csv" has one row for each frame, with the columns time,
// step and "NAME.VALUE" of every value; an .h5 file has the group /sensors with a dataset [frame, value]
// for each sensor, named after it, and the attributes `unit`, `values` and `kind`. A sensor without a
// name is called "sensor" and its number; a slash in a name becomes "_". What is not known is NaN.
// Sensors must not be added after the file was made.
typedef enum rgRecordKind {
  RG_RECORD_BODIES = 1, // always recorded
  RG_RECORD_CONTACTS = 2,
  RG_RECORD_JOINTS = 4,
  RG_RECORD_FORCES = 8,
  RG_RECORD_SENSORS = 16
} rgRecordKind;
// Names ("bodies", ...), a line about each and their values; NULL and RG_RECORD_BODIES past the end.
RG_API const char* rg_trajectory_record_name(int index);
RG_API const char* rg_trajectory_record_summary(int index);
RG_API rgRecordKind rg_trajectory_record_kind(int index);
// rg_trajectory_create for the sum of some kinds. RG_ERROR_UNSUPPORTED for contacts, joints and forces
// of the steppers gauss and halving, which do not know them, and for sensors of a world without any.
RG_API rgStatus rg_trajectory_create_of(const char* path, const rgWorld* world, unsigned kinds,
                                        rgTrajectory** trajectory, rgMessage* message);
// Keeps the text of the scene with the run, so that 'rigor view' can show the run later: in the
// dataset /scene of an .h5 file, or beside a .csv file in a third one, with ".scene.json" instead
// of ".csv". Call it once, before the first frame.
RG_API rgStatus rg_trajectory_keep_scene(rgTrajectory* trajectory, const char* text,
                                         rgMessage* message);
// From the first frame on, writes with each body the error that it may have (rg_accuracy_error): in
// the last column, `error`, of a .csv file, or in the dataset /error [frame, body, 1] of an .h5 file.
// Call it once, before the first frame. The accuracy is borrowed and must outlive the trajectory.
RG_API rgStatus rg_trajectory_keep_errors(rgTrajectory* trajectory, const rgAccuracy* accuracy,
                                          rgMessage* message);
// Appends the present state of the world as a frame, with the certificate of its last step.
RG_API rgStatus rg_trajectory_append(rgTrajectory* trajectory, const rgWorld* world,
                                     rgMessage* message);
// Writes everything appended so far; the file is then complete and can be read.
RG_API rgStatus rg_trajectory_flush(rgTrajectory* trajectory, rgMessage* message);
// Flushes, closes and frees the trajectory; it is freed also when the flush fails. NULL is allowed.
RG_API rgStatus rg_trajectory_close(rgTrajectory* trajectory, rgMessage* message);
// The endings that this build can write, such as ".csv", and a line about each; NULL past the end.
RG_API const char* rg_trajectory_format(int index);
RG_API const char* rg_trajectory_summary(int index);

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

// A contact that acted in the step before a frame: what is read of the table `contacts`.
typedef struct rgRecordedContact {
  int body_a, body_b;   // places of bodies in a frame
  rgVec3 point, normal; // [m], from B to A
  double gap;           // [m]
  rgVec3 force;         // [N] on A
} rgRecordedContact;

// What was measured in a frame: its energies, and parts of the certificate of the step before it.
typedef struct rgRecordedMeasure {
  double kinetic, potential; // [J]
  double change;             // [J] rgCertificate.energy: of the step, without work from outside
  double residual;           // [-]
  int64_t contacts;          // in the problem of the step
} rgRecordedMeasure;

// Where bodies were in a recorded run. The body `b` of the frame `f` has the index f * body_count +
// b in the arrays of poses.
typedef struct rgRecording {
  int frame_count, body_count;
  const double* time;        // [s] of each frame
  const int64_t* step;       // of each frame
  const rgVec3* position;    // [m] of body frames; NaN when the body was removed
  const rgQuat* orientation; // likewise
  const char* scene;         // the text of its scene; NULL when the file has none
  // Contacts of frame f: contacts[contact_start[f]] to contacts[contact_start[f + 1] - 1]. NULL when
  // none were recorded.
  const int64_t* contact_start; // frame_count + 1
  const rgRecordedContact* contacts;
  const rgRecordedMeasure* measures; // of each frame; NULL when the file has none
} rgRecording;
// Reads the poses, the contacts and what was measured of an .h5 file that rg_trajectory_create made (a .csv file is text that any
// program reads). On failure *recording is NULL and the message begins with the path;
// RG_ERROR_UNSUPPORTED for another ending and in a build without HDF5.
RG_API rgStatus rg_recording_read(const char* path, rgRecording** recording, rgMessage* message);
RG_API void rg_recording_free(rgRecording* recording); // NULL is allowed
// Writes the poses of a recorded run as glTF, to a path that ends in ".glb" (rg_trajectory_create). The
// world is that of its scene: it says what the bodies look like. RG_ERROR_INPUT when it has another
// number of bodies, or the run no frame.
RG_API rgStatus rg_recording_export(const rgRecording* recording, const rgWorld* world,
                                    const char* path, rgMessage* message);

#ifdef __cplusplus
}
#endif
#endif
