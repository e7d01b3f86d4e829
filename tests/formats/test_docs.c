// The documentation of the scene format and of the certificate is what the program prints.
#include "test.h"

#include <rigor/scene.h>

static char* read_all(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file)
    return NULL;
  enum { SIZE = 1 << 20 };
  char* text = calloc(1, SIZE);
  size_t length = text ? fread(text, 1, SIZE - 1, file) : 0;
  fclose(file);
  if (text)
    text[length] = 0;
  return text;
}

static void check_same(size_t (*print)(char*, size_t), const char* name, const char* command) {
  size_t length = print(NULL, 0);
  char* printed = malloc(length + 1);
  REQUIRE(printed != NULL);
  CHECK_INT((long long)print(printed, length + 1), (long long)length);
  char path[1024];
  snprintf(path, sizeof path, "%s/docs/%s", TEST_ROOT, name);
  char* kept = read_all(path);
  CHECK_MSG(kept != NULL && strcmp(kept, printed) == 0,
            "docs/%s is out of date; make it again with: %s > docs/%s", name, command, name);
  free(kept);
  free(printed);
}

TEST(scene_md_is_up_to_date) {
  check_same(rg_scene_reference, "scene.md", "build/rigor list scene");
}

TEST(scene_schema_json_is_up_to_date) {
  check_same(rg_scene_schema, "scene.schema.json", "build/rigor list schema");
}

TEST(certificate_md_is_up_to_date) {
  check_same(rg_certificate_reference, "certificate.md", "build/rigor list certificate");
}

TEST(a_buffer_that_is_too_small_holds_the_beginning) {
  char text[16];
  memset(text, 'x', sizeof text);
  size_t length = rg_scene_reference(text, sizeof text);
  CHECK(length > 1000);
  CHECK_STR(text, "# Scene files\n\n");
}

// Every key of every object is described: the reference and the schema come from the same tables.
TEST(the_schema_is_json_and_the_reference_names_its_keys) {
  static char reference[1 << 17], schema[1 << 17];
  rg_scene_reference(reference, sizeof reference);
  rg_scene_schema(schema, sizeof schema);
  const char* at = schema;
  int keys = 0;
  while ((at = strstr(at, "\n        \""))) {
    at += 10;
    char key[64] = "| `";
    size_t length = strcspn(at, "\"");
    REQUIRE(length < 40);
    strncat(key, at, length);
    strcat(key, "` |");
    CHECK_CONTAINS(reference, key);
    keys++;
  }
  CHECK_MSG(keys > 70, "%d keys", keys);
}
