// Broken models: every message begins with the file and the line, and says what is wrong.
#include "test.h"

#include <rigor/rigor.h>

typedef struct Case {
  const char* text;    // of the model; lines are counted from 1
  const char* file;    // that the message names
  int line;            // 0: a binary file has none
  const char* message; // part of it
} Case;

static void check_case(const Case* c, const char* name) {
  char place[TEST_TEXT + 16];
  rgMessage message = {""};
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  const char* path = test_write(name, c->text, strlen(c->text));
  CONTEXT("%.200s", c->text);
  rgStatus status = rg_scene_read(path, &scene, &message);
  if (status == RG_OK)
    status = rg_scene_build(scene, NULL, &world, &message);
  if (status == RG_ERROR_UNSUPPORTED)
    SKIP("this build has no expat");
  CHECK_INT(status, RG_ERROR_INPUT);
  if (c->line > 0)
    snprintf(place, sizeof place, "%s:%d:", test_temporary(c->file), c->line);
  else
    snprintf(place, sizeof place, "%s", test_temporary(c->file));
  CHECK_CONTAINS(message.text, place);
  CHECK_CONTAINS(message.text, c->message);
  rg_world_destroy(world);
  rg_scene_free(scene);
}

static void check_cases(const Case* cases, size_t count, const char* name) {
  test_write("good.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", 56);
  test_write("loop.xml", "<mujoco>\n<include file='loop.xml'/></mujoco>", 44);
  test_write("part.xml", "<mujoco>\n<default>\n<geom sise='1'/></default></mujoco>", 54);
  test_write("short.stl", "not a mesh", 10);
  test_write("cut.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nendloop", 56);
  test_write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 3 4\n", 49);
  test_write("bad.obj", "v 0 0 0\nv 1 0 0\nf 1 2 7\n", 24);
  test_write("bad.dae",
             "<COLLADA>\n<library_geometries>\n<geometry id='g'><mesh/></geometry>"
             "</library_geometries></COLLADA>",
             97);
  for (size_t i = 0; i < count; i++)
    check_case(&cases[i], name);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define BODY(inside)                                                                               \
  "<mujoco>\n<worldbody>\n<body name='a'>\n" inside "</body></worldbody></mujoco>"
#define FREE(inside) BODY("<freejoint/>\n" inside)
#define AFTER(sections)                                                                            \
  "<mujoco>\n<worldbody><body name='a'><joint name='j'/><geom name='g' size='1'/></body>\n"        \
  "</worldbody>\n" sections "</mujoco>"

TEST(broken_xml_and_mjcf_say_where) {
  static const Case cases[] = {
      {"<mujoco>\n<worldbody>\n</mujoco>", "m.xml", 3, "not well-formed XML: mismatched tag"},
      {"<mujoco>\n<worldbody", "m.xml", 2, "not well-formed XML"},
      {"<mujoco>\n\xff</mujoco>", "m.xml", 2, "not well-formed XML"},
      {"<!DOCTYPE a [<!ENTITY b 'c'>]>\n<mujoco/>", "m.xml", 1,
       "document types and entities are not"},
      {"\n<sdf/>", "m.xml", 2, "the file begins with <sdf>"},
      {"<mujoco/>", "m.xml", 1, "has no bodies"},
      {"<mujoco>\n<wordbody/></mujoco>", "m.xml", 2, "did you mean <worldbody>?"},
      {"<mujoco modell='x'/>", "m.xml", 1, "unknown attribute modell"},
      {FREE("<geom\n size='1' frictoin='1'/>"), "m.xml", 6, "did you mean friction?"},
      {FREE("<geom size='-1'/>"), "m.xml", 5, "it needs 1 that are > 0"},
      {FREE("<geom size='1 x'/>"), "m.xml", 5, "has 'x', must be a finite number"},
      {FREE("<geom size='nan'/>"), "m.xml", 5, "must be a finite number"},
      {FREE("<geom size='1' type='blob'/>"), "m.xml", 5, "must be one of: plane, hfield"},
      {FREE("<geom size='1' class='no'/>"), "m.xml", 5, "which no <default> has"},
      {FREE("<geom size='1' quat='0 0 0 0'/>"), "m.xml", 5, "must not be zero"},
      {FREE("<geom size='1' condim='2'/>"), "m.xml", 5, "must be 1, 3, 4 or 6"},
      {FREE("<geom type='capsule' size='1' fromto='0 0 0 0 0 0'/>"), "m.xml", 5, "two equal ends"},
      {FREE("<geom type='mesh' mesh='no'/>"), "m.xml", 5, "which no <mesh> of <asset> has"},
      {FREE("<inertial mass='1' diaginertia='1 1 -1'/>"), "m.xml", 5, "is not positive"},
      {FREE("<inertial mass='1' diaginertia='1 1 5'/>"), "m.xml", 5, "exceeds the sum"},
      {FREE("<inertial pos='0 0 0' diaginertia='1 1 1'/>"), "m.xml", 5, "needs a mass"},
      {FREE(""), "m.xml", 3, "moves but has no mass"},
      {FREE("<joint/><geom size='1'/>"), "m.xml", 5, "a free joint has no other joints"},
      {BODY("<joint axis='0 0 0'/>"), "m.xml", 4, "axis of <joint> is zero"},
      {BODY("<joint range='2 1'/>"), "m.xml", 4, "must increase"},
      {BODY("<joint damping='-1'/>"), "m.xml", 4, "must be >= 0"},
      {BODY("<body>\n<freejoint/></body>"), "m.xml", 5, "for children of the world"},
      {BODY("<geom size='1'/><body name='a'/>"), "m.xml", 4, "names must be unique"},
      {AFTER("<actuator>\n<motor joint='k'/></actuator>"), "m.xml", 5, "is no joint of the model"},
      {AFTER("<contact><exclude body1='a'\n body2='b'/></contact>"), "m.xml", 5, "no body of the"},
      {AFTER("<keyframe><key qpos='1 2'/></keyframe>"), "m.xml", 4, "has 2 numbers, must have 1"},
      {AFTER("<equality><connect body1='a'/></equality>"), "m.xml", 4, "has no anchor"},
      {AFTER("<asset><mesh name='m'/></asset>"), "m.xml", 4, "neither file nor vertex"},
      {AFTER("<deformable><flex/></deformable>"), "m.xml", 4, "is not supported"},
      {"<mujoco>\n<include file='no.xml'/></mujoco>", "m.xml", 2, "cannot read"},
      {"<mujoco>\n<include file='loop.xml'/></mujoco>", "loop.xml", 2, "include each other"},
      {"<mujoco>\n<include file='part.xml'/></mujoco>", "part.xml", 3, "did you mean size?"},
      {"<mujoco><asset>\n<mesh file='short.stl'/></asset><worldbody><body><freejoint/>\n"
       "<geom type='mesh' mesh='short'/></body></worldbody></mujoco>",
       "m.xml", 2, "short.stl: has 10 bytes"},
      {"<mujoco><asset>\n<mesh file='flat.obj'/></asset><worldbody>\n"
       "<geom type='mesh' mesh='flat'/></worldbody></mujoco>",
       "m.xml", 3, "has no convex hull"},
      {"<mujoco><asset>\n<mesh file='no.obj'/></asset><worldbody>\n"
       "<geom type='mesh' mesh='no'/></worldbody></mujoco>",
       "m.xml", 3, "no.obj, the file of a mesh that collides, cannot be read"},
      {"<mujoco><option\n timestep='0'/><worldbody/></mujoco>", "m.xml", 2, "must be > 0"},
      {"<mujoco><default>\n<default/></default></mujoco>", "m.xml", 2, "has no class"},
  };
  check_cases(cases, COUNT(cases), "m.xml");
}

#define MASS "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
#define LINKS "<robot name='r'>\n<link name='a'>" MASS "</link>\n<link name='b'>" MASS "</link>\n"
#define JOINT(inside) LINKS "<joint name='j' " inside "</joint></robot>"
#define ENDS "<parent link='a'/><child link='b'/>"
#define SHAPE(inside)                                                                              \
  "<robot name='r'>\n<link name='a'>" MASS "\n<collision><geometry>" inside                        \
  "</geometry></collision></link></robot>"

TEST(broken_urdf_and_meshes_say_where) {
  static const Case cases[] = {
      {"<robot name='r'/>", "r.urdf", 1, "has no links"},
      {"<robot name='r'>\n<link/></robot>", "r.urdf", 2, "has no name"},
      {"<robot name='r'>\n<lnk name='a'/></robot>", "r.urdf", 2, "did you mean <link>?"},
      {"<robot name='r'>\n<link name='a'/>\n<link name='a'/></robot>", "r.urdf", 3, "unique"},
      {"<robot name='r'>\n<xacro:macro name='m'/></robot>", "r.urdf", 2,
       "expand them first: xacro"},
      {"<robot name='r'>\n<link name='${x}'/></robot>", "r.urdf", 2, "expand them first: xacro"},
      {"<robot name='r'>\n<link name='a'/></robot>", "r.urdf", 2, "moves but has no mass"},
      {"<robot name='r'>\n<link name='a'><inertial/></link></robot>", "r.urdf", 2, "has no <mass"},
      {"<robot name='r'>\n<link name='a'><inertial><mass value='-1'/></inertial></link></robot>",
       "r.urdf", 2, "must be >= 0"},
      {JOINT(">" ENDS), "r.urdf", 4, "has no type"},
      {JOINT("type='ball'>" ENDS), "r.urdf", 4, "must be one of: revolute"},
      {JOINT("type='fixed'><parent link='a'/>"), "r.urdf", 4, "has no <child"},
      {JOINT("type='fixed'>\n<parent link='a'/><child link='c'/>"), "r.urdf", 5,
       "is no link of the"},
      {JOINT("type='revolute'>" ENDS "\n<limit lower='2' upper='1'/>"), "r.urdf", 5, "is above"},
      {JOINT("type='revolute'>" ENDS "\n<axis xyz='0 0 0'/>"), "r.urdf", 5, "is zero"},
      {JOINT("type='revolute'>" ENDS "\n<mimic joint='k'/>"), "r.urdf", 5, "<mimic> follows"},
      {JOINT("type='fixed'>" ENDS "\n<origin xyz='1 2'/>"), "r.urdf", 5,
       "has 2 numbers, must have 3"},
      {LINKS "<joint name='j' type='fixed'>" ENDS "</joint>\n<joint name='k' type='fixed'>\n"
             "<parent link='b'/><child link='a'/></joint></robot>",
       "r.urdf", 2, "is in a loop of joints"},
      {LINKS "<joint name='j' type='fixed'>" ENDS "</joint>\n<joint name='k' type='fixed'>" ENDS
             "</joint></robot>",
       "r.urdf", 5, "has two parents"},
      {SHAPE("<box size='1 1'/>"), "r.urdf", 3, "has 2 numbers, must have 3"},
      {SHAPE("<sphere/>"), "r.urdf", 3, "must be > 0"},
      {SHAPE(""), "r.urdf", 3, "has no <geometry>"},
      {SHAPE("\n<mesh filename='package://p/m.stl'/>"), "r.urdf", 4, "--package p=DIR"},
      {SHAPE("\n<mesh filename='no.stl'/>"), "r.urdf", 4, "cannot be read"},
      {SHAPE("\n<mesh filename='cut.stl'/>"), "r.urdf", 4, "cut.stl:5:"},
      {SHAPE("\n<mesh filename='bad.obj'/>"), "r.urdf", 4,
       "bad.obj:3:7: a face names the point '7'"},
      {SHAPE("\n<mesh filename='bad.dae'/>"), "r.urdf", 4, "bad.dae:3:18: has no <float_array>"},
      {SHAPE("\n<mesh filename='good.xml'/>"), "r.urdf", 4, "its name must end with .stl"},
  };
  check_cases(cases, COUNT(cases), "r.urdf");
}

TEST(elements_nested_without_end_are_refused) {
  enum { DEPTH = 5000 };
  char* text = malloc(DEPTH * 6 + 100);
  REQUIRE(text != NULL);
  strcpy(text, "<mujoco>");
  for (int i = 0; i < DEPTH; i++)
    memcpy(text + 8 + 6 * i, "<body>", 7);
  rgScene* scene;
  rgMessage message = {""};
  rgStatus status = rg_scene_parse(text, strlen(text), "m.xml", &scene, &message);
  free(text);
  if (status == RG_ERROR_UNSUPPORTED)
    SKIP("this build has no expat");
  CHECK_INT(status, RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "nested too deeply");
}

TEST(strict_makes_remarks_errors) {
  const char* text =
      "<mujoco>\n<option cone='elliptic'/><worldbody><geom size='1'/></worldbody></mujoco>";
  const char* path = test_write("m.xml", text, strlen(text));
  rgModelOptions options = rg_scene_model_options();
  rgScene* scene;
  rgMessage message = {""};
  rgStatus status = rg_scene_read_model(path, &options, &scene, &message);
  rg_scene_free(scene);
  options.strict = true;
  rgStatus strict = rg_scene_read_model(path, &options, &scene, &message);
  if (status == RG_ERROR_UNSUPPORTED)
    SKIP("this build has no expat");
  CHECK_INT(status, RG_OK);
  CHECK_INT(strict, RG_ERROR_INPUT);
  CHECK_CONTAINS(message.text, "m.xml:2:9: cone of <option> is ignored");
}
