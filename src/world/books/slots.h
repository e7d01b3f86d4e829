// slots.h - which slots of a family (bodies, shapes, forces, joints) are used.
//
// A slot is reused in a fixed order: the lowest free one first. Which slot an object gets decides
// its place in every loop of a step and thereby the rounding of sums, so the rule is part of what
// makes two equal histories of edits end in equal bits.
#ifndef WORLD_BOOKS_SLOTS_H
#define WORLD_BOOKS_SLOTS_H

#include <rigor/base.h>

// 64 slots, and a node of the Fenwick tree over all words.
typedef struct rgSlotWord {
  uint64_t used; // one bit per slot
  int sum;       // used slots of the words that end here, see slots.c
} rgSlotWord;

typedef struct rgSlots {
  rgSlotWord* words;
  int words_capacity;
} rgSlots;

// Makes room for the slots 0 .. limit - 1, which are free at first. False (nothing changed) when
// memory ran out.
bool rg_slots_reserve(const rgAllocator* allocator, rgSlots* slots, int limit);
void rg_slots_release(const rgAllocator* allocator, rgSlots* slots);

// All of these need O(log n). The slot must have been reserved.
void rg_slots_take(rgSlots* slots, int slot);       // a free slot becomes used
void rg_slots_give(rgSlots* slots, int slot);       // a used slot becomes free
int rg_slots_lowest_free(const rgSlots* slots);     // the end of the room when all are used
int rg_slots_nth(const rgSlots* slots, int n);      // the used slot with n used ones before it
int rg_slots_rank(const rgSlots* slots, int at);    // how many slots before this one are used
bool rg_slots_used(const rgSlots* slots, int slot); // O(1)

// Makes exactly the slots 0 .. count - 1 used, in O(n). They must have been reserved.
void rg_slots_fill(rgSlots* slots, int count);

#endif
