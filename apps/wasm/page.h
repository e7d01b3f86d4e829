// page.h - what the browser page calls: one scene and its world, numbers in flat arrays.
//
// JavaScript sees a Page as an address. Arrays and texts that a call returns lie in the memory of
// the module, belong to the page and hold until the next call of any kind; all numbers are doubles.
// Calls that can fail return true or false, and page_message says why.
#ifndef WASM_PAGE_H
#define WASM_PAGE_H

#include "cli/settings.h"
#include "wasm/layout.h"
#include <rigor/rigor.h>
#include <rigor/vec_math.h>

#ifdef __wasm__
#define PAGE_EXPORT(name) __attribute__((export_name(#name)))
#else
#define PAGE_EXPORT(name) // for tests
#endif

typedef struct Page {
  rgScene* scene;
  rgWorld* world;
  rgMessage message;
  char text[512];  // a hash, the value of an option, what a step missed
  double* numbers; // what the last call returned
  int numbers_capacity;
  rgShapeId* shapes; // all of them, when page_shape_count was last called
  int shape_count, shape_capacity;
  // What the hand does.
  rgForceId attractor;
  double attractor_range; // [m]
  rgForceId spring;
  rgForceDef grip; // the spring as it was added; its far end moves
} Page;

// Room for `count` numbers in page->numbers, or NULL with a message.
double* page_room(Page* page, int count);
// Keeps the message of a failed call of the world; true when there was none.
bool page_note(Page* page, rgStatus status);

// The living body with this index, or an id of generation 0.
rgBodyId page_body(const Page* page, int index);

// Writes a vector and an orientation, w x y z, into the fields of a record.
static inline void page_put(double out[3], rgVec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }
static inline void page_put_turn(double out[4], rgQuat q) {
  out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
}

// world.c: making, stepping, options.
Page* page_create(void); // with an empty scene, or NULL
void page_destroy(Page* page);
void* page_allocate(int size); // for texts that JavaScript brings
void page_release(void* memory);
const char* page_message(const Page* page);
const char* page_title(const Page* page);
bool page_open(Page* page, const char* text, int length, const char* name);
bool page_step(Page* page, int count);
const char* page_hash(Page* page); // 16 hexadecimal digits
const char* page_option_name(int index);
const char* page_option_help(int index);
const char* page_option_choice(int index, int choice); // words of a NAME option
const char* page_option_value(Page* page, int index);
bool page_set_option(Page* page, const char* name, const char* value);
const char* page_preset(int index); // its name; NULL past the end
bool page_set_preset(Page* page, const char* name);

// state.c: what a frame shows.
const double* page_state(Page* page);
const char* page_missed(Page* page);
int page_body_count(const Page* page);
const char* page_body_name(const Page* page, int body);
const double* page_bodies(Page* page);
int page_contact_count(const Page* page);
const double* page_contacts(Page* page);
int page_joint_count(const Page* page);
const double* page_joints(Page* page);
int page_force_count(const Page* page);
const double* page_forces(Page* page);

// inspect.c: one body, closely.
const double* page_masses(Page* page);
const double* page_inspect(Page* page, int body);
const char* page_joint_name(Page* page, int joint);
double page_grip(const Page* page);

// layout.c: where the page finds them.
const char* page_layout(Page* page);
unsigned page_layout_version(void);

// geometry.c: what a body looks like.
int page_shape_count(Page* page);
const double* page_shape(Page* page, int shape);
const double* page_bounds(Page* page);

// replay.c: recorded runs.
bool page_place(Page* page, const double* numbers, int count, bool seek);

// touch.c: the hand.
bool page_attract(Page* page, double x, double y, double z, double strength, double range);
bool page_grab(Page* page, int body, double x, double y, double z, double frequency);
bool page_drag(Page* page, double x, double y, double z);
bool page_let_go(Page* page);
int page_throw(Page* page, double x, double y, double z, double vx, double vy, double vz,
               double radius, double density);

#endif
