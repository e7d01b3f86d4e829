// ensemble.h - many runs of one scene: numbers of the scene that vary, random numbers that depend
// on the seed and the run alone, and intervals of confidence of what the runs give.
//
// A thousand runs with another friction each, and the mean of a height with its interval:
//
//     const char* paths[] = {"materials.wood.mu"};
//     rgSceneTemplate* template;
//     rg_scene_template_read("tower.json", paths, 1, &template, &message);
//     rgMoments moments = {0};
//     for (uint64_t run = 0; run < 1000; run++) {
//       double mu = 0.3 + 0.4 * rg_draw_unit(seed, run, 0);
//       rgScene* scene;
//       if (rg_scene_template_make(template, &mu, &scene, &message) == RG_OK)
//         rg_moments_add(&moments, height_of(scene));
//       rg_scene_free(scene);
//     }
//     rgInterval mean = rg_moments_interval(&moments, 0.95);
//     rg_scene_template_free(template);
//
// Everything here gives the same bits on every machine.
#ifndef RIGOR_ENSEMBLE_H
#define RIGOR_ENSEMBLE_H

#include "scene.h"
#include "vec.h"

#ifdef __cplusplus
extern "C" {
#endif

// -------------------------------------------------------------------------------------------------
// Scenes with numbers that vary
// -------------------------------------------------------------------------------------------------

typedef struct rgSceneTemplate rgSceneTemplate; // opaque

// Reads a scene file and finds `count` numbers in it by their paths: keys and indices with points
// between them, "bodies.2.velocity.0". Elements of lists of objects may also be given by their
// names, components of vectors by their letters ("bodies.ball.velocity.x"), and indices in brackets
// as messages show them ("bodies[2].mass"). A key that the file leaves out is added with its
// default. A model file (MJCF, URDF) is taken as the scene that is made of it. On failure *out is
// NULL and the message begins with file, line and column.
RG_API rgStatus rg_scene_template_read(const char* path, const char* const* paths, int count,
                                       rgSceneTemplate** out, rgMessage* message);
RG_API void rg_scene_template_free(rgSceneTemplate* scene_template); // NULL is allowed
// The number at a path as the file has it; 0 <= index < count.
RG_API double rg_scene_template_value(const rgSceneTemplate* scene_template, int index);
// Hash of the file and of the paths.
RG_API uint64_t rg_scene_template_hash(const rgSceneTemplate* scene_template);
// The scene with `values`, one for each path, checked as every scene is. Several threads may make
// scenes of one template at the same time.
RG_API rgStatus rg_scene_template_make(const rgSceneTemplate* scene_template, const double* values,
                                       rgScene** scene, rgMessage* message);

// -------------------------------------------------------------------------------------------------
// Random numbers by counter: a function of the seed, the run and the number of the draw in it, and
// of nothing else, so that runs may be made in any order and on any machine.
// Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011).
// -------------------------------------------------------------------------------------------------

RG_API double rg_draw_unit(uint64_t seed, uint64_t run, uint32_t draw);   // uniform in [0, 1)
RG_API double rg_draw_normal(uint64_t seed, uint64_t run, uint32_t draw); // mean 0, deviation 1
// Uniform over all rotations; uses the draws `draw` to `draw` + 2.
RG_API rgQuat rg_draw_rotation(uint64_t seed, uint64_t run, uint32_t draw);

// -------------------------------------------------------------------------------------------------
// Intervals of confidence
// -------------------------------------------------------------------------------------------------

typedef struct rgInterval {
  double lower, upper;
} rgInterval;

// Count, mean and sum of squared deviations of numbers that come one after the other (Welford
// 1962). Begins as zeros.
typedef struct rgMoments {
  int64_t count;
  double mean, squares, least, largest;
} rgMoments;
RG_API void rg_moments_add(rgMoments* moments, double value);
// Standard deviation of the numbers; 0 for fewer than two.
RG_API double rg_moments_deviation(const rgMoments* moments);
// Interval of the mean after Student (1908); infinite for fewer than two numbers.
RG_API rgInterval rg_moments_interval(const rgMoments* moments, double confidence);

// Interval of a share after Wilson (1927): `hits` of `count`. The whole of [0, 1] for count 0.
RG_API rgInterval rg_share_interval(int64_t hits, int64_t count, double confidence);

// Quantiles of the standard normal distribution, and of Student's with `freedom` > 0 degrees of
// freedom; 0 < probability < 1.
RG_API double rg_quantile_normal(double probability);
RG_API double rg_quantile_student(double probability, double freedom);

// -------------------------------------------------------------------------------------------------
// Tables of runs
// -------------------------------------------------------------------------------------------------

typedef struct rgRunTable {
  const char* about; // one line on what the runs are
  int64_t run_count;
  const int64_t* runs;         // number of each
  const char* const* outcomes; // word of each
  int column_count;
  const char* const* names; // of the columns; unique, without "/"
  const char* const* units;
  const double* values; // run by run, column_count each
} rgRunTable;
// Writes the table as an HDF5 file: the datasets /run, /outcome and one for each column with its unit,
// and the attribute `about`. Equal tables give equal bytes. RG_ERROR_UNSUPPORTED in a build without
// HDF5.
RG_API rgStatus rg_runs_write_h5(const char* path, const rgRunTable* table, rgMessage* message);

#ifdef __cplusplus
}
#endif
#endif
