// Trajectories: the files hold the states to the bit, are whole after every flush, and failures
// name the path.
#include "test.h"

#include <rigor/load.h>
#include <rigor/scene.h>
#include <rigor/trajectory.h>

#include <signal.h>
#include <sys/resource.h>

#if defined(RIGOR_HDF5) && __has_include(<hdf5/serial/hdf5.h>)
#include <hdf5/serial/hdf5.h>
#define READ_HDF5 1
#elif defined(RIGOR_HDF5) && __has_include(<hdf5.h>)
#include <hdf5.h>
#define READ_HDF5 1
#else
#define READ_HDF5 0
#endif

static const char scene_text[] =
    "{\"rigor\": 1, \"bodies\": [{\"name\": \"floor\", \"kind\": \"static\", \"shapes\": "
    "[{\"shape\": \"halfspace\"}]},\n"
    "{\"name\": \"one, \\\"two\\\"\", \"position\": [0.1, 0.2, 0.5], \"velocity\": [1, 0.3, 0], "
    "\"angular_velocity\": "
    "[0.1, 0.2, 0.3],\n\"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.1}]},\n"
    "{\"position\": [3, 0, 0.1], \"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.1}]}]}";

enum { BODIES = 3, FRAMES = 5, LINE = 2048 };

typedef struct Run {
  rgScene* scene;
  rgWorld* world;
} Run;

