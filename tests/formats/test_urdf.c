// URDF robots and the meshes they name.
#include "test.h"

#include "io/model/mesh.h"
#include "math/vec.h"
#include <rigor/rigor.h>

typedef struct Model {
  rgScene* scene;
  rgWorld* world;
} Model;

static Model load(const char* text, const rgModelOptions* options) {
  Model m = {0};
  rgMessage message = {""};
  const char* path = test_write("r.urdf", text, strlen(text));
  rgStatus status = rg_scene_read_model(path, options, &m.scene, &message);
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

static bool has_remark(Model m, const char* part) {
  const char *place, *text;
  for (int i = 0; rg_scene_note(m.scene, i, &place, &text); i++)
    if (strstr(text, part))
      return true;
  return false;
}

#define MASS                                                                                       \
  "<inertial><mass value='2'/><inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/>"       \
  "</inertial>"

TEST(fixed_joints_merge_and_the_rest_is_a_tree) {
  rgModelOptions options = rg_scene_model_options();
  Model m = load("<robot name='r'><link name='base'>" MASS "</link>"
                 "<link name='arm'>" MASS "</link><link name='tool'>" MASS "</link>"
                 "<link name='frame'/>"
                 "<joint name='f' type='fixed'><parent link='arm'/><child link='tool'/>"
                 "<origin xyz='0 0 1'/></joint>"
                 "<joint name='g' type='fixed'><parent link='tool'/><child link='frame'/></joint>"
                 "<joint name='j' type='revolute'><parent link='base'/><child link='arm'/>"
                 "<origin xyz='1 0 0' rpy='1.5707963267948966 0 1.5707963267948966'/>"
                 "<axis xyz='0 0 1'/><limit lower='.5' upper='1' effort='1' velocity='1'/>"
                 "<dynamics damping='.3' friction='.2'/></joint></robot>",
                 &options);
  CHECK_INT(rg_world_body_count(m.world), 2);
  CHECK_STR(rg_scene_title(m.scene), "r");
  rgMassProperties p = rg_body_mass(m.world, rg_world_find_body(m.world, "arm"));
  CHECK_NEAR(p.mass, 4, 0);
  CHECK_NEAR(p.center.z, 0.5, 1e-15);
  CHECK_NEAR(p.inertia.m[0][0], 0.2 + 4 * 0.25, 1e-14); // two at half a metre from the centre
  rgJointState state;
  REQUIRE_INT(rg_joint_state(m.world, rg_world_find_joint(m.world, "j"), &state), RG_OK);
  CHECK_NEAR(state.coordinate[0], 0.5, 1e-14); // as near to 0 as the limits allow
  // Roll about x, then yaw about z, both fixed axes: z of the joint is the world's x.
  rgVec3 z = quat_rotate(rg_body_pose(m.world, rg_world_find_body(m.world, "arm")).orientation,
                         v3(0, 0, 1));
  CHECK_NEAR(z.x, 1, 1e-14);
  drop(m);
}

TEST(an_inertia_that_no_body_has_is_repaired) {
  static const struct {
    double moments[3];
    const char* why;
  } cases[] = {{{0, 0, 0}, "is not positive"},
               {{1, 1, -2}, "is not positive"},
               {{0.1, 0.1, 3}, "exceeds the sum"}};
  rgModelOptions options = rg_scene_model_options();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    CONTEXT("case %zu", i);
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia ixx='%g' iyy='%g' "
             "izz='%g'/></inertial></link></robot>",
             cases[i].moments[0], cases[i].moments[1], cases[i].moments[2]);
    Model m = load(text, &options);
    CHECK(has_remark(m, cases[i].why));
    rgMat3 a = rg_body_mass(m.world, rg_world_body(m.world, 0)).inertia;
    double x = a.m[0][0], y = a.m[1][1], z = a.m[2][2];
    CHECK(x > 0 && y > 0 && z > 0);
    CHECK(x <= (y + z) * (1 + 1e-9) && y <= (x + z) * (1 + 1e-9) && z <= (x + y) * (1 + 1e-9));
    CHECK_NEAR(z, i == 2 ? 3 : z, 1e-12); // the largest moment stays
    drop(m);
  }
}

