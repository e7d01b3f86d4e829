// Malformed scenes: every message to the letter, with file, line, column, path, what is wrong and
// what would be right.
#include "test.h"

#include <rigor/scene.h>

typedef struct Case {
  const char* text;
  const char* message;
} Case;

static void check_cases(const Case* cases, size_t count, const char* before, const char* after) {
  for (size_t i = 0; i < count; i++) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s%s", before, cases[i].text, after);
    rgScene* scene = NULL;
    rgMessage message = {""};
    CONTEXT("%s", cases[i].text);
    rgStatus status = rg_scene_parse(text, strlen(text), "s.json", &scene, &message);
    CHECK_INT(status, RG_ERROR_INPUT);
    CHECK_STR(message.text, cases[i].message);
    CHECK(scene == NULL);
    rg_scene_free(scene);
  }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

TEST(broken_json_says_what_stands_where) {
  static const Case cases[] = {
      {"", "s.json:1:1: the text is empty, expected '{'"},
      {" \n ", "s.json:2:2: the text is empty, expected '{'"},
      {"{\"rigor\": 1,\n \"time\": 2,\n}", "s.json:2:11: trailing comma before '}'; remove it"},
      {"{\"rigor\": [1, 2, ]}", "s.json:1:16: trailing comma before ']'; remove it"},
      {"{\"rigor\": 1", "s.json:1:12: unexpected end of text: the '{' in line 1 is not closed"},
      {"{\n\"rigor\": [1", "s.json:2:12: unexpected end of text: the '[' in line 2 is not closed"},
      {"{\"rigor\": 1 \"time\": 2}", "s.json:1:13: expected ',' or '}', found '\"'"},
      {"{\"rigor\" 1}", "s.json:1:10: expected ':' after the key, found '1'"},
      {"{rigor: 1}", "s.json:1:2: expected a key in double quotes, found 'rigor'"},
      {"{'rigor': 1}", "s.json:1:2: strings and keys need double quotes (\"), not single quotes"},
      {"{\"rigor\": 1, // one\n \"time\": 2}",
       "s.json:1:14: JSON has no comments; expected a key in double quotes"},
      {"{\"rigor\": 1, \"time\": 2, \"rigor\": 1}",
       "s.json:1:25: duplicate key \"rigor\", first given in line 1"},
      {"{\"rigor\": 01}",
       "s.json:1:11: this is not a JSON number; write it like -1.5 or 2e-3 (no leading zeros or "
       "plus, digits on both sides of the point)"},
      {"{\"rigor\": 1, \"time\": .5}",
       "s.json:1:22: this is not a JSON number; write it like -1.5 or 2e-3 (no leading zeros or "
       "plus, digits on both sides of the point)"},
      {"{\"rigor\": 1, \"time\": NaN}", "s.json:1:22: expected a JSON value, found 'NaN'"},
      {"{\"rigor\": 1, \"time\": 1e999}",
       "s.json:1:22: 1e999 is too large for a number (the largest is 1.8e308)"},
      {"{\"rigor\": 1, \"title\": \"x\n\"}",
       "s.json:1:25: the string has no closing quote on this line"},
      {"{\"title\": \"\\q\"}", "s.json:1:12: \\ must be followed by one of \" \\ / b f n r t u"},
      {"{\"title\": \"\\u12g4\"}", "s.json:1:12: \\u must be followed by four hexadecimal digits"},
      {"{\"title\": \"\\ud834x\"}", "s.json:1:12: \\ud834 is half of a surrogate pair"},
      {"{\"title\": \"a\\u0000\"}", "s.json:1:13: \\u0000 is not allowed in a string"},
      {"{\"title\": \"\xc3\x28\"}", "s.json:1:12: byte 0xc3 is not valid UTF-8"},
      {"{\"title\": \"\xed\xa0\x80\"}", "s.json:1:12: byte 0xed is not valid UTF-8"},
      {"{\"title\": \"a\tb\"}",
       "s.json:1:13: control character 0x09 in a string; write it as \\u0009"},
      {"{\"t\xc3\xa4\": \"\xc3\xa4\", x}",
       "s.json:1:13: expected a key in double quotes, found 'x'"},
      {"{} {}", "s.json:1:4: unexpected text after the end of the JSON value"},
      {"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
       "s.json:1:33: brackets are nested more than 32 deep"},
  };
  check_cases(cases, COUNT(cases), "", "");
}

