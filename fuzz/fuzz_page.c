// fuzz_page.c - any bytes as what a browser page may ask of the module: scenes, options, steps, the
// hand, poses of recorded runs, with numbers that no page should send. Whatever is asked:
//
//   - what is refused has a reason, and a step, an option or a ball that is refused leaves the world
//     as it was;
//   - what a frame shows can be read to its end: places of bodies are places, and contacts and
//     joints name bodies that there are;
//   - before the first scene and after one that is refused there is a world all the same.
#include "calls.h"
#include "checks.h"
#include "wasm/page.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { CALLS_MAX = 64, STEPS_MAX = 40, PAGE_BODIES_MAX = 24, TEXT_MAX = 64, SCENE_MAX = 4096 };

// --- what the page brings ---------------------------------------------------------------------------

static const char* const SCENES[] = {
    "{\"rigor\": 1, \"bodies\": [{\"kind\": \"static\", \"shapes\": [{\"shape\": \"halfspace\"}]},"
    "{\"name\": \"box\", \"position\": [0, 0, 0.6], \"shapes\": [{\"shape\": \"box\", \"half\": "
    "[0.5, "
    "0.4, 0.3]}]}, {\"position\": [0.1, 0, 2], \"repeat\": {\"count\": [1, 1, 3], \"spacing\": [0, "
    "0, "
    "1]}, \"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.4}]}]}",
    "{\"rigor\": 1, \"dimension\": 2, \"options\": {\"gravity\": [0, -9.81, 0]}, \"bodies\": "
    "[{\"kind\": \"static\", \"shapes\": [{\"shape\": \"segment\", \"points\": [[-5, 0], [5, "
    "0]]}]}, "
    "{\"position\": [0, 0.5, 0], \"shapes\": [{\"shape\": \"circle\", \"radius\": 0.5}]}]}",
    "{\"rigor\": 1, \"options\": {\"theta\": 0.5}, \"bodies\": [{\"name\": \"a\", \"position\": "
    "[0, 0, "
    "2], \"shapes\": [{\"shape\": \"capsule\", \"radius\": 0.1, \"half_length\": 0.4}]}, "
    "{\"name\": "
    "\"b\", \"position\": [0, 0, 1], \"shapes\": [{\"shape\": \"cylinder\", \"radius\": 0.1, "
    "\"half_length\": 0.4}]}], \"joints\": [{\"kind\": \"ball\", \"b\": \"a\", \"point\": [0, 0, "
    "2.5]}, "
    "{\"kind\": \"hinge\", \"a\": \"a\", \"b\": \"b\", \"point\": [0, 0, 1.5], \"axis\": [0, 1, "
    "0]}], "
    "\"forces\": [{\"kind\": \"spring\", \"body\": \"b\", \"stiffness\": 40}]}",
    "{\"rigor\": 1, \"bodies\": []}",
};

// A text of the input, with an end.
static const char* next_text(Input* in, char* text, size_t size) {
  size_t length = next_byte(in) % size, i = 0;
  for (; i < length && !is_empty(in); i++)
    text[i] = (char)next_byte(in);
  text[i] = '\0';
  return text;
}

// Of the numbers that JavaScript has, those that matter and some between.
static double next_number(Input* in) {
  static const double NUMBERS[] = {0,    -0.0,  1,     -1,     1e-300,   -1e-9,     1e9,
                                   1e30, 1e154, 1e300, -1e300, HUGE_VAL, -HUGE_VAL, (double)NAN};
  size_t choice = next_byte(in), count = sizeof NUMBERS / sizeof *NUMBERS;
  return choice < count ? NUMBERS[choice] : 5 * next_part(in);
}

// --- calls ------------------------------------------------------------------------------------------

typedef struct Asked {
  Page* page;
  int steps; // asked for so far
} Asked;

static uint64_t hash_of(const Asked* asked) { return rg_world_hash(asked->page->world); }

