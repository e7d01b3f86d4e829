// Robots of others, broken in one place: `rigor check` ends with the code of a wrong input, and its message begins with
// the file and the line that was edited, and names what is wrong.
//
// Each edit is made in every model that has a place for it, at the first or last such place. Models are written into a
// temporary folder; their meshes are read where they are.
#include "test.h"

#include <rigor/rigor.h>

typedef struct Edit {
  const char* name;
  const char *find, *put; // the text that is looked for, and what takes its place
  const char* says;       // part of the message
  bool last;              // the last place, not the first
  const char* within; // the place is between two of these, "<" and "</" before them; NULL: anywhere
} Edit;

static const Edit mjcf_edits[] = {
    {"unknown element", "<body ", "<wheel/><body ", "wheel", false, NULL},
    {"unknown attribute", "<geom ", "<geom sise=\"1\" ", "sise", true, NULL},
    {"wrong count of a position", " pos=\"", " pos=\"0 0 0 0 ", "pos", true, NULL},
    {"wrong count of a range", " range=\"", " range=\"0 0 ", "range", false, NULL},
    {"no number", " axis=\"", " axis=\"x ", "axis", true, NULL},
    {"negative inertia", "diaginertia=\"", "diaginertia=\"-", "inertia", true, NULL},
    {"unknown joint", " joint=\"", " joint=\"nobody_", "nobody_", true, NULL},
    {"wrong count of a key", " qpos=\"", " qpos=\"0 ", "qpos", false, NULL},
    {"unknown mesh", " mesh=\"", " mesh=\"gone_", "gone_", true, NULL},
    {"missing meshes", "meshdir=\"", "meshdir=\"gone_", "gone_", false, NULL},
    {"unknown class", " class=\"", " class=\"nobody_", "nobody_", true, NULL},
};
static const Edit urdf_edits[] = {
    {"unknown element", "<link ", "<wheel/><link ", "wheel", true, NULL},
    {"unknown attribute", "<mass ", "<mass weight=\"1\" ", "weight", false, NULL},
    {"negative mass", "<mass value=\"", "<mass value=\"-", "mass", true, NULL},
    {"unknown link", "<child link=\"", "<child link=\"nobody_", "nobody_", true, NULL},
    {"loop in the tree", "<child link=\"", NULL, "a robot is a tree", false,
     NULL}, // becomes its own parent
    {"missing mesh", "filename=\"", "filename=\"gone_", "gone_", false, "collision>"},
    {"wrong count of an origin", "xyz=\"", "xyz=\"0 ", "xyz", false, NULL},
    {"no number", "ixx=\"", "ixx=\"x", "ixx", false, NULL},
    {"unknown kind of joint", "type=\"revolute\"", "type=\"sphere\"", "sphere", true, NULL},
};

static const struct {
  const char *folder, *file;
} models[] = {
    {"mjcf/mujoco", "humanoid.xml"},
    {"mjcf/trs_so_arm100", "so_arm100.xml"},
    {"mjcf/wonik_allegro", "left_hand.xml"},
    {"mjcf/shadow_hand", "right_hand.xml"},
    {"mjcf/robotiq_2f85", "2f85.xml"},
    {"urdf/double_pendulum_description/urdf", "double_pendulum_simple.urdf"},
    {"urdf/simple_humanoid_description/urdf", "simple_humanoid_classical.urdf"},
    {"urdf/finger_edu_description/robots", "finger_edu.urdf"},
    {"urdf/quadruped_description/urdf", "quadruped.urdf"},
};

enum { TEXT = 100000 };

static size_t read_all(const char* path, char* text) {
  FILE* file = fopen(path, "rb");
  REQUIRE_MSG(file, "%s", path);
  size_t length = fread(text, 1, TEXT - 1, file);
  fclose(file);
  text[length] = '\0';
  return length;
}

static char* find(char* text, const char* what, bool last) {
  char *found = strstr(text, what), *next = found;
  while (last && next && (next = strstr(next + 1, what)))
    found = next;
  return found;
}

static int line_of(const char* text, const char* at) {
  int line = 1;
  for (; text < at; text++)
    line += *text == '\n';
  return line;
}

// Puts a text in the place of `length` bytes at `at`.
static void put(char* at, size_t length, const char* text) {
  memmove(at + strlen(text), at + length, strlen(at + length) + 1);
  memcpy(at, text, strlen(text));
}