TEST(wrong_keys_and_values_of_the_scene) {
  static const Case cases[] = {
      {"[]", "s.json:1:1: the scene is an array, must be an object {...} that describes a scene"},
      {"{\"bodies\": []}", "s.json:1:1: the scene has no \"rigor\"; a scene needs it"},
      {"{\"rigor\": 1}", "s.json:1:1: the scene has no \"bodies\"; a scene needs it"},
      {"{\"rigor\": 2, \"bodies\": []}", "s.json:1:11: rigor is 2, must be 1"},
      {"{\"rigor\": 1,\n  \"bodis\": []}",
       "s.json:2:3: bodis is not a key of a scene; did you mean \"bodies\"?"},
      {"{\"rigor\": 1, \"lens\": 0}",
       "s.json:1:14: lens is not a key of a scene; its keys are rigor, $schema, title, time, "
       "dimension, "
       "preset, options, camera, materials, pairs, bodies, no_collision, forces, joints, sensors"},
      {"{\"rigor\": 1, \"time\": 0, \"bodies\": []}", "s.json:1:22: time is 0, must be > 0"},
      {"{\"rigor\": 1, \"time\": \"2 s\", \"bodies\": []}",
       "s.json:1:22: time is a string, must be a number"},
      {"{\"rigor\": 1, \"title\": 3, \"bodies\": []}",
       "s.json:1:23: title is a number, must be a string"},
      {"{\"rigor\": 1, \"preset\": \"refrence\", \"bodies\": []}",
       "s.json:1:24: preset is \"refrence\"; did you mean \"reference\"?"},
      {"{\"rigor\": 1, \"preset\": \"x\", \"bodies\": []}",
       "s.json:1:24: preset is \"x\", must be one of: default, realtime, reference"},
      {"{\"rigor\": 1, \"bodies\": {}}", "s.json:1:24: bodies is an object, must be an array"},
      {"{\"rigor\": 1, \"options\": {\"step\": -1}, \"bodies\": []}",
       "s.json:1:34: options.step is -1, must be > 0"},
      {"{\"rigor\": 1, \"options\": {\"theta\": 0.3}, \"bodies\": []}",
       "s.json:1:35: options.theta is 0.3, must be >= 0.5 and <= 1"},
      {"{\"rigor\": 1, \"options\": {\"steps\": 1}, \"bodies\": []}",
       "s.json:1:26: options.steps is not a key of the options; did you mean \"step\"?"},
      {"{\"rigor\": 1, \"options\": {\"gravity\": 9.81}, \"bodies\": []}",
       "s.json:1:37: options.gravity is a number, must be an array of 3 numbers"},
      {"{\"rigor\": 1, \"options\": {\"gravity\": [0, 0]}, \"bodies\": []}",
       "s.json:1:37: options.gravity has 2 entries, must have 3"},
      {"{\"rigor\": 1, \"options\": {\"gravity\": [0, 0, null]}, \"bodies\": []}",
       "s.json:1:44: options.gravity[2] is null, must be a number"},
      {"{\"rigor\": 1, \"options\": {\"stabilizer\": \"pst\"}, \"bodies\": []}",
       "s.json:1:40: options.stabilizer is \"pst\"; did you mean \"post\"?"},
      {"{\"rigor\": 1, \"options\": {\"baumgarte_rate\": -1}, \"bodies\": []}",
       "s.json:1:44: options.baumgarte_rate is -1, must be >= 0"},
      {"{\"rigor\": 1, \"options\": {\"iteration_limit\": 2.5}, \"bodies\": []}",
       "s.json:1:45: options.iteration_limit is 2.5, must be a whole number"},
      {"{\"rigor\": 1, \"options\": {\"solver\": \"ngs\"}, \"bodies\": []}",
       "s.json:1:36: options.solver is \"ngs\"; did you mean \"nsgs\"?"},
  };
  check_cases(cases, COUNT(cases), "", "");
}

