// links.h - what belongs to a body or a shape: its forces, its joints, its contacts.
//
// Removing a body ends all of these. Lists make that cost what the body has, whatever else is in
// the world.
#ifndef WORLD_BOOKS_LINKS_H
#define WORLD_BOOKS_LINKS_H

#include "world/books/slots.h"

// A member of a doubly linked list. Each joint is in the lists of its two bodies: member 2 slot + side,
// with side 0 for the first body and 1 for the other. Forces may have more (world/forces.c).
typedef struct rgLink {
  int next, previous; // members, -1 at the ends
} rgLink;

typedef struct rgLinks {
  rgLink* items;
  int items_capacity;
} rgLinks;

// Makes room for the members 0 .. 2 limit - 1. False (nothing changed) when memory ran
// out.
bool rg_links_reserve(const rgAllocator* allocator, rgLinks* links, int limit);
void rg_links_release(const rgAllocator* allocator, rgLinks* links);
void rg_links_add(rgLinks* links, int* head, int member);
void rg_links_remove(rgLinks* links, int* head, int member);

// Which pairs a shape is in, and which contacts were removed since contacts were last sought.
// Removed contacts stay where they are in the world's array until contacts are sought again, so
// that a removal does not move all others; who reads contacts between steps passes over them.
typedef struct rgContactLinks {
  bool made;    // for the present pairs and contacts: not before the first removal
  int removed;  // number of contacts
  rgSlots kept; // the others, by their place in the array
  int shapes;   // those that were there when the lists were made
  int* heads;   // first member of the list of each shape slot: 2 pair + side, -1 at the end
  int heads_capacity;
  int* next; // by member
  int next_capacity;
} rgContactLinks;

struct rgWorld;
struct rgWorldContact;
struct rgPair;

// Whether a pair is of the shapes that it was found for: not when one was removed, whatever has its
// slot now.
bool rg_world_pair_lives(const struct rgWorld* world, const struct rgPair* pair);
int rg_world_living_pairs(const struct rgWorld* world); // the number of those

// Removes all contacts of a shape. Never fails: without memory for the lists, by going through all
// contacts.
void rg_world_drop_contacts(struct rgWorld* world, int shape_slot);
// To be called when pairs and contacts are replaced.
void rg_world_forget_dropped(struct rgWorld* world);
// What is left: the number of contacts, the n-th of them, and how many come before a place in the
// array.
int rg_world_kept_count(const struct rgWorld* world);
const struct rgWorldContact* rg_world_kept_contact(const struct rgWorld* world, int n);
int rg_world_kept_before(const struct rgWorld* world, int at);

void rg_contact_links_release(const rgAllocator* allocator, rgContactLinks* links);

#endif
