// Files that are never half written: what was there stays until the new file is whole, links and
// permissions are kept, and nothing is left beside.
#include "test.h"

#include <rigor/util.h>

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// A folder of its own for each test.
static const char* make_folder(void) {
  static char folder[256];
  snprintf(folder, sizeof folder, "%s", test_temporary("output-XXXXXX"));
  REQUIRE(mkdtemp(folder) != NULL);
  return folder;
}

static const char* in(const char* folder, const char* name) { return test_path(folder, name); }

static void write_plain(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  REQUIRE(file != NULL);
  fputs(text, file);
  REQUIRE(fclose(file) == 0);
}

static void check_text(const char* path, const char* expected) {
  char text[256] = "";
  FILE* file = fopen(path, "rb");
  REQUIRE(file != NULL);
  CHECK(fread(text, 1, sizeof text - 1, file) < sizeof text);
  fclose(file);
  CHECK_STR(text, expected);
}

static int count_files(const char* folder) {
  int count = 0;
  DIR* entries = opendir(folder);
  REQUIRE(entries != NULL);
  for (struct dirent* entry; (entry = readdir(entries));)
    count += entry->d_name[0] != '.' || (entry->d_name[1] && entry->d_name[1] != '.');
  closedir(entries);
  return count;
}

static void remove_folder(const char* folder) {
  DIR* entries = opendir(folder);
  REQUIRE(entries != NULL);
  for (struct dirent* entry; (entry = readdir(entries));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      remove(in(folder, entry->d_name));
  closedir(entries);
  CHECK(rmdir(folder) == 0);
}

static rgStatus write_output(const char* path, const char* text, rgMessage* message) {
  rgOutput* output;
  rgStatus status = rg_output_open(path, &output, message);
  if (status != RG_OK)
    return status;
  fputs(text, rg_output_stream(output));
  return rg_output_commit(output, message);
}

TEST(the_old_file_stays_until_the_new_one_is_whole) {
  const char *folder = make_folder(), *path = in(folder, "a.txt");
  write_plain(path, "old");
  rgOutput* output;
  REQUIRE_INT(rg_output_open(path, &output, NULL), RG_OK);
  fputs("new", rg_output_stream(output));
  fflush(rg_output_stream(output));
  check_text(path, "old");
  CHECK_INT(rg_output_commit(output, NULL), RG_OK);
  check_text(path, "new");
  CHECK_INT(count_files(folder), 1);
  remove_folder(folder);
}

TEST(what_is_abandoned_leaves_no_trace) {
  const char *folder = make_folder(), *path = in(folder, "a.txt");
  for (int there = 0; there < 2; there++) {
    if (there)
      write_plain(path, "old");
    rgOutput* output;
    REQUIRE_INT(rg_output_open(path, &output, NULL), RG_OK);
    fputs("new", rg_output_stream(output));
    rg_output_abandon(output);
    CHECK_INT(count_files(folder), there);
  }
  check_text(path, "old");
  remove_folder(folder);
}

// Programs that write one file at the same time have each a file of their own beside it; the last that
// ends has its text there.
TEST(outputs_of_one_path_do_not_meet) {
  enum { WRITERS = 20 };
  const char *folder = make_folder(), *path = in(folder, "a.txt");
  rgOutput* outputs[WRITERS];
  for (int i = 0; i < WRITERS; i++) {
    REQUIRE_INT(rg_output_open(path, &outputs[i], NULL), RG_OK);
    fprintf(rg_output_stream(outputs[i]), "text %d", i);
  }
  CHECK_INT(count_files(folder), WRITERS);
  for (int i = 0; i < WRITERS; i++) {
    char expected[16];
    CHECK_INT(rg_output_commit(outputs[i], NULL), RG_OK);
    snprintf(expected, sizeof expected, "text %d", i);
    check_text(path, expected);
  }
  CHECK_INT(count_files(folder), 1);
  remove_folder(folder);
}

// A full disk, by a limit on the size of files: at each of them the old file or the whole new one.
TEST(a_full_disk_leaves_the_old_file) {
  const char *folder = make_folder(), *path = in(folder, "a.txt");
  struct rlimit before;
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  signal(SIGXFSZ, SIG_IGN);
  for (rlim_t limit = 0; limit < 12; limit++) {
    write_plain(path, "old");
    struct rlimit small = {.rlim_cur = limit, .rlim_max = before.rlim_max};
    rgMessage message = {""};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    rgStatus status = write_output(path, "new text", &message);
    REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CONTEXT("%ld bytes", (long)limit);
    CHECK_INT(status, limit < 8 ? RG_ERROR_IO : RG_OK);
    check_text(path, limit < 8 ? "old" : "new text");
    if (limit < 8)
      CHECK_CONTAINS(message.text, "a.txt: File too large");
    CHECK_INT(count_files(folder), 1);
  }
  remove_folder(folder);
}

TEST(links_are_followed_and_stay) {
  const char* folder = make_folder();
  write_plain(in(folder, "target"), "old");
  REQUIRE(symlink("target", in(folder, "one")) == 0);
  REQUIRE(symlink("one", in(folder, "two")) == 0);
  REQUIRE(symlink(in(folder, "fresh"), in(folder, "dangling")) == 0);
  REQUIRE(symlink("loop", in(folder, "loop")) == 0);
  CHECK_INT(write_output(in(folder, "two"), "new", NULL), RG_OK);
  CHECK_INT(write_output(in(folder, "dangling"), "made", NULL), RG_OK);
  check_text(in(folder, "target"), "new");
  check_text(in(folder, "fresh"), "made");
  struct stat about;
  CHECK(lstat(in(folder, "two"), &about) == 0 && S_ISLNK(about.st_mode));
  CHECK(lstat(in(folder, "dangling"), &about) == 0 && S_ISLNK(about.st_mode));
  CHECK_INT(write_output(in(folder, "loop"), "x", NULL), RG_ERROR_IO);
  remove_folder(folder);
}

TEST(permissions_are_kept) {
  const char *folder = make_folder(), *path = in(folder, "a.txt");
  static const mode_t modes[] = {0600, 0640, 0644, 0666, 0777};
  for (int i = 0; i < (int)(sizeof modes / sizeof *modes); i++) {
    write_plain(path, "old");
    REQUIRE(chmod(path, modes[i]) == 0);
    CHECK_INT(write_output(path, "new", NULL), RG_OK);
    struct stat about;
    REQUIRE(stat(path, &about) == 0);
    CHECK_INT(about.st_mode & 0777, modes[i]);
    remove(path);
  }
  remove_folder(folder);
}

TEST(what_is_no_file_is_written_directly) {
  rgMessage message = {""};
  CHECK_INT(write_output("/dev/null", "text", &message), RG_OK);
  struct stat about;
  REQUIRE(stat("/dev/null", &about) == 0);
  CHECK(S_ISCHR(about.st_mode));
  if (access("/dev/full", W_OK) == 0) {
    CHECK_INT(write_output("/dev/full", "text", &message), RG_ERROR_IO);
    CHECK_STR(message.text, "cannot write /dev/full: No space left on device");
  }
}

TEST(what_cannot_be_written_is_named) {
  const char* folder = make_folder();
  rgMessage message = {""};
  char expected[512];
  CHECK_INT(write_output("no/such/folder/a", "x", &message), RG_ERROR_IO);
  CHECK_STR(message.text, "cannot write no/such/folder/a: No such file or directory");
  CHECK_INT(write_output(folder, "x", &message), RG_ERROR_IO);
  snprintf(expected, sizeof expected, "cannot write %s: Is a directory", folder);
  CHECK_STR(message.text, expected);
  remove_folder(folder);
}