static Run start(void) {
  Run run;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(scene_text, strlen(scene_text), "s.json", &run.scene, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  status = rg_scene_build(run.scene, NULL, &run.world, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return run;
}

static void finish(Run* run) {
  rg_world_destroy(run->world);
  rg_scene_free(run->scene);
}

// The 13 numbers of a body.
static void get_state(const rgWorld* world, int body, double* s) {
  rgPose pose = rg_body_pose(world, rg_world_body(world, body));
  rgTwist twist = rg_body_velocity(world, rg_world_body(world, body));
  const rgVec3 p = pose.position, v = twist.linear, w = twist.angular;
  const rgQuat q = pose.orientation;
  const double values[13] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z};
  memcpy(s, values, sizeof values);
}

static rgTrajectory* create(const char* path, const rgWorld* world) {
  rgTrajectory* trajectory = NULL;
  rgMessage message = {""};
  rgStatus status = rg_trajectory_create(path, world, &trajectory, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return trajectory;
}

static int read_lines(const char* path, char lines[][LINE], int room) {
  FILE* file = fopen(path, "rb");
  REQUIRE(file != NULL);
  int count = 0;
  while (count < room && fgets(lines[count], LINE, file)) {
    size_t length = strlen(lines[count]);
    CHECK(length > 0 && lines[count][length - 1] == '\n'); // no half row
    count++;
  }
  fclose(file);
  return count;
}

// A row whose `skip` first values are already known: the numbers after them.
static void check_row(const char* row, const char* head, const double* values, int count) {
  CONTEXT("%s", row);
  REQUIRE(strncmp(row, head, strlen(head)) == 0);
  const char* at = row + strlen(head);
  for (int i = 0; i < count; i++) {
    char* end;
    CHECK_BITS(strtod(at, &end), values[i]);
    CHECK(*end == (i + 1 < count ? ',' : '\n'));
    at = end + 1;
  }
}

TEST(csv_holds_every_state_to_the_bit) {
  Run run = start();
  const char* path = test_temporary("t.csv");
  rgTrajectory* trajectory = create(path, run.world);
  static const char* const names[BODIES] = {"floor", "\"one, \"\"two\"\"\"", ""};
  char lines[64][LINE];
  for (int frame = 0; frame < FRAMES; frame++) {
    CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
    CHECK_INT(rg_trajectory_flush(trajectory, NULL), RG_OK);
    // The file is whole although it is still open.
    REQUIRE_INT(read_lines(path, lines, 64), 1 + (frame + 1) * BODIES);
    CHECK_STR(lines[0], "time,step,body,name,px,py,pz,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n");
    for (int i = 0; i < BODIES; i++) {
      double state[13];
      char head[256];
      get_state(run.world, i, state);
      snprintf(head, sizeof head, "%.17g,%d,%d,%s,", rg_world_time(run.world), frame, i, names[i]);
      check_row(lines[1 + frame * BODIES + i], head, state, 13);
    }
    CHECK_INT(rg_world_step(run.world, NULL), RG_OK);
  }
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  remove(path);
  char certificate[1024];
  snprintf(certificate, sizeof certificate, "%.*s.certificate.csv", (int)strlen(path) - 4, path);
  CHECK_INT(read_lines(certificate, lines, 64), 1 + FRAMES);
  CHECK_STR(
      lines[0],
      "time,step,signorini,coulomb,joint,dynamics,scale,residual,tolerance,met,"
      "penetration,joint_error,energy,energy_contacts,energy_joints,energy_integration,"
      "energy_projection,iterations,sweeps,factorizations,contacts,"
      "suiting_asked,suiting_reached,suiting_missed,impacts_asked,impacts_reached,impacts_missed,"
      "rounds_asked,rounds_reached,rounds_missed,"
      "plain_asked,plain_reached,plain_missed,"
      "closing_asked,closing_reached,closing_missed,"
      "passing_asked,passing_reached,passing_missed,gap_asked,gap_reached,gap_missed,"
      "alignment_asked,alignment_reached,alignment_missed,"
      "ringing_asked,ringing_reached,ringing_missed,"
      "projection_asked,projection_reached,projection_missed,"
      "energy_asked,energy_reached,energy_missed,"
      "energy_kinetic,energy_potential\n");
  remove(certificate);
  finish(&run);
}

TEST(csv_certificates_are_those_of_the_steps) {
  Run run = start();
  const char* path = test_temporary("c.csv");
  rgTrajectory* trajectory = create(path, run.world);
  rgCertificate c;
  CHECK_INT(rg_world_step(run.world, &c), RG_OK);
  CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  remove(path);
  char certificate[1024], lines[4][LINE];
  snprintf(certificate, sizeof certificate, "%.*s.certificate.csv", (int)strlen(path) - 4, path);
  REQUIRE_INT(read_lines(certificate, lines, 4), 2);
  remove(certificate);
  rgEnergy energy = rg_world_energy(run.world);
  double values[64] = {rg_world_time(run.world),
                       1,
                       c.signorini,
                       c.coulomb,
                       c.joint,
                       c.dynamics,
                       c.scale,
                       c.residual,
                       c.tolerance,
                       c.met,
                       c.penetration,
                       c.joint_error,
                       c.energy,
                       c.energy_contacts,
                       c.energy_joints,
                       c.energy_integration,
                       c.energy_projection,
                       c.iterations,
                       c.sweeps,
                       c.factorizations,
                       c.contacts};
  int count = 21;
  for (int i = 0; i < RG_STAGE_COUNT; i++) {
    values[count++] = c.stages[i].asked;
    values[count++] = c.stages[i].reached;
    values[count++] = c.stages[i].missed;
  }
  values[count++] = energy.kinetic;
  values[count++] = energy.potential;
  CHECK(c.contacts > 0);
  check_row(lines[1], "", values, count);
  finish(&run);
}

// Nothing was asked of a frame before the first step, so that all(met) judges the steps.
TEST(the_frame_of_the_start_is_met_with_no_tolerance) {
  Run run = start();
  const char* path = test_temporary("s.csv");
  rgTrajectory* trajectory = create(path, run.world);
  CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  remove(path);
  char certificate[1024], lines[4][LINE];
  snprintf(certificate, sizeof certificate, "%.*s.certificate.csv", (int)strlen(path) - 4, path);
  REQUIRE_INT(read_lines(certificate, lines, 4), 2);
  remove(certificate);
  CHECK(strncmp(lines[1], "0,0,0,0,0,0,0,0,0,1,", 20) == 0);
  finish(&run);
}

TEST(bodies_may_come_and_go_in_csv) {
  Run run = start();
  const char* path = test_temporary("g.csv");
  rgTrajectory* trajectory = create(path, run.world);
  CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
  CHECK_INT(rg_world_remove_body(run.world, rg_world_body(run.world, 1)), RG_OK);
  CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  char lines[16][LINE], certificate[1024];
  CHECK_INT(read_lines(path, lines, 16), 1 + 3 + 2);
  remove(path);
  snprintf(certificate, sizeof certificate, "%.*s.certificate.csv", (int)strlen(path) - 4, path);
  remove(certificate);
  finish(&run);
}

// A value of a row, and whether the header has it there.
static double value_at(char lines[][LINE], int row, const char* column) {
  char head[LINE], body[LINE];
  snprintf(head, sizeof head, "%s", lines[0]);
  snprintf(body, sizeof body, "%s", lines[row]);
  char *name = head, *value = body;
  while (name && value) {
    char *next = strchr(name, ','), *after = strchr(value, ',');
    if (next)
      *next++ = '\0';
    if (after)
      *after++ = '\0';
    name[strcspn(name, "\n")] = '\0';
    if (strcmp(name, column) == 0)
      return atof(value);
    name = next;
    value = after;
  }
  CHECK_MSG(false, "there is no column %s", column);
  return NAN;
}

static void beside(const char* path, const char* ending, char* name, size_t size) {
  snprintf(name, size, "%.*s%s", (int)strlen(path) - 4, path, ending);
}

// A ball at rest on the floor: the contact carries its weight.
TEST(csv_tables_hold_what_acted) {
  Run run = start();
  const char* path = test_temporary("k.csv");
  rgTrajectory* trajectory = NULL;
  unsigned kinds = RG_RECORD_CONTACTS | RG_RECORD_JOINTS | RG_RECORD_FORCES;
  CHECK_INT(rg_trajectory_create_of(path, run.world, kinds, &trajectory, NULL), RG_OK);
  for (int i = 0; i < 3; i++)
    CHECK_INT(rg_world_step(run.world, NULL), RG_OK);
  CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  char name[1024], lines[16][LINE];
  beside(path, ".contacts.csv", name, sizeof name);
  int rows = read_lines(name, lines, 16);
  CHECK(rows >= 2);
  double mass = rg_body_mass(run.world, rg_world_body(run.world, 2)).mass, force = 0;
  for (int i = 1; i < rows; i++) {
    CHECK_INT((int)value_at(lines, i, "step"), 3);
    double sign = value_at(lines, i, "body_a") == 2   ? 1
                  : value_at(lines, i, "body_b") == 2 ? -1
                                                      : 0;
    force += sign * value_at(lines, i, "force_z");
  }
  CHECK_NEAR(force, 9.81 * mass, 1e-6 * mass);
  remove(name);
  beside(path, ".forces.csv", name, sizeof name);
  REQUIRE_INT(read_lines(name, lines, 16), 1 + BODIES);
  CHECK_NEAR(value_at(lines, 3, "applied_force_z"), -9.81 * mass, 1e-12 * mass);
  CHECK_NEAR(value_at(lines, 3, "mass"), mass, 1e-12 * mass);
  CHECK(value_at(lines, 1, "mass") == 0);
  remove(name);
  beside(path, ".joints.csv", name, sizeof name);
  CHECK_INT(read_lines(name, lines, 16), 1);
  remove(name);
  beside(path, ".certificate.csv", name, sizeof name);
  remove(name);
  remove(path);
  finish(&run);
}

TEST(what_steppers_that_cut_steps_do_not_know_is_not_recorded) {
  Run run = start();
  rgOptions options = *rg_world_options(run.world);
  snprintf(options.stepper, sizeof options.stepper, "gauss");
  CHECK_INT(rg_world_set_options(run.world, &options), RG_OK);
  rgTrajectory* trajectory;
  rgMessage message = {""};
  CHECK_INT(rg_trajectory_create_of(test_temporary("x.csv"), run.world, RG_RECORD_CONTACTS,
                                    &trajectory, &message),
            RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "the stepper gauss cuts its steps and keeps no forces to record");
  snprintf(options.stepper, sizeof options.stepper, "halving");
  CHECK_INT(rg_world_set_options(run.world, &options), RG_OK);
  CHECK_INT(rg_trajectory_create_of(test_temporary("x.csv"), run.world, RG_RECORD_FORCES,
                                    &trajectory, &message),
            RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "the stepper halving cuts its steps");
  CHECK_INT(rg_world_step(run.world, NULL), RG_OK);
  CHECK(!rg_world_has_loads(run.world));
  CHECK_INT(rg_trajectory_create_of("y.csv", run.world, 1024, &trajectory, &message),
            RG_ERROR_INPUT);
  CHECK(trajectory == NULL);
  finish(&run);
}

TEST(what_cannot_be_written_is_named) {
  Run run = start();
  rgTrajectory* trajectory;
  rgMessage message = {""};
  CHECK_INT(rg_trajectory_create("no/such/folder/t.csv", run.world, &trajectory, &message),
            RG_ERROR_IO);
  CHECK_STR(message.text, "cannot write no/such/folder/t.csv: No such file or directory");
  CHECK(trajectory == NULL);
  CHECK_INT(rg_trajectory_create("t.xml", run.world, &trajectory, &message), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "t.xml: the ending must be one of: .csv");
  CHECK_INT(rg_trajectory_create(".csv", run.world, &trajectory, &message), RG_ERROR_UNSUPPORTED);
  CHECK_INT(rg_trajectory_create("no/such/folder/t.h5", run.world, &trajectory, &message),
            rg_trajectory_format(1) ? RG_ERROR_IO : RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "no/such/folder/t.h5: ");
  CHECK_INT(rg_trajectory_close(NULL, &message), RG_OK);
  finish(&run);
}

TEST(a_full_disk_is_reported) {
  if (access("/dev/full", W_OK) != 0)
    SKIP("there is no /dev/full");
  Run run = start();
  const char* path = test_temporary("full.csv");
  REQUIRE(symlink("/dev/full", path) == 0);
  rgTrajectory* trajectory;
  rgMessage message = {""};
  CHECK_INT(rg_trajectory_create(path, run.world, &trajectory, &message), RG_ERROR_IO);
  CHECK_CONTAINS(message.text, path);
  CHECK_CONTAINS(message.text, "No space left on device");
  remove(path);
  char certificate[1024];
  snprintf(certificate, sizeof certificate, "%.*s.certificate.csv", (int)strlen(path) - 4, path);
  remove(certificate);
  finish(&run);
}

TEST(the_table_of_formats) {
  CHECK_STR(rg_trajectory_format(0), ".csv");
  int count = 0;
  for (; rg_trajectory_format(count); count++)
    CHECK(rg_trajectory_summary(count) != NULL);
  CHECK(rg_trajectory_summary(count) == NULL);
  CHECK_STR(rg_trajectory_format(count - 1), ".glb");
#ifdef RIGOR_HDF5
  CHECK_INT(count, 3);
#else
  CHECK_INT(count, 2);
#endif
}

#if READ_HDF5

static void read_series(hid_t file, const char* name, int rank, const hsize_t* sizes, hid_t type,
                        void* values) {
  hsize_t found[3] = {0, 0, 0};
  CONTEXT("dataset %s", name);
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  REQUIRE(dataset >= 0);
  hid_t space = H5Dget_space(dataset);
  REQUIRE_INT(H5Sget_simple_extent_ndims(space), rank);
  H5Sget_simple_extent_dims(space, found, NULL);
  for (int i = 0; i < rank; i++)
    REQUIRE_INT((long long)found[i], (long long)sizes[i]);
  CHECK(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Sclose(space);
  H5Dclose(dataset);
}

static void check_unit(hid_t file, const char* name, const char* unit) {
  hid_t attribute = H5Aopen_by_name(file, name, "unit", H5P_DEFAULT, H5P_DEFAULT);
  REQUIRE(attribute >= 0);
  hid_t type = H5Aget_type(attribute);
  char text[16] = "";
  REQUIRE(H5Tis_variable_str(type) == 0 && H5Tget_size(type) <= sizeof text);
  CHECK(H5Aread(attribute, type, text) >= 0);
  CHECK_STR(text, unit);
  H5Tclose(type);
  H5Aclose(attribute);
}

static const struct {
  const char* name;
  int first, width;
} fields[] = {
    {"position", 0, 3}, {"orientation", 3, 4}, {"velocity", 7, 3}, {"angular_velocity", 10, 3}};

// `expected` holds 13 numbers per frame and body.
static void check_file(const char* path, int frames, double expected[][BODIES][13],
                       const double* times) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(file >= 0);
  double values[FRAMES * BODIES * 4];
  for (int k = 0; k < 4; k++) {
    int width = fields[k].width;
    const hsize_t sizes[3] = {(hsize_t)frames, BODIES, (hsize_t)width};
    read_series(file, fields[k].name, 3, sizes, H5T_NATIVE_DOUBLE, values);
    for (int i = 0; i < frames * BODIES; i++)
      for (int j = 0; j < width; j++)
        CHECK_BITS(values[i * width + j], expected[i / BODIES][i % BODIES][fields[k].first + j]);
  }
  const hsize_t sizes[1] = {(hsize_t)frames};
  read_series(file, "time", 1, sizes, H5T_NATIVE_DOUBLE, values);
  for (int i = 0; i < frames; i++)
    CHECK_BITS(values[i], times[i]);
  int64_t contacts[FRAMES];
  read_series(file, "certificate/contacts", 1, sizes, H5T_NATIVE_INT64, contacts);
  read_series(file, "certificate/residual", 1, sizes, H5T_NATIVE_DOUBLE, values);
  read_series(file, "energy/kinetic", 1, sizes, H5T_NATIVE_DOUBLE, values);
  check_unit(file, "position", "m");
  check_unit(file, "certificate/penetration", "m");
  check_unit(file, "certificate/joint_error", "m");
  H5Fclose(file);
}

static void copy_file(const char* from, const char* to) {
  FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
  REQUIRE(in && out);
  char block[4096];
  for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
    fwrite(block, 1, n, out);
  fclose(in);
  fclose(out);
}

TEST(h5_holds_the_error_of_each_body_where_an_accuracy_is_kept) {
  Run run = start(), shadow = start();
  const char* path = test_temporary("e.h5");
  rgAccuracyDef def = rg_accuracy_def();
  rgAccuracy* accuracy;
  rgMessage message = {""};
  REQUIRE_INT(rg_accuracy_create(run.world, shadow.world, &def, &accuracy, &message), RG_OK);
  rgTrajectory* trajectory = create(path, run.world);
  CHECK_INT(rg_trajectory_keep_errors(trajectory, accuracy, NULL), RG_OK);
  double expected[FRAMES][BODIES], found[FRAMES][BODIES];
  for (int frame = 0; frame < FRAMES; frame++) {
    for (int i = 0; i < BODIES; i++)
      expected[frame][i] = rg_accuracy_error(accuracy, rg_world_body(run.world, i));
    CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
    CHECK_INT(rg_accuracy_step(accuracy, NULL), RG_OK);
  }
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  hsize_t sizes[3] = {FRAMES, BODIES, 1};
  read_series(file, "error", 3, sizes, H5T_NATIVE_DOUBLE, found);
  H5Fclose(file);
  CHECK(expected[FRAMES - 1][1] > 0 && expected[FRAMES - 1][0] == 0);
  for (int frame = 0; frame < FRAMES; frame++)
    for (int i = 0; i < BODIES; i++)
      CHECK_BITS(found[frame][i], expected[frame][i]);
  remove(path);
  rg_accuracy_destroy(accuracy);
  finish(&run);
  finish(&shadow);
}

TEST(h5_holds_every_state_and_is_whole_after_a_flush) {
  Run run = start();
  const char *path = test_temporary("t.h5"), *copy = test_temporary("copy.h5");
  rgTrajectory* trajectory = create(path, run.world);
  double expected[FRAMES][BODIES][13], times[FRAMES];
  for (int frame = 0; frame < FRAMES; frame++) {
    times[frame] = rg_world_time(run.world);
    for (int i = 0; i < BODIES; i++)
      get_state(run.world, i, expected[frame][i]);
    CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
    if (frame == 2) { // what an interrupted run would leave
      CHECK_INT(rg_trajectory_flush(trajectory, NULL), RG_OK);
      copy_file(path, copy);
      check_file(copy, 3, expected, times);
      remove(copy);
    }
    CHECK_INT(rg_world_step(run.world, NULL), RG_OK);
  }
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  check_file(path, FRAMES, expected, times);

  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT),
        dataset = H5Dopen2(file, "name", H5P_DEFAULT);
  hid_t type = H5Dget_type(dataset);
  char names[BODIES * 64];
  size_t width = H5Tget_size(type); // of the longest name, and a zero
  REQUIRE(H5Tis_variable_str(type) == 0 && width <= 64);
  CHECK(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names) >= 0);
  CHECK_STR(names + width, "one, \"two\"");
  H5Tclose(type);
  H5Dclose(dataset);
  H5Fclose(file);
  remove(path);
  finish(&run);
}

