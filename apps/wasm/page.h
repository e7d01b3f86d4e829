// page.h - what the browser page calls: one scene and its world, numbers in flat arrays.
//
// JavaScript sees a Page as an address. Arrays and texts that a call returns lie in the memory of
// the module, belong to the page and hold until the next call of any kind; all numbers are doubles.
// Calls that can fail return true or false, and page_message says why.
#ifndef WASM_PAGE_H
#define WASM_PAGE_H

#include "cli/settings.h"
#include "world/world.h"
#include <rigor/rigor.h>

#define PAGE_EXPORT(name) __attribute__((export_name(#name)))

typedef struct Page {
  rgScene* scene;
  rgWorld* world;
  rgMessage message;
  char text[64];   // a hash or the value of an option
  double* numbers; // what the last call returned
  int numbers_capacity;
  // What the hand does.
  rgForceId attractor;
  double attractor_range; // [m]
  rgForceId spring;
  rgForceDef grip; // the spring as it was added; its far end moves
} Page;

// Numbers per item of the arrays; page_layout tells JavaScript.
enum {
  PAGE_STATE = 20,   // page_state: one item
  PAGE_BODY = 9,     // page_bodies
  PAGE_SHAPE = 16,   // page_shape: one item, then three numbers per vertex
  PAGE_CONTACT = 13, // page_contacts
  PAGE_JOINT = 15,   // page_joints
  PAGE_BOUNDS = 6,   // page_bounds
  PAGE_FORCE = 8     // page_forces
};

// Room for `count` numbers in page->numbers, or NULL with a message.
double* page_room(Page* page, int count);
// Keeps the message of a failed call of the world; true when there was none.
bool page_note(Page* page, rgStatus status);

// Writes a vector, a pose (position, then w x y z); return what follows it.
static inline double* page_put(double* out, rgVec3 v) {
  *out++ = v.x, *out++ = v.y, *out++ = v.z;
  return out;
}
static inline double* page_put_pose(double* out, rgPose pose) {
  out = page_put(out, pose.position);
  *out++ = pose.orientation.w;
  return page_put(out, v3(pose.orientation.x, pose.orientation.y, pose.orientation.z));
}

// world.c: making, stepping, options.
Page* page_create(void);
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
int page_body_count(const Page* page);
const char* page_body_name(const Page* page, int body);
const double* page_bodies(Page* page);
int page_contact_count(const Page* page);
const double* page_contacts(Page* page);
int page_joint_count(const Page* page);
const double* page_joints(Page* page);
int page_force_count(const Page* page);
const double* page_forces(Page* page);
int page_layout(int which);

// geometry.c: what a body looks like.
int page_shape_count(const Page* page);
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
