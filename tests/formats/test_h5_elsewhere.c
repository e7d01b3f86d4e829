// An HDF5 file can say that its numbers lie in another file: by a link, by raw data of another file, or
// by a dataset put together from others. A file from a stranger could so show what only its reader may
// see, wait for a pipe, or have a solution written into a file that nobody has named. Whatever is not
// in the file itself is refused, and what is written goes into that file.
#include "support/problem_files.h"
#include "test.h"

#include <rigor/scene.h>
#include <rigor/trajectory.h>

#include <sys/stat.h>

#if defined(RIGOR_HDF5) && __has_include(<hdf5/serial/hdf5.h>)
#include <hdf5/serial/hdf5.h>
#define WRITE_HDF5 1
#elif defined(RIGOR_HDF5) && __has_include(<hdf5.h>)
#include <hdf5.h>
#define WRITE_HDF5 1
#endif

#ifdef WRITE_HDF5

enum { FRAMES = 3 };

// A run of one ball.
static void record(const char* path) {
  static const char text[] = "{\"rigor\": 1, \"bodies\": [{\"position\": [0.1, 0.2, 0.5], "
                             "\"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.1}]}]}";
  rgMessage message = {""};
  rgScene* scene;
  rgWorld* world;
  rgTrajectory* trajectory;
  REQUIRE_INT(rg_scene_parse(text, strlen(text), "s.json", &scene, &message), RG_OK);
  REQUIRE_INT(rg_scene_build(scene, NULL, &world, &message), RG_OK);
  REQUIRE_INT(rg_trajectory_create(path, world, &trajectory, &message), RG_OK);
  REQUIRE_INT(rg_trajectory_keep_scene(trajectory, text, &message), RG_OK);
  for (int i = 0; i < FRAMES; i++) {
    CHECK_INT(rg_trajectory_append(trajectory, world, NULL), RG_OK);
    CHECK_INT(rg_world_step(world, NULL), RG_OK);
  }
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  rg_world_destroy(world);
  rg_scene_free(scene);
}

static hid_t open_file(const char* path) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(file >= 0);
  return file;
}

// --- ways out of a file -----------------------------------------------------------------------------

