// What is left of a trajectory when the process is killed, or the disk is full, at any of its
// writes: the frames of the last flush, to the bit, and never anything else.
//
// A child process records a run. The functions that change a file are replaced here: the one with a
// given number does a part of its work and then kills the process, or fails, and all that follow it
// fail too. The parent reads what is on the disk.
#define _DEFAULT_SOURCE // syscall, MAP_ANONYMOUS
#include "test.h"

#include <rigor/load.h>
#include <rigor/scene.h>
#include <rigor/trajectory.h>

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BODIES = 3, FRAMES = 20, FLUSH = 8, WIDTH = 7, CONTACTS = 4 };
static const unsigned EVERYTHING =
    RG_RECORD_BODIES | RG_RECORD_CONTACTS | RG_RECORD_JOINTS | RG_RECORD_FORCES;
enum { THROUGH = 77 }; // status of a child that recorded the whole run

// -------------------------------------------------------------------------------------------------
// Faults
// -------------------------------------------------------------------------------------------------

typedef enum Fault { FAULT_KILL, FAULT_FULL } Fault;

static struct {
  Fault fault;
  long left;     // calls until it strikes; 0 = never
  unsigned part; // how much of the call that is struck is done, in parts of 16
  bool full;     // it struck
} plan;

// True when this call is struck; *size becomes the part of it that is done.
static bool strikes(size_t* size) {
  if (plan.full)
    *size = 0;
  if (plan.full || plan.left == 0 || --plan.left > 0)
    return plan.full;
  *size = *size * plan.part / 16;
  plan.full = true;
  return true;
}

static ssize_t struck(size_t done) {
  if (plan.fault == FAULT_KILL)
    kill(getpid(), SIGKILL);
  errno = ENOSPC;
  return done > 0 ? (ssize_t)done : -1;
}

ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  bool hit = strikes(&size);
  if (hit && size == 0)
    return struck(0);
  ssize_t done = syscall(SYS_pwrite64, file, bytes, size, at);
  return hit ? struck(size) : done;
}

// A file can always be made shorter, but the process may be killed before or after it.
int ftruncate(int file, off_t size) {
  size_t done = 16;
  bool hit = plan.fault == FAULT_KILL && strikes(&done);
  if (hit && done < 8)
    struck(0);
  int result = (int)syscall(SYS_ftruncate, file, size);
  if (hit)
    struck(0);
  return result;
}

// -------------------------------------------------------------------------------------------------
// The run
// -------------------------------------------------------------------------------------------------

static const char scene_text[] =
    "{\"rigor\": 1, \"bodies\": [{\"name\": \"floor\", \"kind\": \"static\", \"shapes\": "
    "[{\"shape\": \"halfspace\"}]},\n"
    "{\"name\": \"one\", \"position\": [0.1, 0.2, 0.5], \"velocity\": [1, 0.3, 0], "
    "\"angular_velocity\": [1, 2, 3], \"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.1}]},\n"
    "{\"position\": [3, 0, 0.1], \"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.1}]}]}";

// What the child tells the parent.
typedef struct Told {
  double pose[FRAMES][BODIES][WIDTH];
  rgContactLoad contacts[FRAMES][CONTACTS];
  int contact_count[FRAMES];
  int appended, flushed; // frames
  bool made;             // the file, with its scene
} Told;

static void note_poses(const rgWorld* world, Told* told, int frame) {
  for (int i = 0; i < BODIES; i++) {
    rgPose pose = rg_body_pose(world, rg_world_body(world, i));
    const rgVec3 p = pose.position;
    const rgQuat q = pose.orientation;
    const double values[WIDTH] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
    memcpy(told->pose[frame][i], values, sizeof values);
  }
  told->contact_count[frame] = rg_world_contact_loads(world, told->contacts[frame], CONTACTS);
}

// Records until something fails. True when all went well.
static bool record(const char* path, Told* told) {
  rgMessage message = {""};
  rgScene* scene;
  rgWorld* world;
  rgTrajectory* trajectory = NULL;
  if (rg_scene_parse(scene_text, strlen(scene_text), "s.json", &scene, &message) != RG_OK ||
      rg_scene_build(scene, NULL, &world, &message) != RG_OK)
    return false;
  bool good = rg_trajectory_create_of(path, world, EVERYTHING, &trajectory, &message) == RG_OK &&
              rg_trajectory_keep_scene(trajectory, scene_text, &message) == RG_OK;
  told->made = good;
  for (int frame = 0; frame < FRAMES && good; frame++) {
    note_poses(world, told, frame);
    good = rg_trajectory_append(trajectory, world, &message) == RG_OK;
    told->appended = frame + 1;
    if (good && told->appended % FLUSH == 0) {
      good = rg_trajectory_flush(trajectory, &message) == RG_OK;
      told->flushed = good ? told->appended : told->flushed;
    }
    rg_world_step(world, NULL);
  }
  good = rg_trajectory_close(trajectory, &message) == RG_OK && good;
  rg_world_destroy(world);
  rg_scene_free(scene);
  return good;
}