// A cube of side 2 in four formats, 12 triangles each; OBJ in two groups.
static const double cube[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static size_t binary_stl(char* out) {
  memset(out, 'x', 80);
  uint32_t count = 12;
  memcpy(out + 80, &count, 4);
  for (int i = 0; i < 12; i++) {
    float numbers[12] = {0};
    for (int k = 0; k < 9; k++)
      numbers[3 + k] = (float)cube[faces[i][k / 3]][k % 3];
    memcpy(out + 84 + 50 * i, numbers, 48);
    memset(out + 84 + 50 * i + 48, 0, 2);
  }
  return 84 + 50 * 12;
}

static size_t text_stl(char* out) {
  char* at = out + sprintf(out, "solid cube\n");
  for (int i = 0; i < 12; i++) {
    at += sprintf(at, "facet normal 0 0 0\nouter loop\n");
    for (int k = 0; k < 3; k++)
      at += sprintf(at, "vertex %g %g %g\n", cube[faces[i][k]][0], cube[faces[i][k]][1],
                    cube[faces[i][k]][2]);
    at += sprintf(at, "endloop\nendfacet\n");
  }
  at += sprintf(at, "endsolid cube\n");
  return (size_t)(at - out);
}

static size_t obj(char* out) {
  char* at = out + sprintf(out, "# cube\no one\n");
  for (int i = 0; i < 8; i++)
    at += sprintf(at, "v %g %g %g\n", cube[i][0], cube[i][1], cube[i][2]);
  for (int i = 0; i < 12; i++)
    at += sprintf(at, "%sf %d/1/1 %d//1 %d\n", i == 6 ? "g two\n" : "", faces[i][0] + 1,
                  faces[i][1] - 8, faces[i][2] + 1);
  return (size_t)(at - out);
}

static size_t dae(char* out) {
  char* at = out + sprintf(out, "<COLLADA><asset><unit meter='0.5'/></asset><library_geometries>"
                                "<geometry id='g'><mesh><source id='p'><float_array>");
  for (int i = 0; i < 24; i++) // twice as large, in half metres, around (2, 0, 0)
    at += sprintf(at, "%g ", 2 * cube[i / 3][i % 3] + (i % 3 == 0 ? 4 : 0));
  at += sprintf(at, "</float_array></source><vertices id='v'><input semantic='POSITION' "
                    "source='#p'/></vertices><polylist><input semantic='VERTEX' source='#v' "
                    "offset='1'/><vcount>");
  for (int i = 0; i < 12; i++)
    at += sprintf(at, "3 ");
  at += sprintf(at, "</vcount><p>");
  for (int i = 0; i < 36; i++)
    at += sprintf(at, "0 %d ", faces[i / 3][i % 3]);
  at += sprintf(at, "</p></polylist></mesh></geometry></library_geometries><library_visual_scenes>"
                    "<visual_scene><node><matrix>0 -1 0 0 1 0 0 -4 0 0 1 0 0 0 0 1</matrix>"
                    "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes>"
                    "</COLLADA>");
  return (size_t)(at - out);
}

TEST(a_cube_is_the_same_in_every_format) {
  static const struct {
    const char* name;
    size_t (*write)(char* out);
    int groups;
  } kinds[] = {
      {"a.stl", binary_stl, 1}, {"b.STL", text_stl, 1}, {"c.obj", obj, 2}, {"d.dae", dae, 1}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    CONTEXT("%s", kinds[i].name);
    char text[8000];
    rgPool pool = {rg_allocator_default(), NULL}, scratch = {rg_allocator_default(), NULL};
    rgMesh mesh;
    rgMessage message = {""};
    size_t length = kinds[i].write(text);
    rgStatus status = rg_mesh_parse(text, length, kinds[i].name, &pool, &mesh, &message);
    if (status != RG_ERROR_UNSUPPORTED) {
      REQUIRE_MSG(status == RG_OK, "%s", message.text);
      CHECK_INT(mesh.triangles.count, 12);
      CHECK_INT(mesh.groups.count, kinds[i].groups);
      rgMassProperties mass;
      CHECK(rg_mesh_mass(mesh.points.items, mesh.triangles.items, 12, false, &mass));
      CHECK_NEAR(mass.mass, 8, 1e-13);
      CHECK_NEAR(v3_norm(mass.center), 0, 1e-13);
      rgList corners;
      double dropped;
      REQUIRE_INT(rg_mesh_hull(mesh.points.items, mesh.points.count, 100, &scratch, &pool, &corners,
                               &dropped, &message),
                  RG_OK);
      CHECK_INT(corners.count, 8);
      CHECK_NEAR(dropped, 0, 0);
    }
    rg_pool_free(&pool);
    rg_pool_free(&scratch);
  }
}

TEST(a_hull_that_is_cut_says_by_how_much) {
  enum { COUNT = 2000 };
  static rgVec3 points[COUNT];
  uint64_t state = 3;
  for (int i = 0; i < COUNT; i++) {
    rgVec3 p = v3(2 * rg_random_unit(&state) - 1, 2 * rg_random_unit(&state) - 1,
                  2 * rg_random_unit(&state) - 1);
    points[i] = v3_unit_or(p, v3(0, 0, 1));
  }
  double last = 1;
  static const int most[] = {8, 20, 50, 100, 400};
  for (size_t k = 0; k < sizeof most / sizeof *most; k++) {
    CONTEXT("at most %d", most[k]);
    rgPool pool = {rg_allocator_default(), NULL}, scratch = {rg_allocator_default(), NULL};
    rgList corners;
    double dropped;
    rgMessage message = {""};
    REQUIRE_INT(rg_mesh_hull(points, COUNT, most[k], &scratch, &pool, &corners, &dropped, &message),
                RG_OK);
    CHECK(corners.count <= most[k] && corners.count >= most[k] / 2);
    CHECK_MSG(dropped > 0 && dropped < last, "%g after %g, %d corners", dropped, last,
              corners.count);
    last = dropped;
    // N points on a sphere leave caps of about the area 4 pi / N; the height of such a cap is 2 / N,
    // and the farthest of 2,000 points is within a few times that.
    CHECK_MSG(dropped < 12.0 / most[k], "%g", dropped);
    rg_pool_free(&pool);
    rg_pool_free(&scratch);
  }
}

TEST(packages_are_found_and_the_ground_lies_under_the_feet) {
  char text[8000];
  size_t length = text_stl(text);
  test_write("pkg/meshes/cube.stl", text, length);
  rgModelOptions options = rg_scene_model_options();
  options.ground = true;
  const char* robot = "<robot name='r'><link name='a'>" MASS
                      "<collision><geometry><mesh filename='package://%s/meshes/cube.stl' "
                      "scale='.5 .5 2'/></geometry></collision></link></robot>";
  snprintf(text, sizeof text, robot, "pkg");
  Model m = load(text, &options);
  rgPose ground = rg_body_pose(m.world, rg_world_find_body(m.world, "ground"));
  CHECK_NEAR(ground.position.z, -2, 1e-9);
  for (int i = 0; i < 50; i++)
    REQUIRE_INT(rg_world_step(m.world, NULL), RG_OK);
  CHECK_NEAR(rg_body_pose(m.world, rg_world_find_body(m.world, "a")).position.z, 0, 1e-6);
  drop(m);
  char package[TEST_TEXT + 16];
  const char* packages[] = {package};
  snprintf(package, sizeof package, "other=%s", test_temporary("pkg"));
  options.packages = packages;
  options.package_count = 1;
  snprintf(text, sizeof text, robot, "other");
  m = load(text, &options);
  CHECK_STR(rg_scene_file(m.scene, 0) ? "found" : "none", "found");
  drop(m);
}
