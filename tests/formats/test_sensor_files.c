// Sensors in scene files and in recordings.
#include "test.h"

#include <rigor/rigor.h>

#if defined(RIGOR_HDF5) && __has_include(<hdf5/serial/hdf5.h>)
#include <hdf5/serial/hdf5.h>
#define READ_HDF5 1
#elif defined(RIGOR_HDF5) && __has_include(<hdf5.h>)
#include <hdf5.h>
#define READ_HDF5 1
#else
#define READ_HDF5 0
#endif

#define BODIES                                                                                     \
  "{\"rigor\": 1, \"bodies\": [{\"name\": \"floor\", \"kind\": \"static\", \"shapes\": "           \
  "[{\"shape\": \"halfspace\"}]}, {\"name\": \"ball\", \"position\": [0, 0, 0.1], \"shapes\": "    \
  "[{\"shape\": \"sphere\", \"radius\": 0.1}], \"repeat\": {\"count\": [2, 1, 1], \"spacing\": "   \
  "[1, 0, 0]}}, {\"name\": \"arm\", \"position\": [0, 3, 1], \"shapes\": [{\"shape\": \"box\", "   \
  "\"half\": [0.2, 0.1, 0.1]}]}], \"joints\": [{\"name\": \"pivot\", \"kind\": \"hinge\", "        \
  "\"b\": \"arm\", \"point\": [0, 3, 1], \"axis\": [0, 1, 0]}], \"sensors\": ["

static const char scene_text[] =
    BODIES "{\"kind\": \"contact-force\", \"name\": \"foot\", \"body\": \"ball\", \"other\": "
           "\"floor\"}, {\"kind\": \"force-torque\", \"name\": \"a,b\", \"joint\": \"pivot\", "
           "\"position\": [0.1, 0, 0], \"orientation\": {\"axis\": [0, 0, 1], \"degrees\": 90}}, "
           "{\"kind\": \"range\", \"name\": \"eye/left\", \"body\": \"arm\", \"length\": 2}]}";

typedef struct Run {
  rgScene* scene;
  rgWorld* world;
} Run;

