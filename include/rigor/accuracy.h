// accuracy.h - a run whose step is chosen so that positions stay within a given length of the motion
// that the scene has, with the error of each body as it goes.
//
// The world makes two half steps where a shadow of it makes one: once from the world's own state,
// which tells whether the step has to be cut, and once along a run of its own, whose distance from
// the world's run is the error. docs/accuracy.md has the estimate, what it holds for, and what it
// does not see. The shadow is a second world built by the same calls:
//
//     rgAccuracyDef def = rg_accuracy_def();
//     def.length = 1e-3; // [m]
//     def.end = 2;       // [s]
//     rgAccuracy* accuracy;
//     if (rg_accuracy_create(world, shadow, &def, &accuracy, &message) != RG_OK)
//       return fail(message.text);
//     while (rg_world_time(world) < def.end) {
//       if (rg_accuracy_step(accuracy, NULL) != RG_OK)
//         break; // rg_world_message says why
//       if (rg_accuracy_outgrown(accuracy))
//         rg_accuracy_restart(accuracy); // once more from the start, with shorter steps
//     }
//     printf("within %g m\n", rg_accuracy_report(accuracy).estimate);
//     rg_accuracy_destroy(accuracy); // before the worlds
//
// While there is an rgAccuracy, nobody else may step, edit or load the two worlds or set their options.
#ifndef RIGOR_ACCURACY_H
#define RIGOR_ACCURACY_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgAccuracy rgAccuracy; // opaque

typedef struct rgAccuracyDef {
  double length; // [m] > 0: what the error of positions should stay below
  double end;    // [s] of the run, after the present time of the world
  double effort; // [-] >= 8: most steps of worlds for each options.step of the run, over all passes
} rgAccuracyDef;
// 1 mm, until 1 s, with the effort of the presets.
RG_API rgAccuracyDef rg_accuracy_def(void);

// Both worlds are borrowed. Their options.step is the longest step. RG_ERROR_INPUT with a message
// when a number is out of range or the shadow is not built as the world is.
RG_API rgStatus rg_accuracy_create(rgWorld* world, rgWorld* shadow, const rgAccuracyDef* def,
                                   rgAccuracy** accuracy, rgMessage* message);
// Gives the world back its options.step. NULL is allowed.
RG_API void rg_accuracy_destroy(rgAccuracy* accuracy);

// Advances the world by its original options.step, in as many steps as the error needs; the
// certificate, which may be NULL, is the worst of these (rg_certificate_worst). On failure the
// world is in the last state that was reached, and the call may be repeated.
RG_API rgStatus rg_accuracy_step(rgAccuracy* accuracy, rgCertificate* certificate);
// Whether the error has grown beyond the length, and another pass is worth its work.
RG_API bool rg_accuracy_outgrown(const rgAccuracy* accuracy);
// Goes back to the state in which the run began, for a pass with a tighter tolerance of each step.
RG_API rgStatus rg_accuracy_restart(rgAccuracy* accuracy);

// [m] How far a body may be from where it should be: root mean square over its mass of the distance
// of its points, so that turns count. Never falls within a pass; infinite when it is not known. 0 for
// bodies that are not dynamic, and for unknown ids.
RG_API double rg_accuracy_error(const rgAccuracy* accuracy, rgBodyId body);

typedef struct rgAccuracyReport {
  double estimate;          // [m] largest error of a body so far in this pass
  bool holds;               // the estimate is at most the length
  double held_until;        // [s] last time at which it was
  int passes;               // begun, this one included
  double tolerance;         // [m] of the difference that a step and its two halves may have
  int64_t steps;            // of the world in this pass
  int64_t cut;              // steps that were given up and made shorter, in this pass
  int64_t total_steps;      // of both worlds in all passes, also those that were given up
  double shortest, longest; // [s] steps of the world in this pass; 0 before the first
  bool spent;               // the effort was reached: steps are not cut any more
} rgAccuracyReport;
RG_API rgAccuracyReport rg_accuracy_report(const rgAccuracy* accuracy);

// Snapshots of the whole: the states of both runs and of the start, and what is known of the error.
// As those of worlds (world.h); the one who loads has made an rgAccuracy with the same definition.
// One that is damaged, or of another definition or world, is refused and changes nothing.
RG_API size_t rg_accuracy_save_size(const rgAccuracy* accuracy);
RG_API rgStatus rg_accuracy_save(const rgAccuracy* accuracy, void* buffer, size_t size);
RG_API rgStatus rg_accuracy_load(rgAccuracy* accuracy, const void* buffer, size_t size,
                                 rgMessage* message);
// Whether the bytes begin as such a snapshot does, and not as one of a world.
RG_API bool rg_accuracy_is_snapshot(const void* buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