static void call_open(Asked* asked, Input* in) {
  size_t choice = next_byte(in), count = sizeof SCENES / sizeof *SCENES, length;
  uint64_t before = hash_of(asked);
  char name[TEXT_MAX], text[SCENE_MAX];
  if (choice % (count + 1) < count) {
    strcpy(text, SCENES[choice % (count + 1)]);
    length = strlen(text);
    if (choice >= 128) // a scene that is not what it was
      text[(size_t)next_byte(in) * 256 % length + next_byte(in) % 8] = (char)next_byte(in);
  } else {
    for (length = 0; length < sizeof text - 1 && !is_empty(in); length++)
      text[length] = (char)next_byte(in);
    text[length] = '\0';
  }
  bool good = page_open(asked->page, text, (int)length, next_text(in, name, sizeof name));
  require(good || choice >= 128 || choice % (count + 1) == count); // the scenes themselves are good
  require(good || (page_message(asked->page)[0] && hash_of(asked) == before));
  // What is large is for another target.
  if (good && page_body_count(asked->page) > PAGE_BODIES_MAX)
    require(page_open(asked->page, SCENES[0], (int)strlen(SCENES[0]), "s"));
}

static void call_step(Asked* asked, Input* in) {
  int count = next_byte(in) % 4;
  uint64_t before = hash_of(asked);
  if (asked->steps + count > STEPS_MAX)
    return;
  asked->steps += count;
  bool good = page_step(asked->page, count);
  require(good || page_message(asked->page)[0]);
  require(good || count != 1 || hash_of(asked) == before);
}

// Steps are kept cheap, whatever was set.
static void keep_cheap(Page* page) {
  rgOptions options = *rg_world_options(page->world);
  options.iteration_limit =
      options.iteration_limit < ITERATIONS ? options.iteration_limit : ITERATIONS;
  options.threads = 1;
  options.time_limit = 0;
  require(rg_world_set_options(page->world, &options) == RG_OK);
}

static void call_set_option(Asked* asked, Input* in) {
  static const char* const VALUES[] = {"0",     "-1",        "1",     "nan",       "1e300",
                                       "inf",   "0.5",       "true",  "[0, 0, 0]", "1e-3",
                                       "0 0 9", "baumgarte", "gauss", "exact",     ""};
  char name[TEXT_MAX], value[TEXT_MAX];
  int index = next_byte(in);
  size_t choice = next_byte(in);
  const char* known = page_option_name(index % 32);
  const char* word = page_option_choice(index % 32, (int)choice % 8);
  uint64_t before = hash_of(asked);
  rgOptions old = *rg_world_options(asked->page->world);
  if (!known)
    known = next_text(in, name, sizeof name);
  if (choice >= 128 || !word)
    word = choice % 16 < 15 ? VALUES[choice % 16] : next_text(in, value, sizeof value);
  bool good = next_byte(in) % 8
                  ? page_set_option(asked->page, known, word)
                  : page_set_preset(asked->page, next_byte(in) % 2 ? word : page_preset(1));
  require(good || page_message(asked->page)[0]);
  require(good || memcmp(&old, rg_world_options(asked->page->world), sizeof old) == 0);
  require(hash_of(asked) == before);
  keep_cheap(asked->page);
}

static void call_hand(Asked* asked, Input* in) {
  double n[8];
  uint8_t choice = next_byte(in);
  for (int i = 0; i < 8; i++)
    n[i] = next_number(in);
  bool good = true;
  switch (choice % 5) {
  case 0:
    good = page_attract(asked->page, n[0], n[1], n[2], n[3], n[4]);
    break;
  case 1:
    good = page_grab(asked->page, next_byte(in) - 2, n[0], n[1], n[2], n[3]);
    break;
  case 2:
    good = page_drag(asked->page, n[0], n[1], n[2]);
    break;
  case 3:
    good = page_let_go(asked->page);
    break;
  default:
    if (page_body_count(asked->page) < PAGE_BODIES_MAX) {
      int count = page_body_count(asked->page);
      good = page_throw(asked->page, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]) >= 0;
      require(page_body_count(asked->page) == count + good);
    }
  }
  require(good || page_message(asked->page)[0]);
}