TEST(h5_marks_removed_bodies_and_refuses_new_ones) {
  Run run = start();
  const char* path = test_temporary("r.h5");
  rgTrajectory* trajectory = create(path, run.world);
  CHECK_INT(rg_world_remove_body(run.world, rg_world_body(run.world, 1)), RG_OK);
  CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
  rgBodyDef def = rg_body_def();
  rgShapeDef ball = rg_shape_def(RG_SHAPE_SPHERE);
  ball.radius = 0.1;
  rgBodyId id;
  CHECK_INT(rg_world_add_body(run.world, &def, &ball, 1, &id), RG_OK);
  rgMessage message;
  CHECK_INT(rg_trajectory_append(trajectory, run.world, &message), RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "bodies were added after the file was made");
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  const hsize_t sizes[3] = {1, BODIES, 3};
  double values[BODIES * 3];
  read_series(file, "position", 3, sizes, H5T_NATIVE_DOUBLE, values);
  CHECK(isfinite(values[0]) && isnan(values[3]) && isfinite(values[6]));
  H5Fclose(file);
  remove(path);
  finish(&run);
}

// -------------------------------------------------------------------------------------------------
// Files that say what cannot be
// -------------------------------------------------------------------------------------------------

static void record_some(const char* path) {
  Run run = start();
  rgTrajectory* trajectory = NULL;
  unsigned kinds = RG_RECORD_CONTACTS | RG_RECORD_JOINTS | RG_RECORD_FORCES;
  CHECK_INT(rg_trajectory_create_of(path, run.world, kinds, &trajectory, NULL), RG_OK);
  for (int frame = 0; frame < FRAMES; frame++) {
    CHECK_INT(rg_trajectory_append(trajectory, run.world, NULL), RG_OK);
    CHECK_INT(rg_world_step(run.world, NULL), RG_OK);
  }
  CHECK_INT(rg_trajectory_close(trajectory, NULL), RG_OK);
  finish(&run);
}