// What `rigor check` says of a file; its exit code.
static int check_file(const char* path, char* said, size_t size) {
  char command[3000];
  snprintf(command, sizeof command, "%s check %s 2>&1", TEST_BIN, path);
  FILE* pipe = popen(command, "r");
  REQUIRE(pipe);
  size_t length = fread(said, 1, size - 1, pipe);
  said[length] = '\0';
  char rest[1000];
  while (fread(rest, 1, sizeof rest, pipe) > 0) {
  }
  int status = pclose(pipe);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The last line, which the error is in: remarks come before it.
static const char* last_line(char* said) {
  size_t length = strlen(said);
  while (length > 0 && said[length - 1] == '\n')
    said[--length] = '\0';
  const char* line = strrchr(said, '\n');
  return line ? line + 1 : said;
}

// Where an edit is: its line, 0 when several may be named, and that of the element that it is in.
typedef struct Where {
  int line, element;
} Where;

static void check_broken(const char* text, const char* file, Where where, const char* says) {
  static char said[20000];
  const char* path = test_write(file, text, strlen(text));
  char place[TEST_TEXT + 16], element[TEST_TEXT + 16];
  int code = check_file(path, said, sizeof said);
  const char* error = last_line(said);
  CHECK_MSG(code == 2, "exit code %d: %s", code, error);
  snprintf(place, sizeof place, "%s:%d:", path, where.line);
  snprintf(element, sizeof element, "%s:%d:", path, where.element);
  int named = 0;
  if (where.line == 0 && strstr(error, path) == error)
    sscanf(error + strlen(path), ":%d:", &named);
  CHECK_MSG(strstr(error, place) == error || strstr(error, element) == error || named > 0,
            "not at line %d: %s", where.line, error);
  CHECK_MSG(strstr(error, says), "nothing of \"%s\": %s", says, error);
}

// The first place inside an element.
static char* find_within(char* text, const Edit* edit) {
  for (char* from = text; (from = strstr(from, edit->within)); from += strlen(edit->within)) {
    char *at = strstr(from, edit->find), *end = strstr(from + 1, edit->within);
    if (from[-1] == '<' && at && end && at < end)
      return at;
  }
  return NULL;
}

static bool is_minus(const char* text) { return text && text[strlen(text) - 1] == '-'; }

// Applies an edit; false when the model has no place for it.
static bool edit_model(char* text, const Edit* edit, Where* where) {
  char* at = edit->within ? find_within(text, edit) : find(text, edit->find, edit->last);
  if (!at || (is_minus(edit->put) && atof(at + strlen(edit->find)) == 0)) // -0 is no fault
    return false;
  const char* element = at;
  while (*element != '<')
    element--;
  *where = (Where){line_of(text, at), line_of(text, element)};
  if (strcmp(edit->name, "missing meshes") == 0)
    where->line = 0; // the message names the geom that needs one
  if (edit->put) {
    put(at, strlen(edit->find), edit->put);
    return true;
  }
  // The child of a joint becomes its parent.
  char parent[200] = "";
  where->line = 0; // the message may name any joint or link of the loop
  char* before = find(text, "<parent link=\"", false);
  if (!before || sscanf(before, "<parent link=\"%199[^\"]", parent) != 1)
    return false;
  char* name = at + strlen(edit->find);
  put(name, strcspn(name, "\""), parent);
  return true;
}

static void put_everywhere(char* text, const char* what, const char* with) {
  for (char* at = text; (at = strstr(at, what)); at += strlen(with))
    put(at, strlen(what), with);
}

// Meshes are found where the robot is.
static void point_to_meshes(char* text, const char* robots, const char* folder) {
  char path[1200];
  snprintf(path, sizeof path, "meshdir=\"%s/assets", folder);
  put_everywhere(text, "meshdir=\"assets", path);
  snprintf(path, sizeof path, "filename=\"%s/urdf/", robots);
  put_everywhere(text, "filename=\"package://example-robot-data/robots/", path);
  put_everywhere(text, "filename=\"package://", path);
}

static const char* shared_robots(void) {
  static char folder[800];
  const char* shared = getenv("RIGOR_SHARED");
  snprintf(folder, sizeof folder, "%s/data/robots", shared ? shared : "");
  if (!shared || access(folder, R_OK) != 0)
    SKIP("RIGOR_SHARED with data/robots is not there");
  return folder;
}

TEST(an_edit_in_a_robot_is_named_with_its_line) {
  const char* robots = shared_robots();
  static char whole[TEXT], text[2 * TEXT];
  int variants = 0;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    bool urdf = models[m].folder[0] == 'u';
    const Edit* edits = urdf ? urdf_edits : mjcf_edits;
    size_t count =
        urdf ? sizeof urdf_edits / sizeof *urdf_edits : sizeof mjcf_edits / sizeof *mjcf_edits;
    char folder[1000], path[1200];
    snprintf(folder, sizeof folder, "%s/%s", robots, models[m].folder);
    snprintf(path, sizeof path, "%s/%s", folder, models[m].file);
    read_all(path, whole);
    for (size_t i = 0; i < count; i++) {
      Where where;
      memcpy(text, whole, strlen(whole) + 1);
      point_to_meshes(text, robots, folder);
      CONTEXT("%s, %s", models[m].file, edits[i].name);
      if (!edit_model(text, &edits[i], &where))
        continue;
      variants++;
      check_broken(text, models[m].file, where, edits[i].says);
    }
  }
  CHECK_MSG(variants >= 40, "%d variants", variants);
}

// A file that ends too soon.
TEST(a_robot_that_is_cut_off_is_refused_at_its_end) {
  const char* robots = shared_robots();
  static char text[TEXT];
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    char path[1200];
    CONTEXT("%s", models[m].file);
    snprintf(path, sizeof path, "%s/%s/%s", robots, models[m].folder, models[m].file);
    size_t length = read_all(path, text) * (m + 1) / 12;
    text[length] = '\0';
    Where where = {line_of(text, text + length), line_of(text, strrchr(text, '<'))};
    check_broken(text, models[m].file, where, "");
  }
}