TEST(wrong_materials_and_pairs) {
  static const Case cases[] = {
      {"\"materials\": [{\"mu\": 1}]",
       "s.json:1:28: materials[0] has no \"name\"; a material needs it"},
      {"\"materials\": [{\"name\": \"a\", \"mu\": -0.1}]",
       "s.json:1:48: materials[0].mu is -0.1, must be >= 0"},
      {"\"materials\": [{\"name\": \"a\", \"restitution\": 1.5}]",
       "s.json:1:57: materials[0].restitution is 1.5, must be >= 0 and <= 1"},
      {"\"materials\": [{\"name\": \"a\"}, {\"name\": \"a\"}]",
       "s.json:1:52: materials[1].name is \"a\", the name of materials[0]; names must be unique"},
      {"\"materials\": [{\"name\": \"\"}]",
       "s.json:1:37: materials[0].name is empty, must have at least one letter"},
      {"\"materials\": [{\"name\": \"wood\"}], \"pairs\": [{\"a\": \"wod\", \"b\": \"wood\"}]",
       "s.json:1:63: pairs[0].a is \"wod\", but there is no such material; did you mean \"wood\"?"},
      {"\"pairs\": [{\"a\": \"default\", \"b\": \"glass\"}]",
       "s.json:1:46: pairs[0].b is \"glass\", but there is no material with this name"},
      {"\"materials\": [{\"name\": \"w\"}], \"pairs\": [{\"a\": \"w\", \"b\": \"default\"}, "
       "{\"a\": \"default\", \"b\": \"w\"}]",
       "s.json:1:82: pairs[1] has the same two materials as pairs[0]"},
  };
  check_cases(cases, COUNT(cases), "{\"rigor\": 1, ", ", \"bodies\": []}");
}