// Overwrites some numbers of a dataset, as another program could.
static void forge(const char* path, const char* name, int first, int count, double value) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(file >= 0);
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  REQUIRE(dataset >= 0);
  double values[FRAMES * BODIES * 4];
  CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  for (int i = 0; i < count; i++)
    values[first + i] = value;
  CHECK(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(dataset);
  H5Fclose(file);
}

static void check_refused(const char* path, const char* part) {
  rgRecording* recording;
  rgMessage message = {""};
  CHECK_INT(rg_recording_read(path, &recording, &message), RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, part);
  CHECK(recording == NULL);
}

TEST(h5_that_holds_no_poses_is_refused) {
  const char* path = test_temporary("forged.h5");
  static const struct {
    const char* name;
    int width; // numbers per body
    int count;
    double value;
  } forgeries[] = {{"orientation", 4, 4, 0}, // what a dataset without fill values reads as
                   {"orientation", 4, 1, 2}, {"orientation", 4, 1, NAN},  {"position", 3, 1, NAN},
                   {"position", 3, 3, NAN},  {"position", 3, 1, INFINITY}};
  for (int i = 0; i < (int)(sizeof forgeries / sizeof *forgeries); i++)
    for (int frame = 0; frame < FRAMES; frame++)
      for (int body = 0; body < BODIES; body++) {
        CONTEXT("forgery %d of body %d in frame %d", i, body, frame);
        record_some(path);
        forge(path, forgeries[i].name, (frame * BODIES + body) * forgeries[i].width,
              forgeries[i].count, forgeries[i].value);
        char part[80];
        snprintf(part, sizeof part, "of body %d in frame %d are no pose", body, frame);
        check_refused(path, part);
      }
  remove(path);
}