static Told* shared_told(void) {
  Told* told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  REQUIRE(told != MAP_FAILED);
  return told;
}

// Runs the child; returns how it ended, as waitpid says.
static int run_child(const char* path, Fault fault, long call, unsigned part, Told* told) {
  memset(told, 0, sizeof *told);
  fflush(NULL);
  pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    plan.fault = fault;
    plan.left = call;
    plan.part = part;
    bool good = record(path, told);
    exit(good ? THROUGH : 0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

// -------------------------------------------------------------------------------------------------
// What is left
// -------------------------------------------------------------------------------------------------

static void check_contacts(const rgRecording* recording, const Told* told, int frame) {
  REQUIRE(recording->contact_start != NULL);
  int64_t start = recording->contact_start[frame];
  REQUIRE_INT(recording->contact_start[frame + 1] - start, told->contact_count[frame]);
  for (int i = 0; i < told->contact_count[frame]; i++) {
    const rgRecordedContact* got = &recording->contacts[start + i];
    const rgContactLoad* want = &told->contacts[frame][i];
    CHECK_INT(got->body_a, (int)want->body_a.index);
    CHECK_INT(got->body_b, (int)want->body_b.index);
    CHECK_BITS(got->force.x, want->force.x);
    CHECK_BITS(got->force.z, want->force.z);
    CHECK_BITS(got->point.y, want->point.y);
    CHECK_BITS(got->normal.z, want->normal.z);
    CHECK_BITS(got->gap, want->gap);
  }
}

static void check_frames(const rgRecording* recording, const Told* told, int least, int most) {
  REQUIRE_INT(recording->body_count, BODIES);
  CHECK_MSG(recording->frame_count >= least && recording->frame_count <= most,
            "%d frames, must be %d to %d", recording->frame_count, least, most);
  for (int frame = 0; frame < recording->frame_count && frame < most; frame++) {
    CHECK_INT(recording->step[frame], frame);
    check_contacts(recording, told, frame);
    for (int i = 0; i < BODIES; i++) {
      int at = frame * BODIES + i;
      const rgVec3 p = recording->position[at];
      const rgQuat q = recording->orientation[at];
      const double values[WIDTH] = {p.x, p.y, p.z, q.w, q.x, q.y, q.z};
      for (int k = 0; k < WIDTH; k++)
        CHECK_BITS(values[k], told->pose[frame][i][k]);
    }
  }
}

static void check_left(const char* path, const Told* told) {
  rgRecording* recording;
  rgMessage message = {""};
  rgStatus status = rg_recording_read(path, &recording, &message);
  if (status != RG_OK && !told->made && access(path, F_OK) != 0)
    return; // it was struck before the file was in its place
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  // A flush that was struck late is in the file, although nobody could say so.
  check_frames(recording, told, told->flushed, told->appended);
  if (told->made)
    CHECK_STR(recording->scene, scene_text);
  rg_recording_free(recording);
}

// Strikes every fifth call, or with test_fast() fewer of them, until a run gets through; test_thorough() every one.
static void strike_all(Fault fault) {
  const char* path = test_temporary("struck.h5");
  Told* told = shared_told();
  long stride = test_thorough() ? 1 : test_fast() ? 29 : 5, calls = 0;
  for (long call = 1;; call += stride) {
    CONTEXT("call %ld", call);
    remove(path);
    int status = run_child(path, fault, call, (unsigned)call * 7 % 17, told);
    bool through = WIFEXITED(status) && WEXITSTATUS(status) == THROUGH;
    if (!through && fault == FAULT_KILL)
      CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    if (!through && fault == FAULT_FULL)
      CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 0, "ended with %#x", status);
    check_left(path, told);
    calls = call;
    if (through)
      break;
  }
  CHECK_MSG(calls > 100, "only %ld calls: the faults do not reach the file", calls);
  remove(path);
  munmap(told, sizeof *told);
}

#ifdef RIGOR_HDF5

TEST(h5_killed_at_any_write_keeps_what_was_flushed) { strike_all(FAULT_KILL); }

TEST(h5_on_a_full_disk_keeps_what_was_flushed_and_ends_cleanly) { strike_all(FAULT_FULL); }

// The old file stays until the new one has its head.
TEST(h5_that_cannot_be_made_leaves_the_old_file) {
  const char* path = test_temporary("old.h5");
  Told* told = shared_told();
  int status = run_child(path, FAULT_FULL, 0, 0, told);
  REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == THROUGH);
  Told first = *told;
  for (unsigned part = 0; part < 16; part++) {
    status = run_child(path, FAULT_FULL, 1 + part % 3, part, told);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(!told->made);
    rgRecording* recording;
    rgMessage message = {""};
    REQUIRE_MSG(rg_recording_read(path, &recording, &message) == RG_OK, "%s", message.text);
    check_frames(recording, &first, FRAMES, FRAMES);
    rg_recording_free(recording);
  }
  remove(path);
  munmap(told, sizeof *told);
}

#endif