TEST(wrong_bodies) {
  static const Case cases[] = {
      {"{\"masss\": 1}",
       "s.json:2:2: bodies[0].masss is not a key of a \"dynamic\" body; did you mean \"mass\"?"},
      {"{\"mass\": -1}", "s.json:2:10: bodies[0].mass is -1, must be > 0"},
      {"{\"kind\": \"moving\"}",
       "s.json:2:10: bodies[0].kind is \"moving\", must be one of: dynamic, static, kinematic"},
      {"{\"kind\": \"fixed\"}",
       "s.json:2:10: bodies[0].kind is \"fixed\", which is called \"static\" here"},
      {"{\"kind\": \"static\", \"velocity\": [1, 0, 0]}",
       "s.json:2:20: bodies[0].velocity is not a key of a \"static\" body; it belongs to "
       "\"dynamic\", \"kinematic\""},
      {"{\"mass\": 1}",
       "s.json:2:1: bodies[0] has no shapes; it needs \"mass\" and \"inertia\", or \"mass\" and "
       "\"rotation_locked\": true"},
      {"{\"inertia\": [1, 1, 1]}", "s.json:2:13: bodies[0].inertia requires \"mass\""},
      {"{\"mass\": 1, \"center\": [0, 0, 1]}",
       "s.json:2:23: bodies[0].center requires \"inertia\""},
      {"{\"mass\": 1, \"inertia\": [1, 1, 3]}",
       "s.json:2:24: bodies[0].inertia has the principal moments 1, 1 and 3, which no body has: "
       "the largest must not exceed the sum of the other two"},
      {"{\"mass\": 1, \"inertia\": [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}",
       "s.json:2:24: bodies[0].inertia has the principal moments -1, 1 and 3, must be positive"},
      {"{\"mass\": 1, \"inertia\": [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]}",
       "s.json:2:24: bodies[0].inertia is not symmetric: entry [0][1] is 0.1, entry [1][0] is "
       "0.2"},
      {"{\"mass\": 1, \"inertia\": [1, -1, 1]}",
       "s.json:2:28: bodies[0].inertia[1] is -1, must be > 0"},
      {"{\"mass\": 1, \"inertia\": 2}",
       "s.json:2:24: bodies[0].inertia must be [Ixx, Iyy, Izz] or three rows of three numbers"},
      {"{\"orientation\": [1, 0, 0]}",
       "s.json:2:17: bodies[0].orientation must be a quaternion [w, x, y, z] or {\"axis\": [x, y, "
       "z], \"degrees\": a}"},
      {"{\"orientation\": [1, 0, 0, 1]}",
       "s.json:2:17: bodies[0].orientation has length 1.41421356, must be a unit quaternion [w, x, "
       "y, z]"},
      {"{\"orientation\": {\"axis\": [0, 0, 0], \"degrees\": 3}}",
       "s.json:2:17: bodies[0].orientation has the axis [0, 0, 0], must not be zero"},
      {"{\"orientation\": {\"axis\": [0, 0, 1], \"degree\": 3}}",
       "s.json:2:37: bodies[0].orientation.degree is not a key of a rotation; did you mean "
       "\"degrees\"?"},
      {"{\"name\": \"a[0]\", \"kind\": \"static\"}",
       "s.json:2:10: bodies[0].name is \"a[0]\", must not contain [ or ]; they number the copies "
       "of a body"},
      {"{\"name\": \"a\", \"kind\": \"static\"}, {\"name\": \"a\", \"kind\": \"static\"}",
       "s.json:2:43: bodies[1].name is \"a\", the name of bodies[0]; names must be unique"},
      {"{\"name\": \"0123456789012345678901234567890123456789012345678\", \"kind\": \"static\"}",
       "s.json:2:10: bodies[0].name has 49 bytes, must have at most 48"},
      {"{\"kind\": \"static\", \"repeat\": {\"count\": [2, 0, 1]}}",
       "s.json:2:44: bodies[0].repeat.count[1] is 0, must be >= 1"},
      {"{\"kind\": \"static\", \"repeat\": {\"count\": [1000, 1000, 2]}}",
       "s.json:2:1: bodies[0] makes 2000000 bodies in total, more than 1000000"},
      {"{\"motion\": {\"times\": [0], \"positions\": [[0, 0, 0]]}}",
       "s.json:2:2: bodies[0].motion is not a key of a \"dynamic\" body; it belongs to "
       "\"kinematic\""},
      {"{\"kind\": \"kinematic\", \"motion\": {\"times\": [0, 0], \"positions\": [[0, 0, 0]]}}",
       "s.json:2:47: bodies[0].motion.times[1] is 0, must be after 0"},
      {"{\"kind\": \"kinematic\", \"motion\": {\"times\": [0, 1], \"positions\": [[0, 0, 0]]}}",
       "s.json:2:64: bodies[0].motion.positions has 1 entries, must have 2, as many as \"times\""},
      {"{\"kind\": \"kinematic\", \"motion\": {\"times\": [0]}}",
       "s.json:2:33: bodies[0].motion has neither \"positions\" nor \"orientations\""},
      {"{\"kind\": \"kinematic\", \"motion\": {\"amplitude\": [0, 0, 1]}}",
       "s.json:2:34: bodies[0].motion.amplitude is not a key of a \"table\" motion; it belongs to "
       "\"harmonic\""},
      {"{\"kind\": \"kinematic\", \"position\": [0, 0, 1], \"motion\": {\"times\": [0], "
       "\"positions\": [[0, 0, 0]]}}",
       "s.json:2:35: bodies[0].position is given together with motion.positions; remove one of "
       "them"},
      {"{\"kind\": \"kinematic\", \"velocity\": [0, 0, 1], \"motion\": {\"kind\": \"harmonic\", "
       "\"frequency\": 1}}",
       "s.json:2:35: bodies[0].velocity is given together with \"motion\"; remove one of them"},
  };
  check_cases(cases, COUNT(cases), "{\"rigor\": 1, \"bodies\": [\n", "]}");
}