// Each puts something else in the place of a dataset: what leads to the dataset of that name in
// `other`, or to that file's bytes.
static void link_out(hid_t file, const char* name, const char* other) {
  CHECK(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  CHECK(H5Lcreate_external(other, name, file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

// A link within the file may lead to one that leaves it.
static void link_twice(hid_t file, const char* name, const char* other) {
  CHECK(H5Lcreate_external(other, name, file, "away", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  CHECK(H5Lcreate_soft("/away", file, name, H5P_DEFAULT, H5P_DEFAULT) >= 0);
}

// Makes the dataset anew, with the same type and size and other properties.
static void make_anew(hid_t file, const char* name, hid_t layout) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  hsize_t sizes[3] = {1, 1, 1};
  int rank = H5Sget_simple_extent_dims(space, sizes, NULL);
  hid_t fixed = H5Screate_simple(rank, sizes, NULL);
  H5Dclose(dataset);
  CHECK(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
  dataset =
      H5Dcreate2(file, name, type, rank > 0 ? fixed : space, H5P_DEFAULT, layout, H5P_DEFAULT);
  CHECK(dataset >= 0);
  H5Dclose(dataset);
  H5Sclose(fixed);
  H5Sclose(space);
  H5Tclose(type);
  H5Pclose(layout);
}

static void store_out(hid_t file, const char* name, const char* other) {
  hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  CHECK(H5Pset_external(layout, other, 0, H5F_UNLIMITED) >= 0);
  make_anew(file, name, layout);
}

static void gather(hid_t file, const char* name, const char* other) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
  CHECK(H5Pset_virtual(layout, space, other, name, space) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
  make_anew(file, name, layout);
}

static const struct {
  const char* name;
  void (*leave)(hid_t file, const char* name, const char* other);
} ways[] = {{"a link", link_out},
            {"two links", link_twice},
            {"raw data", store_out},
            {"a virtual dataset", gather}};
enum { WAYS = sizeof ways / sizeof *ways };

// --- trajectories -----------------------------------------------------------------------------------

static void check_refused(const char* path, const char* name) {
  rgRecording* recording;
  rgMessage message = {""};
  CHECK_INT(rg_recording_read(path, &recording, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, name);
  CHECK_CONTAINS(message.text, "must be in the file itself");
  CHECK(recording == NULL);
}

TEST(trajectories_that_lead_to_other_files_are_refused) {
  static const char* const datasets[] = {"time", "step", "position", "orientation", "scene"};
  const char *path = test_temporary("leads.h5"), *other = test_temporary("other.h5");
  record(other);
  for (int way = 0; way < WAYS; way++)
    for (int i = 0; i < 5; i++) {
      if (i == 4 && ways[way].leave == gather)
        continue; // one text is not a part of a larger dataset
      CONTEXT("%s for %s", ways[way].name, datasets[i]);
      record(path);
      hid_t file = open_file(path);
      ways[way].leave(file, datasets[i], other);
      H5Fclose(file);
      check_refused(path, datasets[i]);
    }
  remove(path);
  remove(other);
}

// Nobody waits for what a pipe may bring.
TEST(a_trajectory_that_leads_to_a_pipe_does_not_hang) {
  const char *path = test_temporary("waits.h5"), *pipe = test_temporary("pipe");
  REQUIRE(mkfifo(pipe, 0600) == 0);
  record(path);
  hid_t file = open_file(path);
  store_out(file, "position", pipe);
  H5Fclose(file);
  check_refused(path, "position");
  remove(path);
  remove(pipe);
}

// --- problems ---------------------------------------------------------------------------------------

static void write_problem(const char* path) {
  rgProblem* bodies = sample_problem();
  rgMessage message = {""};
  REQUIRE_INT(rg_problem_write_as(bodies, RG_PROBLEM_FCLIB, path, &message), RG_OK);
  free_problem(bodies);
}

TEST(problems_that_lead_to_other_files_are_refused) {
  static const char* const datasets[] = {"fclib_local/vectors/q", "fclib_local/vectors/mu"};
  const char *path = test_temporary("leads.hdf5"), *other = test_temporary("other.hdf5");
  write_problem(other);
  for (int way = 0; way < WAYS; way++)
    for (int i = 0; i < 2; i++) {
      CONTEXT("%s for %s", ways[way].name, datasets[i]);
      write_problem(path);
      hid_t file = open_file(path);
      ways[way].leave(file, datasets[i], other);
      H5Fclose(file);
      rgProblem* problem;
      rgMessage message = {""};
      CHECK_INT(rg_problem_read(path, NULL, &problem, &message), RG_ERROR_INPUT);
      CHECK_CONTAINS(message.text, "must be in the file itself");
      CHECK(problem == NULL);
    }
  write_problem(path);
  hid_t file = open_file(path);
  link_out(file, "fclib_local", other);
  H5Fclose(file);
  rgProblem* problem;
  CHECK_INT(rg_problem_read(path, NULL, &problem, NULL), RG_ERROR_INPUT);
  remove(path);
  remove(other);
}

// Puts datasets of a solution into a file that leads to `other`, whose bytes must stay.
static void solve_into(const char* path, const rgProblem* problem) {
  double v[16], r[16];
  for (int i = 0; i < 16; i++)
    r[i] = i % 4 < 3 ? 0.125 * (1 + i) : 0;
  rgSolution solution = {v, r, NULL};
  rg_problem_velocity(problem, &solution);
  rgMessage message = {""};
  rgStatus status = rg_problem_write_solution(path, problem, &solution, &message);
  CHECK_MSG(status == RG_OK, "%s", message.text);
}

static size_t read_all(const char* path, unsigned char* bytes, size_t capacity) {
  FILE* file = fopen(path, "rb");
  REQUIRE(file != NULL);
  size_t size = fread(bytes, 1, capacity, file);
  fclose(file);
  return size;
}

TEST(solutions_go_into_no_other_file) {
  static unsigned char before[1 << 20], after[1 << 20];
  const char *path = test_temporary("solved.hdf5"), *other = test_temporary("victim.hdf5");
  write_problem(other);
  rgProblem* problem = read_problem(other);
  solve_into(other, problem);
  for (int i = 0; i < 16; i++) { // another solution would be seen
    static const char* const places[] = {"solution", "solution/u", "solution/r"};
    if (i / 3 >= WAYS || (i % 3 == 0 && i / 3 >= 2)) // only links lead to groups
      continue;
    CONTEXT("%s for %s", ways[i / 3].name, places[i % 3]);
    write_problem(other);
    write_problem(path);
    solve_into(path, problem);
    hid_t file = open_file(path);
    ways[i / 3].leave(file, places[i % 3], other);
    H5Fclose(file);
    size_t size = read_all(other, before, sizeof before);
    solve_into(path, problem);
    CHECK_INT((long long)read_all(other, after, sizeof after), (long long)size);
    CHECK(memcmp(before, after, size) == 0);
  }
  free_problem(problem);
  remove(path);
  remove(other);
}

#else

TEST(files_that_lead_to_other_files) { SKIP("this build has no HDF5"); }

#endif