TEST(h5_whose_contacts_are_none_is_refused) {
  const char* path = test_temporary("contacts.h5");
  static const struct {
    const char *name, *refusal;
    double value;
  } forgeries[] = {{"contacts/count", "contacts/count is 1000 in frame 1, must be 0 .. ", 1000},
                   {"contacts/count", "contacts/count is -1 in frame 1, must be 0 .. ", -1},
                   {"contacts/body_a", "contacts in row 1 is none", 77},
                   {"contacts/body_b", "contacts in row 1 is none", -1},
                   {"contacts/force", "contacts in row 0 is none", NAN},
                   {"contacts/point", "contacts in row 0 is none", INFINITY},
                   {"energy/kinetic", "energy/kinetic is no number in frame 1", INFINITY},
                   {"certificate/residual", "certificate/residual is no number in frame 1", NAN}};
  for (int i = 0; i < (int)(sizeof forgeries / sizeof *forgeries); i++) {
    CONTEXT("forgery %d", i);
    record_some(path);
    rgRecording* recording;
    REQUIRE_INT(rg_recording_read(path, &recording, NULL), RG_OK);
    REQUIRE(recording->contact_start[FRAMES] > 1);
    rg_recording_free(recording);
    forge(path, forgeries[i].name, 1, 1, forgeries[i].value);
    check_refused(path, forgeries[i].refusal);
  }
  remove(path);
}

