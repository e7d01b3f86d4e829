// Sensors of MJCF models: which of ours they become, where they sit, and what they show of a model whose
// forces are known.
#include "test.h"

#include "math/vec.h"
#include <rigor/rigor.h>

typedef struct Model {
  rgScene* scene;
  rgWorld* world;
} Model;

static Model load(const char* text) {
  Model m = {0};
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(text, strlen(text), "m.xml", &m.scene, &message);
  if (status == RG_ERROR_UNSUPPORTED)
    SKIP("this build has no expat");
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  REQUIRE_MSG(rg_scene_build(m.scene, NULL, &m.world, &message) == RG_OK, "%s", message.text);
  return m;
}

static void drop(Model m) {
  rg_world_destroy(m.world);
  rg_scene_free(m.scene);
}

static const double* shown(Model m, const char* name, rgSensorKind kind) {
  int index = rg_world_find_sensor(m.world, name);
  REQUIRE_MSG(index >= 0, "no sensor %s", name);
  CHECK_INT(rg_world_sensor(m.world, index).def.kind, kind);
  return rg_world_sensor_values(m.world) + rg_world_sensor(m.world, index).value_start;
}

static bool notes_say(Model m, const char* part) {
  const char *place, *text;
  for (int i = 0; rg_scene_note(m.scene, i, &place, &text); i++)
    if (strstr(text, part))
      return true;
  return false;
}

#define ARM                                                                                        \
  "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"                                           \
  "<body name='arm' pos='0 0 2'><joint name='elbow' axis='0 1 0' range='-10 10' limited='true'/>"  \
  "<geom type='box' size='.1 .1 .1' pos='.5 0 0' mass='2'/>"                                       \
  "<site name='imu' pos='.5 0 0' zaxis='0 0 -1'/>"                                                 \
  "<body name='hand' pos='1 0 0'><geom type='box' size='.1 .1 .1' mass='1'/>"                      \
  "<site name='palm' pos='0 0 -.1' zaxis='0 0 -1'/></body></body></worldbody>"

// A level arm that is released.
TEST(sensors_of_a_model_show_what_its_weights_say) {
  Model m = load(ARM "<sensor><accelerometer name='acc' site='imu'/><gyro site='imu'/>"
                     "<rangefinder name='down' site='palm'/><framepos name='where' objtype='site' "
                     "objname='palm'/><framepos name='center' objtype='body' objname='hand'/>"
                     "<framequat name='turn' objtype='xbody' objname='hand'/>"
                     "<jointpos name='q' joint='elbow'/><jointvel name='dq' joint='elbow'/>"
                     "<force name='f' site='imu'/><touch name='t' site='palm'/></sensor></mujoco>");
  CHECK_INT(rg_world_sensor_count(m.world), 10);
  const double* where = shown(m, "where", RG_SENSOR_POSITION);
  CHECK_NEAR(where[0], 1, 1e-12);
  CHECK_NEAR(where[2], 1.9, 1e-12);
  CHECK_NEAR(shown(m, "center", RG_SENSOR_POSITION)[2], 2, 1e-12);
  CHECK_NEAR(shown(m, "turn", RG_SENSOR_ORIENTATION)[0], 1, 1e-12);
  CHECK_NEAR(shown(m, "down", RG_SENSOR_RANGE)[0], 1.9, 1e-12);
  CHECK_NEAR(shown(m, "q", RG_SENSOR_JOINT_COORDINATE)[0], 0, 1e-12);
  CHECK(rg_world_find_sensor(m.world, "gyro1") == 1); // one without a name
  // Released: alpha = m g x / I about the elbow. Two cubes of side 0.2: I = m (s^2 / 6 + x^2) each.
  double inertia = 2 * (0.04 / 6 + 0.25) + 1 * (0.04 / 6 + 1), moment = 9.81 * (2 * 0.5 + 1 * 1);
  double alpha = moment / inertia, down = 9.81 - alpha * 0.5;
  REQUIRE_INT(rg_world_step(m.world, NULL), RG_OK);
  double h = rg_world_options(m.world)->step;
  const double* acc = shown(m, "acc", RG_SENSOR_ACCELEROMETER);
  // The z axis of the site points down: what pushes up is negative. One step turns by alpha h^2 / 2.
  CHECK_NEAR(acc[2], -down, 20 * alpha * h * h + 1e-6);
  CHECK_NEAR(shown(m, "dq", RG_SENSOR_JOINT_RATE)[0], alpha * h, 1e-3 * alpha * h);
  // The elbow carries what does not fall: the weights less their accelerations.
  double carried = 3 * 9.81 - alpha * (2 * 0.5 + 1 * 1);
  CHECK_NEAR(shown(m, "f", RG_SENSOR_FORCE_TORQUE)[2], -carried, 1e-3 * carried);
  CHECK_NEAR(shown(m, "t", RG_SENSOR_TOUCH)[0], 0, 0);
  CHECK(notes_say(m, "<force> shows force and torque"));
  CHECK(notes_say(m, "<touch> adds up all contacts of its body"));
  drop(m);
}

TEST(what_cannot_be_measured_is_said) {
  Model m = load(ARM "<sensor><magnetometer site='imu'/><force name='g' site='palm'/>"
                     "<framepos objtype='site' objname='imu' reftype='site' refname='palm'/>"
                     "<framequat objtype='body' objname='hand'/></sensor></mujoco>");
  CHECK_INT(rg_world_sensor_count(m.world), 0);
  CHECK(notes_say(m, "<magnetometer> is ignored"));
  CHECK(notes_say(m, "<force> is left out: its body moves as one with its parent"));
  CHECK(notes_say(m, "<framepos> is left out: frames are measured against the world alone"));
  CHECK(notes_say(m, "<framequat> is left out"));
  drop(m);
}

static void check_refused(const char* sensor, const char* expected) {
  char text[2048];
  snprintf(text, sizeof text, "%s<sensor>%s</sensor></mujoco>", ARM, sensor);
  rgScene* scene;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(text, strlen(text), "m.xml", &scene, &message);
  if (status == RG_ERROR_UNSUPPORTED)
    SKIP("this build has no expat");
  CHECK_INT(status, RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "m.xml:1:");
  CHECK_CONTAINS(message.text, expected);
  if (status == RG_OK)
    rg_scene_free(scene);
}

TEST(mistakes_are_told_with_their_place) {
  check_refused("<giro site='imu'/>", "unknown element <giro> in <sensor>; did you mean <gyro>?");
  check_refused("<gyro site='ium'/>", "which is no site of the model; did you mean \"imu\"?");
  check_refused("<gyro sites='imu'/>", "unknown attribute sites of <gyro>; did you mean site?");
  check_refused("<jointpos joint='knee'/>", "which is no joint of the model");
}