// A frame of a recorded run: poses of this world with some numbers changed, of any count.
static void call_place(Asked* asked, Input* in) {
  int bodies = page_body_count(asked->page), count = next_byte(in) % (bodies + 3);
  PageBody* frame = calloc((size_t)count + 1, sizeof *frame);
  const double* numbers = page_bodies(asked->page);
  require(frame && numbers);
  memcpy(frame, numbers, (size_t)(count < bodies ? count : bodies) * sizeof *frame);
  for (int changes = next_byte(in) % 8; changes > 0 && count > 0; changes--) {
    PageBody* body = &frame[next_byte(in) % count];
    size_t place = next_byte(in) % 7;
    *(place < 3 ? &body->position[place] : &body->orientation[place - 3]) = next_number(in);
  }
  bool good = page_place(asked->page, (const double*)frame, count, next_byte(in) & 1);
  require(good || page_message(asked->page)[0]);
  free(frame);
}

// --- what a frame shows -------------------------------------------------------------------------------

// Reads numbers to their end, for a sanitizer that watches.
static double sum_of(const double* numbers, size_t count) {
  double sum = 0;
  require(numbers != NULL);
  for (size_t i = 0; i < count; i++)
    sum += numbers[i];
  return sum;
}

static bool names_body(const Page* page, double index) {
  return index == -1 || (index >= 0 && index < page_body_count(page) && index == floor(index) &&
                         page_body(page, (int)index).generation);
}

static void check_bodies(Page* page) {
  const PageBody* bodies = (const PageBody*)(const void*)page_bodies(page);
  require(bodies != NULL);
  for (int i = 0; i < page_body_count(page); i++) {
    const double *p = bodies[i].position, *q = bodies[i].orientation;
    require(isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]));
    require(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-6);
    require(bodies[i].kind == -1 || page_body_name(page, i));
  }
}

static void check_shapes(Page* page, Input* in) {
  int count = page_shape_count(page), odd = next_byte(in) - 128;
  sum_of(page_bounds(page), (size_t)count * sizeof(PageBounds) / sizeof(double));
  for (int i = 0; i < count; i++) {
    const PageShape* shape = (const PageShape*)(const void*)page_shape(page, i);
    require(shape && shape->corners >= 0 && names_body(page, shape->body));
    sum_of((const double*)(shape + 1), 3 * (size_t)shape->corners);
  }
  require((page_shape(page, odd) != NULL) == (odd >= 0 && odd < count));
}

static void check_frame(Page* page, Input* in) {
  sum_of(page_state(page), sizeof(PageState) / sizeof(double));
  require(strlen(page_missed(page)) < sizeof page->text && strlen(page_hash(page)) == 16);
  require(strlen(page_message(page)) < sizeof page->message.text && page_title(page));
  check_bodies(page);
  check_shapes(page, in);
  const PageContact* contacts = (const PageContact*)(const void*)page_contacts(page);
  for (int i = 0; i < page_contact_count(page); i++)
    require(names_body(page, contacts[i].bodyA) && names_body(page, contacts[i].bodyB));
  const PageJoint* joints = (const PageJoint*)(const void*)page_joints(page);
  for (int i = 0; i < page_joint_count(page); i++)
    require(names_body(page, joints[i].bodyA) && names_body(page, joints[i].bodyB));
  sum_of(page_forces(page), (size_t)page_force_count(page) * sizeof(PageForce) / sizeof(double));
  for (int i = 0; page_option_name(i); i++)
    require(page_option_help(i) && page_option_value(page, i));
  require(!page_body(page, -1).generation && !page_option_name(-1) && !page_preset(-1));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static void (*const CALLS[])(Asked*, Input*) = {call_open, call_step,       call_step,
                                                  call_step, call_set_option, call_hand,
                                                  call_hand, call_place};
  Input in = {data, size, 0};
  Asked asked = {page_create(), 0};
  require(asked.page != NULL);
  for (int i = 0; i < CALLS_MAX && !is_empty(&in); i++) {
    CALLS[next_byte(&in) % (sizeof CALLS / sizeof *CALLS)](&asked, &in);
    check_frame(asked.page, &in);
  }
  page_destroy(asked.page);
  return 0;
}