TEST(wrong_shapes) {
  static const Case cases[] = {
      {"{}", "s.json:2:1: bodies[0].shapes[0] has no \"shape\"; a shape needs it"},
      {"{\"shape\": \"ball\"}",
       "s.json:2:11: bodies[0].shapes[0].shape is \"ball\", which is called \"sphere\" here"},
      {"{\"shape\": \"wedge\"}",
       "s.json:2:11: bodies[0].shapes[0].shape is \"wedge\", must be one of: sphere, box, capsule, "
       "cylinder, ellipsoid, hull, halfspace, mesh, field, circle, "
       "polygon, segment, superellipsoid, tube, bowl, torus, ring, cone, lens, intersection, "
       "function"},
      {"{\"shape\": \"shpere\"}",
       "s.json:2:11: bodies[0].shapes[0].shape is \"shpere\"; did you mean \"sphere\"?"},
      {"{\"shape\": \"sphere\"}",
       "s.json:2:1: bodies[0].shapes[0] has no \"radius\"; a \"sphere\" shape needs it"},
      {"{\"shape\": \"sphere\", \"radius\": -2}",
       "s.json:2:31: bodies[0].shapes[0].radius is -2, must be > 0"},
      {"{\"shape\": \"box\", \"radius\": 1}",
       "s.json:2:18: bodies[0].shapes[0].radius is not a key of a \"box\" shape; it belongs to "
       "\"sphere\", \"capsule\", \"cylinder\", \"circle\", \"tube\", \"bowl\", \"torus\", "
       "\"ring\", \"cone\", \"lens\""},
      {"{\"shape\": \"intersection\"}",
       "s.json:2:1: bodies[0].shapes[0] has no \"members\"; a \"intersection\" shape needs it"},
      {"{\"shape\": \"intersection\", \"members\": [{\"shape\": \"sphere\", \"radius\": 0}]}",
       "s.json:2:69: bodies[0].shapes[0].members[0].radius is 0, must be > 0"},
      {"{\"shape\": \"cone\", \"radius\": 1, \"half_length\": 1, \"top_radius\": -1}",
       "s.json:2:64: bodies[0].shapes[0].top_radius is -1, must be >= 0"},
      {"{\"shape\": \"box\", \"half\": [1, 0, 1]}",
       "s.json:2:30: bodies[0].shapes[0].half[1] is 0, must be > 0"},
      {"{\"shape\": \"halfspace\"}",
       "s.json:2:1: bodies[0].shapes[0] is a halfspace, which has no volume; its body must be "
       "static or kinematic"},
      {"{\"shape\": \"sphere\", \"radius\": 1, \"material\": \"steel\"}",
       "s.json:2:46: bodies[0].shapes[0].material is \"steel\", but there is no material with this "
       "name"},
      {"{\"shape\": \"sphere\", \"radius\": 1, \"mask\": -1}",
       "s.json:2:42: bodies[0].shapes[0].mask is -1, must be >= 0 and <= 4294967295"},
      {"{\"shape\": \"hull\"}",
       "s.json:2:1: bodies[0].shapes[0] has no \"points\" and no \"file\"; a \"hull\" shape needs "
       "one of them"},
      {"{\"shape\": \"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}",
       "s.json:2:29: bodies[0].shapes[0].points has 3 entries, must have at least 4"},
      {"{\"shape\": \"hull\", \"points\": [[0, 0, 0], [1, 0], [0, 1, 0]]}",
       "s.json:2:41: bodies[0].shapes[0].points[1] has 2 entries, must have 3"},
      {"{\"shape\": \"hull\", \"file\": \"cube.off\"}",
       "s.json:2:27: bodies[0].shapes[0].file is \"cube.off\", but only a scene that is read from "
       "a file can name other files"},
      {"{\"shape\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}",
       "s.json:2:1: bodies[0].shapes[0] has no \"triangles\"; a \"mesh\" shape needs them"},
      {"{\"shape\": \"mesh\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], \"triangles\": [[0, "
       "1, "
       "3]]}",
       "s.json:2:85: bodies[0].shapes[0].triangles[0][2] is 3, must be below 3, the number of "
       "points"},
      {"{\"shape\": \"field\", \"rows\": 2, \"columns\": 3, \"spacing\": [1, 1], \"heights\": [0, "
       "0]}",
       "s.json:2:75: bodies[0].shapes[0].heights has 2 entries, must have 6 (2 rows of 3 columns)"},
      {"{\"shape\": \"field\", \"rows\": 1, \"columns\": 3, \"spacing\": [1, 1], \"heights\": [0]}",
       "s.json:2:28: bodies[0].shapes[0].rows is 1, must be >= 2"},
      {"{\"shape\": \"tube\", \"radius\": 1, \"half_length\": 0}",
       "s.json:2:47: bodies[0].shapes[0].half_length is 0, must be > 0"},
      {"{\"shape\": \"torus\", \"radius\": 1}",
       "s.json:2:1: bodies[0].shapes[0] has no \"ring_radius\"; a \"torus\" shape needs it"},
      {"{\"shape\": \"bowl\", \"radius\": 1}",
       "s.json:2:1: bodies[0].shapes[0] is a bowl, which has no volume; its body must be static or "
       "kinematic"},
  };
  check_cases(cases, COUNT(cases), "{\"rigor\": 1, \"bodies\": [{\"shapes\": [\n", "]}]}");
}

