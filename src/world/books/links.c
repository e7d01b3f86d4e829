// links.c - lists of the forces and joints of a body and of the contacts of a shape.
#include "world/books/links.h"

#include "base/memory.h"
#include "world/world.h"

// -------------------------------------------------------------------------------------------------
// Forces and joints
// -------------------------------------------------------------------------------------------------

bool rg_links_reserve(const rgAllocator* allocator, rgLinks* links, int limit) {
  return limit <= INT32_MAX / 2 &&
         rg_reserve(allocator, (void**)&links->items, &links->items_capacity, 2 * limit,
                    sizeof *links->items);
}

void rg_links_release(const rgAllocator* allocator, rgLinks* links) {
  rg_release(allocator, links->items, (size_t)links->items_capacity * sizeof *links->items);
  *links = (rgLinks){0};
}

void rg_links_add(rgLinks* links, int* head, int member) {
  links->items[member] = (rgLink){.next = *head, .previous = -1};
  if (*head >= 0)
    links->items[*head].previous = member;
  *head = member;
}

void rg_links_remove(rgLinks* links, int* head, int member) {
  rgLink link = links->items[member];
  if (link.next >= 0)
    links->items[link.next].previous = link.previous;
  if (link.previous >= 0)
    links->items[link.previous].next = link.next;
  else
    *head = link.next;
}

// -------------------------------------------------------------------------------------------------
// Contacts
// -------------------------------------------------------------------------------------------------

void rg_contact_links_release(const rgAllocator* allocator, rgContactLinks* links) {
  rg_slots_release(allocator, &links->kept);
  rg_release(allocator, links->heads, (size_t)links->heads_capacity * sizeof *links->heads);
  rg_release(allocator, links->next, (size_t)links->next_capacity * sizeof *links->next);
  *links = (rgContactLinks){0};
}

bool rg_world_pair_lives(const rgWorld* world, const rgPair* pair) {
  const rgWorldShape *a = &world->shapes[pair->a], *b = &world->shapes[pair->b];
  return a->alive && b->alive && a->generation < world->search.since &&
         b->generation < world->search.since;
}

int rg_world_living_pairs(const rgWorld* world) {
  int count = 0;
  for (int i = 0; i < world->search.pair_count; i++)
    count += rg_world_pair_lives(world, &world->search.pairs[i]);
  return count;
}

static void link_pair(rgContactLinks* links, uint32_t shape, int member) {
  links->next[member] = links->heads[shape];
  links->heads[shape] = member;
}

// Lists of the present pairs, once for all removals until contacts are sought again: O(pairs), a
// small part of the step that made them. False when memory ran out.
static bool make_lists(rgWorld* world) {
  rgContactLinks* links = &world->books.contact_links;
  if (links->made)
    return true;
  if (world->search.pair_count > INT32_MAX / 2 ||
      !rg_slots_reserve(&world->allocator, &links->kept, world->contact_count) ||
      !RG_SET_RESERVE(world, links, heads, world->shape_slots) ||
      !RG_SET_RESERVE(world, links, next, 2 * world->search.pair_count))
    return false;
  rg_slots_fill(&links->kept, world->contact_count);
  links->shapes = world->shape_slots;
  for (int i = 0; i < links->shapes; i++)
    links->heads[i] = -1;
  for (int i = 0; i < world->search.pair_count; i++) {
    if (world->search.pairs[i].contact_count == 0)
      continue;
    link_pair(links, world->search.pairs[i].a, 2 * i);
    link_pair(links, world->search.pairs[i].b, 2 * i + 1);
  }
  links->removed = 0;
  links->made = true;
  return true;
}

// Removes the contacts of a shape from the arrays at once.
static void drop_by_search(rgWorld* world, int slot) {
  int kept = 0;
  for (int i = 0; i < world->search.pair_count; i++) {
    rgPair* pair = &world->search.pairs[i];
    if ((int)pair->a == slot || (int)pair->b == slot)
      pair->contact_count = 0;
    int start = kept;
    for (int k = 0; k < pair->contact_count; k++)
      world->contacts[kept++] = world->contacts[pair->contact_start + k];
    pair->contact_start = start;
  }
  world->contact_count = kept;
}

void rg_world_drop_contacts(rgWorld* world, int slot) {
  rgContactLinks* links = &world->books.contact_links;
  world->search.stale = true;
  if (world->contact_count == 0)
    return;
  if (!make_lists(world)) {
    drop_by_search(world, slot);
    return;
  }
  if (slot >= links->shapes) // added after contacts were sought
    return;
  for (int member = links->heads[slot]; member >= 0; member = links->next[member]) {
    rgPair* pair = &world->search.pairs[member / 2];
    for (int k = 0; k < pair->contact_count; k++)
      rg_slots_give(&links->kept, pair->contact_start + k);
    links->removed += pair->contact_count;
    pair->contact_count = 0;
  }
  links->heads[slot] = -1;
}

void rg_world_forget_dropped(rgWorld* world) {
  world->books.contact_links.made = false;
  world->books.contact_links.removed = 0;
}

int rg_world_kept_count(const rgWorld* world) {
  return world->contact_count - world->books.contact_links.removed;
}

const rgWorldContact* rg_world_kept_contact(const rgWorld* world, int n) {
  const rgContactLinks* links = &world->books.contact_links;
  return &world->contacts[links->removed > 0 ? rg_slots_nth(&links->kept, n) : n];
}

int rg_world_kept_before(const rgWorld* world, int at) {
  const rgContactLinks* links = &world->books.contact_links;
  return links->removed > 0 ? rg_slots_rank(&links->kept, at) : at;
}