static Run start(const char* text) {
  Run run;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(text, strlen(text), "s.json", &run.scene, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  status = rg_scene_build(run.scene, NULL, &run.world, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return run;
}

static void finish(Run* run) {
  rg_world_destroy(run->world);
  rg_scene_free(run->scene);
}

TEST(scenes_with_sensors_are_written_as_they_were_read) {
  Run one = start(scene_text);
  REQUIRE_INT(rg_world_sensor_count(one.world), 4); // one for each copy of the ball
  CHECK_INT(rg_world_find_sensor(one.world, "foot[1]"), 1);
  rgSensorView eye = rg_world_sensor(one.world, 3);
  CHECK_STR(eye.def.name, "eye/left");
  CHECK_NEAR(eye.def.length, 2, 0);
  char text[4096];
  REQUIRE(rg_scene_write(one.scene, text, sizeof text) < sizeof text);
  Run two = start(text);
  REQUIRE_INT(rg_world_sensor_count(two.world), 4);
  for (int i = 0; i < 4; i++) {
    rgSensorView a = rg_world_sensor(one.world, i), b = rg_world_sensor(two.world, i);
    CHECK_STR(a.def.name, b.def.name);
    CHECK_INT(a.def.kind, b.def.kind);
    CHECK(memcmp(&a.def.frame, &b.def.frame, sizeof a.def.frame) == 0);
    CHECK(rg_body_equal(a.def.body, b.def.body) && rg_body_equal(a.def.other, b.def.other));
    CHECK(rg_joint_equal(a.def.joint, b.def.joint) && a.def.length == b.def.length);
  }
  finish(&one);
  finish(&two);
}

// What a scene with this sensor is refused with, by the reader or by the builder.
static void check_refused(const char* sensor, const char* expected) {
  char text[4096];
  snprintf(text, sizeof text, "%s%s]}", BODIES, sensor);
  rgScene* scene;
  rgWorld* world = NULL;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(text, strlen(text), "s.json", &scene, &message);
  if (status == RG_OK) {
    status = rg_scene_build(scene, NULL, &world, &message);
    rg_world_destroy(world);
    rg_scene_free(scene);
  }
  CHECK(status != RG_OK);
  CHECK_CONTAINS(message.text, "s.json:1:");
  CHECK_CONTAINS(message.text, expected);
}

TEST(sensors_that_cannot_be_are_refused_with_their_place) {
  check_refused("{\"kind\": \"gyro\", \"body\": \"arm\"}", "sensors[0] has no \"name\"");
  check_refused("{\"kind\": \"gyro\", \"name\": \"\", \"body\": \"arm\"}",
                "sensors[0] has an empty name");
  check_refused("{\"kind\": \"gyro\", \"name\": \"g\"}", "sensors[0] has no \"body\"");
  check_refused("{\"kind\": \"taste\", \"name\": \"g\", \"body\": \"arm\"}", "sensors[0].kind");
  check_refused("{\"kind\": \"gyro\", \"name\": \"g\", \"body\": \"leg\"}", "sensors[0].body");
  check_refused("{\"kind\": \"gyro\", \"name\": \"g\", \"body\": \"arm\", \"length\": 1}",
                "sensors[0].length is not a key of a \"gyro\" sensor");
  check_refused("{\"kind\": \"joint-rate\", \"name\": \"g\", \"joint\": \"knee\"}",
                "sensors[0]: there is no joint \"knee\"");
  check_refused("{\"kind\": \"touch\", \"name\": \"g\", \"body\": \"arm\", \"other\": \"ball\"}",
                "sensors[0]: other names all 2 copies of \"ball\"");
  check_refused("{\"kind\": \"gyro\", \"name\": \"g\", \"body\": \"arm\"}, {\"kind\": \"gyro\", "
                "\"name\": \"g\", \"body\": \"arm\"}",
                "sensors[1]: there is a sensor \"g\" already");
  check_refused("{\"kind\": \"range\", \"name\": \"g\", \"body\": \"arm\", \"length\": 0}",
                "sensors[0].length is 0, must be > 0");
}

static rgTrajectory* record(const char* path, Run* run, int steps) {
  rgTrajectory* trajectory = NULL;
  rgMessage message = {""};
  rgStatus status =
      rg_trajectory_create_of(path, run->world, RG_RECORD_SENSORS, &trajectory, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  for (int i = 0; i < steps; i++) {
    CHECK_INT(rg_world_step(run->world, NULL), RG_OK);
    CHECK_INT(rg_trajectory_append(trajectory, run->world, NULL), RG_OK);
  }
  return trajectory;
}

TEST(csv_has_a_column_for_each_value) {
  Run run = start(scene_text);
  char path[1024], name[1024], line[4096];
  snprintf(path, sizeof path, "%s", test_temporary("s.csv"));
  REQUIRE_INT(rg_trajectory_close(record(path, &run, 3), NULL), RG_OK);
  snprintf(name, sizeof name, "%.*s.sensors.csv", (int)strlen(path) - 4, path);
  FILE* file = fopen(name, "r");
  REQUIRE(file != NULL);
  REQUIRE(fgets(line, sizeof line, file) != NULL);
  CHECK_STR(line, "time,step,foot[0].x,foot[0].y,foot[0].z,foot[1].x,foot[1].y,foot[1].z,"
                  "\"a,b.force_x\",\"a,b.force_y\",\"a,b.force_z\",\"a,b.torque_x\","
                  "\"a,b.torque_y\",\"a,b.torque_z\",eye/left.distance\n");
  int rows = 0;
  while (fgets(line, sizeof line, file))
    rows++;
  CHECK_INT(rows, 3);
  // The last row has the present values, to the bit.
  const double* values = rg_world_sensor_values(run.world);
  char* at = line;
  for (int i = -2; i < rg_world_sensor_value_count(run.world); i++) {
    double value = strtod(at, &at);
    at += *at == ',';
    if (i >= 0)
      CHECK_BITS(value, values[i]);
  }
  CHECK_NEAR(values[2], 9.81 * rg_body_mass(run.world, rg_world_body(run.world, 1)).mass, 1e-3);
  fclose(file);
  finish(&run);
}

TEST(worlds_without_sensors_have_none_to_record) {
  Run run = start("{\"rigor\": 1, \"bodies\": []}");
  rgTrajectory* trajectory;
  rgMessage message = {""};
  CHECK_INT(rg_trajectory_create_of(test_temporary("n.csv"), run.world, RG_RECORD_SENSORS,
                                    &trajectory, &message),
            RG_ERROR_UNSUPPORTED);
  CHECK_CONTAINS(message.text, "there are no sensors to record");
  finish(&run);
}

TEST(sensors_that_come_later_are_refused) {
  Run run = start(scene_text);
  char path[1024];
  for (int format = 0; rg_trajectory_format(format); format++) {
    if (strcmp(rg_trajectory_format(format), ".glb") == 0)
      continue; // holds poses alone
    snprintf(path, sizeof path, "%s%s", test_temporary("later"), rg_trajectory_format(format));
    rgTrajectory* trajectory = record(path, &run, 1);
    rgSensorDef def = rg_sensor_def(RG_SENSOR_GYRO);
    def.body = rg_world_body(run.world, 1);
    REQUIRE_INT(rg_world_add_sensor(run.world, &def, NULL), RG_OK);
    rgMessage message = {""};
    CHECK_INT(rg_trajectory_append(trajectory, run.world, &message), RG_ERROR_UNSUPPORTED);
    CHECK_CONTAINS(message.text, "sensors were added after the file was made");
    rg_trajectory_close(trajectory, NULL);
  }
  finish(&run);
}

#if READ_HDF5

TEST(h5_has_a_dataset_for_each_sensor) {
  Run run = start(scene_text);
  char path[1024];
  snprintf(path, sizeof path, "%s", test_temporary("s.h5"));
  enum { FRAMES = 5, WIDTH = 6 };
  REQUIRE_INT(rg_trajectory_close(record(path, &run, FRAMES), NULL), RG_OK);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  REQUIRE(file >= 0);
  hid_t dataset = H5Dopen2(file, "sensors/a,b", H5P_DEFAULT);
  REQUIRE(dataset >= 0);
  double values[FRAMES * WIDTH];
  hid_t space = H5Dget_space(dataset);
  REQUIRE_INT((long long)H5Sget_simple_extent_npoints(space), FRAMES * WIDTH);
  CHECK(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  const double* last =
      rg_world_sensor_values(run.world) + rg_world_sensor(run.world, 2).value_start;
  for (int i = 0; i < WIDTH; i++)
    CHECK_BITS(values[(FRAMES - 1) * WIDTH + i], last[i]);
  hid_t attribute = H5Aopen(dataset, "unit", H5P_DEFAULT), type = H5Aget_type(attribute);
  char unit[64] = "";
  REQUIRE(H5Tget_size(type) <= sizeof unit);
  CHECK(H5Aread(attribute, type, unit) >= 0);
  CHECK_STR(unit, "N, N, N, N m, N m, N m");
  CHECK(H5Lexists(file, "sensors/eye_left", H5P_DEFAULT) > 0);
  H5Tclose(type), H5Aclose(attribute), H5Sclose(space), H5Dclose(dataset), H5Fclose(file);
  finish(&run);
}

#endif