// `dimension` decides what a scene may hold.
TEST(wrong_scenes_in_the_plane) {
  static const char* const cases[][2] = {
      {"{\"rigor\": 1, \"dimension\": 4, \"bodies\": []}", "dimension is 4"},
      {"{\"rigor\": 1, \"bodies\": [{\"position\": [0, 0]}]}", "has 2 entries, must have 3"},
      {"{\"rigor\": 1, \"dimension\": 2, \"bodies\": [{\"shapes\": [{\"shape\": \"sphere\", "
       "\"radius\": 1}]}]}",
       "a sphere needs a 3D world"},
      {"{\"rigor\": 1, \"dimension\": 2, \"bodies\": [{\"position\": [0, 0, 1], \"shapes\": "
       "[{\"shape\": \"circle\", \"radius\": 1}]}]}",
       "position has z = 1"},
      {"{\"rigor\": 1, \"bodies\": [{\"orientation\": 30}]}", "must be a quaternion"},
      {"{\"rigor\": 1, \"dimension\": 2, \"bodies\": [{\"mass\": 1, \"inertia\": -2}]}",
       "bodies[0].inertia is -2, must be > 0"},
      {"{\"rigor\": 1, \"dimension\": 2, \"bodies\": [{\"mass\": 1, \"inertia\": [1, 2]}]}",
       "bodies[0].inertia must be a number, the moment about z [kg m2]"},
      {"{\"rigor\": 1, \"dimension\": 2, \"bodies\": [{\"kind\": \"static\", \"shapes\": "
       "[{\"shape\": \"tube\", \"radius\": 1}]}]}",
       "a tube needs a 3D world"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rgScene* scene = NULL;
    rgWorld* world = NULL;
    rgMessage message = {""};
    rgStatus status = rg_scene_parse(cases[i][0], strlen(cases[i][0]), "s.json", &scene, &message);
    if (status == RG_OK)
      status = rg_scene_build(scene, NULL, &world, &message);
    CHECK(status == RG_ERROR_INPUT);
    CHECK_MSG(strstr(message.text, cases[i][1]) != NULL, "\"%s\"", message.text);
    rg_world_destroy(world);
    rg_scene_free(scene);
  }
}

TEST(wrong_forces_and_references) {
  static const Case cases[] = {
      {"\"forces\": [{\"force\": [0, 0, 1]}]",
       "s.json:2:12: forces[0] has no \"body\"; a \"constant\" force needs it"},
      {"\"forces\": [{\"body\": \"bal\"}]",
       "s.json:2:21: forces[0].body is \"bal\", but there is no such body; did you mean \"ball\"?"},
      {"\"forces\": [{\"body\": \"ball[3]\"}]",
       "s.json:2:21: forces[0].body is \"ball[3]\", but \"ball\" has 2 copies, counted from 0"},
      {"\"forces\": [{\"body\": \"floor\", \"force\": [1, 0, 0]}]",
       "s.json:2:21: forces[0].body is \"floor\", a static body; forces act on dynamic bodies "
       "only"},
      {"\"forces\": [{\"body\": \"ball\"}]",
       "s.json:2:12: forces[0] has neither \"force\" nor \"torque\""},
      {"\"forces\": [{\"body\": \"ball\", \"times\": [0]}]",
       "s.json:2:29: forces[0].times is not a key of a \"constant\" force; it belongs to "
       "\"table\", \"attractor\""},
      {"\"forces\": [{\"kind\": \"table\", \"body\": \"ball\", \"times\": []}]",
       "s.json:2:55: forces[0].times has 0 entries, must have at least 1"},
      {"\"forces\": [{\"kind\": \"callback\", \"body\": \"ball\"}]",
       "s.json:2:21: forces[0].kind is \"callback\", must be one of: constant, table, "
       "spring, torsion, drag, attractor"},
      {"\"no_collision\": [[\"ball\"]]",
       "s.json:2:18: no_collision[0] must be an array of two names of bodies"},
      {"\"no_collision\": [[\"ball\", \"door\"]]",
       "s.json:2:27: no_collision[0][1] is \"door\", but there is no body with this name"},
      {"\"no_collision\": [[\"floor\", \"floor\"]]",
       "s.json:2:18: no_collision[0] names the same body twice; a body never collides with itself"},
  };
  check_cases(cases, COUNT(cases),
              "{\"rigor\": 1, \"bodies\": [{\"name\": \"floor\", \"kind\": \"static\"}, {\"name\": "
              "\"ball\", "
              "\"mass\": 1, \"rotation_locked\": true, \"repeat\": {\"count\": [2, 1, 1]}}],\n",
              "}");
}

TEST(wrong_joints) {
  static const Case cases[] = {
      {"\"joints\": [{\"kind\": \"hinge\", \"a\": \"ball[0]\", \"b\": \"ball[0]\", \"axis\": [0, "
       "0, 1]}]",
       "s.json:2:51: joints[0].b is the body itself, must be another one than \"a\""},
      {"\"joints\": [{\"kind\": \"ball\", \"b\": \"bal\"}]",
       "s.json:2:34: joints[0].b is \"bal\", but there is no such body; did you mean \"ball\"?"},
      {"\"joints\": [{\"kind\": \"ball\"}]",
       "s.json:2:12: joints[0] has no \"b\"; a \"ball\" joint needs it"},
      {"\"joints\": [{\"kind\": \"hinge\", \"b\": \"ball[1]\", \"axis\": [0, 0, 0]}]",
       "s.json:2:54: joints[0].axis has the length 0, must be > 0"},
      {"\"joints\": [{\"kind\": \"slider\", \"b\": \"ball[1]\"}]",
       "s.json:2:12: joints[0] has no \"axis\"; a slider joint needs it"},
      {"\"joints\": [{\"kind\": \"hinge\", \"b\": \"ball[1]\", \"axis\": [0, 0, 1],\n"
       " \"axes\": [{\"lower\": 1, \"upper\": -1}]}]",
       "s.json:3:11: joints[0].axes[0] has the lower limit 1 above the upper limit -1"},
      {"\"joints\": [{\"kind\": \"hinge\", \"b\": \"ball[1]\", \"axis\": [0, 0, 1],\n"
       " \"axes\": [{\"motor_speed\": 1}]}]",
       "s.json:3:11: joints[0].axes[0] has a motor without a bound: \"motor_speed\" needs "
       "\"motor_force\""},
      {"\"joints\": [{\"kind\": \"hinge\", \"b\": \"ball[1]\", \"axis\": [0, 0, 1],\n"
       " \"axes\": [{\"axis\": \"slide\"}]}]",
       "s.json:3:10: joints[0].axes[0] names the axis \"slide\"; those of a hinge joint are: turn"},
      {"\"joints\": [{\"kind\": \"distance\", \"b\": \"ball[1]\", \"length\": 0}]",
       "s.json:2:59: joints[0].length is 0, must be > 0"},
      {"\"joints\": [{\"kind\": \"ball\", \"b\": \"ball[1]\", \"length\": 1}]",
       "s.json:2:45: joints[0].length is not a key of a \"ball\" joint; it belongs to "
       "\"distance\""},
      {"\"joints\": [{\"kind\": \"ball\", \"b\": \"ball[1]\", \"point_b\": [0, 0, 1]}]",
       "s.json:2:45: joints[0].point_b is not a key of a \"ball\" joint; it belongs to "
       "\"distance\""},
      {"\"joints\": [{\"kind\": \"screw\", \"b\": \"ball[1]\", \"axis\": [0, 0, 1]}]",
       "s.json:2:12: joints[0] has no \"lead\"; a \"screw\" joint needs it"},
      {"\"joints\": [{\"kind\": \"screw\", \"b\": \"ball[1]\", \"lead\": 1}]",
       "s.json:2:12: joints[0] has no \"axis\"; a screw joint needs it"},
      {"\"joints\": [{\"kind\": \"hinge\", \"b\": \"ball[1]\", \"lead\": 1}]",
       "s.json:2:46: joints[0].lead is not a key of a \"hinge\" joint; it belongs to \"screw\""},
  };
  check_cases(cases, COUNT(cases),
              "{\"rigor\": 1, \"bodies\": [{\"name\": \"floor\", \"kind\": \"static\"}, {\"name\": "
              "\"ball\", "
              "\"mass\": 1, \"rotation_locked\": true, \"repeat\": {\"count\": [2, 1, 1]}}],\n",
              "}");
}

TEST(a_list_that_is_too_long_is_refused) {
  char text[16384];
  size_t used = (size_t)snprintf(text, sizeof text, "{\"rigor\": 1, \"materials\": [");
  for (int i = 0; i < 257; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s{\"name\": \"m%d\"}",
                             i ? ", " : "", i);
  snprintf(text + used, sizeof text - used, "], \"bodies\": []}");
  rgScene* scene;
  rgMessage message;
  CHECK_INT(rg_scene_parse(text, strlen(text), "s.json", &scene, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "s.json:1:27: materials has 257 entries, must have at most 256");
}

TEST(a_file_that_cannot_be_read_is_named) {
  rgScene* scene;
  rgMessage message;
  CHECK_INT(rg_scene_read("no/such/scene.json", &scene, &message), RG_ERROR_IO);
  CHECK_STR(message.text, "cannot read no/such/scene.json: No such file or directory");
  CHECK_INT(rg_scene_read("/", &scene, &message), RG_ERROR_IO);
  CHECK_STR(message.text, "cannot read /: Is a directory");
}

TEST(a_camera_looks_somewhere_and_has_the_keys_of_its_dimension) {
  static const Case in_space[] = {
      {"\"at\": [0, 0, 0]", "s.json:1:24: camera has no \"from\"; a scene of dimension 3 needs it"},
      {"\"at\": [0, 0, 0], \"height\": 2",
       "s.json:1:24: camera has \"height\", must have \"from\" in a scene of dimension 3"},
      {"\"at\": [0, 0, 1], \"from\": [0, 0, 1]",
       "s.json:1:24: camera has \"from\" equal to \"at\", must look somewhere"},
      {"\"from\": [0, 0, 1]", "s.json:1:24: camera has no \"at\"; a camera needs it"},
  };
  check_cases(in_space, COUNT(in_space), "{\"rigor\": 1, \"camera\": {", "}, \"bodies\": []}");
  static const Case flat[] = {
      {"\"at\": [0, 0]", "s.json:1:40: camera has no \"height\"; a scene of dimension 2 needs it"},
      {"\"at\": [0, 0], \"height\": 0", "s.json:1:65: camera.height is 0, must be > 0"},
  };
  check_cases(flat, COUNT(flat), "{\"rigor\": 1, \"dimension\": 2, \"camera\": {",
              "}, \"bodies\": []}");
}