TEST(h5_whose_time_goes_back_is_refused) {
  const char* path = test_temporary("back.h5");
  for (int frame = 1; frame < FRAMES; frame++) {
    record_some(path);
    forge(path, "time", frame, 1, -1);
    check_refused(path, "must not go back");
    record_some(path);
    forge(path, "time", frame, 1, NAN);
    check_refused(path, "must not go back");
  }
  remove(path);
}

// Each dataset has checksums: a bit that the disk has lost is noticed by every reader.
TEST(h5_with_a_flipped_bit_is_refused) {
  const char* path = test_temporary("flipped.h5");
  static char bytes[1 << 20];
  record_some(path);
  FILE* file = fopen(path, "rb");
  REQUIRE(file != NULL);
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  rgRecording* recording;
  REQUIRE_INT(rg_recording_read(path, &recording, NULL), RG_OK);
  for (int frame = 1; frame < FRAMES; frame++) {
    const rgVec3* p = &recording->position[frame * BODIES + 1];
    size_t at = 0;
    while (at + sizeof *p <= size && memcmp(bytes + at, p, sizeof *p) != 0)
      at++;
    REQUIRE(at + sizeof *p <= size);
    for (size_t bit = 0; bit < 8 * sizeof *p; bit += 5) {
      bytes[at + bit / 8] ^= (char)(1 << bit % 8);
      file = fopen(path, "wb");
      REQUIRE(file != NULL);
      fwrite(bytes, 1, size, file);
      fclose(file);
      bytes[at + bit / 8] ^= (char)(1 << bit % 8);
      check_refused(path, "position cannot be read: the file is damaged");
    }
  }
  rg_recording_free(recording);
  remove(path);
}

// A disk that is full while the frames are written: every later frame is refused, as there is no
// room left for it in memory either.
TEST(h5_refuses_frames_after_a_failed_write) {
  enum { FRAME_LIMIT = 20000 };
  Run run = start();
  const char* path = test_temporary("short.h5");
  rgTrajectory* trajectory = create(path, run.world);
  struct rlimit before;
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  // Room for the file without frames: the write that fails is one of frames.
  struct rlimit small = {.rlim_cur = 300000, .rlim_max = before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  rgMessage message = {""};
  int written = 0;
  while (written < FRAME_LIMIT && rg_trajectory_append(trajectory, run.world, &message) == RG_OK)
    written++;
  CHECK_MSG(written > 0 && written < FRAME_LIMIT, "%d frames", written);
  CHECK_CONTAINS(message.text, "short.h5: File too large");
  for (int i = 0; i < 100; i++)
    REQUIRE_INT(rg_trajectory_append(trajectory, run.world, &message), RG_ERROR_IO);
  CHECK_CONTAINS(message.text, "short.h5: an earlier write failed");
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  rg_trajectory_close(trajectory, NULL);
  remove(path);
  finish(&run);
}

#endif
