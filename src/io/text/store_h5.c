// store_h5.c - HDF5 files that change from one whole state to the next.
//
// A file of E bytes is to become one of E' bytes. The pages that differ are in memory. Those that
// begin at or after E are new: nothing in the old file leads to them. The others replace old ones.
//
//     1. Write the new pages to their places, from E on.
//     2. Write the replacing pages and their numbers, with a hash, as a journal behind E and E'.
//     3. Write the replacing pages to their places.
//     4. Cut the file to E'.
//
// A process that ends in 1 or 2 leaves the old state, with bytes behind it that no structure leads
// to. One that ends in 3 or 4 leaves a whole journal: who opens the file reads the pages of the
// journal in place of those in the file, and sees the new state. If a write fails in 1 or 2, the
// file is cut back to E. No order of pages on the disk itself is enforced: this covers the end of
// the process and full disks, not the loss of power.
//
// Cost: what is replaced is written twice. In a trajectory these are the last chunks of each
// dataset, a few hundred kilobytes once a second.
#ifdef RIGOR_HDF5

#include "io/text/store_h5.h"

#include "base/hash.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

enum { PAGE = 4096 };                             // [bytes] as the system's
static const uint64_t MAGIC = 0x6c6e726a67697230; // first and last word of a journal

struct rgH5Page {
  uint64_t index; // address / PAGE
  char* bytes;
};

// What stands before and behind the pages of a journal. Between them are the numbers of the pages.
typedef struct Head {
  uint64_t magic, page_count, end;
} Head;
typedef struct Tail {
  uint64_t hash, size, magic; // hash of all before it; [bytes] of the journal, tail included
} Tail;

// -------------------------------------------------------------------------------------------------
// The file
// -------------------------------------------------------------------------------------------------

// Reads what there is; beyond the end of the file are zeros.
static bool file_read(int file, uint64_t address, void* bytes, size_t size) {
  char* at = bytes;
  while (size > 0) {
    ssize_t got = pread(file, at, size, (off_t)address);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return false;
    if (got == 0)
      break;
    at += got;
    address += (uint64_t)got;
    size -= (size_t)got;
  }
  memset(at, 0, size);
  return true;
}

static bool file_write(int file, uint64_t address, const void* bytes, size_t size) {
  const char* at = bytes;
  while (size > 0) {
    ssize_t put = pwrite(file, at, size, (off_t)address);
    if (put < 0 && errno == EINTR)
      continue;
    if (put <= 0) {
      errno = put < 0 ? errno : ENOSPC;
      return false;
    }
    at += put;
    address += (uint64_t)put;
    size -= (size_t)put;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Pages in memory, in the order of their addresses
// -------------------------------------------------------------------------------------------------

// Where the page is, or where it belongs.
static int find_place(const rgH5Store* store, uint64_t index) {
  int low = 0, high = store->page_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (store->pages[middle].index < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static char* find_page(const rgH5Store* store, uint64_t index) {
  int place = find_place(store, index);
  bool there = place < store->page_count && store->pages[place].index == index;
  return there ? store->pages[place].bytes : NULL;
}

// A page with nothing in it, which is not in memory yet.
static char* add_page(rgH5Store* store, uint64_t index) {
  if (!rg_reserve(&store->allocator, (void**)&store->pages, &store->page_capacity,
                  store->page_count + 1, sizeof *store->pages))
    return NULL;
  char* bytes = rg_allocate(&store->allocator, PAGE);
  if (!bytes)
    return NULL;
  int place = find_place(store, index);
  memmove(store->pages + place + 1, store->pages + place,
          (size_t)(store->page_count - place) * sizeof *store->pages);
  store->pages[place] = (rgH5Page){index, bytes};
  store->page_count++;
  return bytes;
}

static char* take_page(rgH5Store* store, uint64_t index) {
  char* bytes = find_page(store, index);
  if (bytes)
    return bytes;
  bytes = add_page(store, index);
  if (bytes && index * PAGE < store->whole && !file_read(store->file, index * PAGE, bytes, PAGE))
    return NULL;
  return bytes;
}

static void free_pages(rgH5Store* store) {
  for (int i = 0; i < store->page_count; i++)
    rg_release(&store->allocator, store->pages[i].bytes, PAGE);
  store->page_count = 0;
}

static size_t part_of_page(uint64_t address, size_t size) {
  size_t room = PAGE - (size_t)(address % PAGE);
  return size < room ? size : room;
}

static bool store_read(const rgH5Store* store, uint64_t address, char* bytes, size_t size) {
  for (size_t part; size > 0; address += part, bytes += part, size -= part) {
    part = part_of_page(address, size);
    const char* page = find_page(store, address / PAGE);
    if (page)
      memcpy(bytes, page + address % PAGE, part);
    else if (!file_read(store->file, address, bytes, part))
      return false;
  }
  return true;
}

static bool store_write(rgH5Store* store, uint64_t address, const char* bytes, size_t size) {
  for (size_t part; size > 0; address += part, bytes += part, size -= part) {
    part = part_of_page(address, size);
    char* page = take_page(store, address / PAGE);
    if (!page)
      return false;
    memcpy(page + address % PAGE, bytes, part);
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Commit
// -------------------------------------------------------------------------------------------------

// The first page that begins at or after the committed end: those before it replace old ones.
static int first_new(const rgH5Store* store) {
  return find_place(store, (store->whole + PAGE - 1) / PAGE);
}

static bool write_pages(const rgH5Store* store, int from, int to) {
  for (int i = from; i < to; i++) {
    uint64_t address = store->pages[i].index * PAGE;
    size_t size = store->end - address < PAGE ? (size_t)(store->end - address) : PAGE;
    if (address < store->end && !file_write(store->file, address, store->pages[i].bytes, size))
      return false;
  }
  return true;
}

// One piece of a journal on its way to the file.
static bool put(const rgH5Store* store, uint64_t* address, uint64_t* hash, const void* bytes,
                size_t size) {
  *hash = rg_hash_bytes(*hash, bytes, size);
  bool good = file_write(store->file, *address, bytes, size);
  *address += size;
  return good;
}

static bool write_journal(const rgH5Store* store, int count) {
  uint64_t start = store->end > store->whole ? store->end : store->whole;
  uint64_t address = start, hash = RG_HASH_START;
  Head head = {MAGIC, (uint64_t)count, store->end};
  bool good = put(store, &address, &hash, &head, sizeof head);
  for (int i = 0; i < count && good; i++)
    good = put(store, &address, &hash, &store->pages[i].index, sizeof store->pages[i].index);
  for (int i = 0; i < count && good; i++)
    good = put(store, &address, &hash, store->pages[i].bytes, PAGE);
  Tail tail = {hash, address - start + sizeof tail, MAGIC};
  return good && file_write(store->file, address, &tail, sizeof tail);
}

bool rg_h5_store_commit(rgH5Store* store) {
  if (store->error)
    return false;
  int old = first_new(store);
  errno = 0;
  bool ready =
      write_pages(store, old, store->page_count) && (old == 0 || write_journal(store, old));
  bool done = ready && write_pages(store, 0, old) && ftruncate(store->file, (off_t)store->end) == 0;
  if (!done)
    store->error = errno ? errno : EIO;
  // If this fails too, the bytes behind the old state are in nobody's way.
  if (!ready && ftruncate(store->file, (off_t)store->whole) != 0)
    return false;
  if (!done)
    return false;
  store->whole = store->end;
  free_pages(store);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Opening
// -------------------------------------------------------------------------------------------------

static size_t journal_size(uint64_t pages) {
  return sizeof(Head) + (size_t)pages * (sizeof(uint64_t) + PAGE) + sizeof(Tail);
}

// Takes the pages out of a whole journal.
static bool take_journal(rgH5Store* store, const char* bytes, const Head* head) {
  const char *numbers = bytes + sizeof *head,
             *pages = numbers + head->page_count * sizeof(uint64_t);
  for (uint64_t i = 0; i < head->page_count; i++) {
    uint64_t index;
    memcpy(&index, numbers + i * sizeof index, sizeof index);
    char* page = find_page(store, index);
    page = page ? page : add_page(store, index);
    if (!page)
      return false;
    memcpy(page, pages + i * PAGE, PAGE);
  }
  store->end = store->whole = head->end;
  return true;
}

// A commit that was not finished, if the file ends with its journal. False when memory ran out or
// the file cannot be read.
static bool read_journal(rgH5Store* store) {
  Tail tail;
  uint64_t size = store->whole;
  if (size < journal_size(0))
    return true;
  if (!file_read(store->file, size - sizeof tail, &tail, sizeof tail))
    return false;
  if (tail.magic != MAGIC || tail.size > size || tail.size < journal_size(0))
    return true;
  char* bytes = rg_allocate(&store->allocator, (size_t)tail.size);
  if (!bytes)
    return false;
  bool good = file_read(store->file, size - tail.size, bytes, (size_t)tail.size);
  Head head;
  memcpy(&head, bytes, sizeof head);
  size_t before = (size_t)tail.size - sizeof tail;
  bool whole = good && head.magic == MAGIC && head.end <= size - tail.size &&
               head.page_count <= tail.size / PAGE && journal_size(head.page_count) == tail.size &&
               rg_hash_bytes(RG_HASH_START, bytes, before) == tail.hash;
  if (whole)
    good = take_journal(store, bytes, &head);
  rg_release(&store->allocator, bytes, (size_t)tail.size);
  return good;
}

// -------------------------------------------------------------------------------------------------
// What the HDF5 library calls
// -------------------------------------------------------------------------------------------------

typedef struct Driver {
  H5FD_t base;
  rgH5Store* store;
  haddr_t allocated;
} Driver;

static H5FD_t* driver_open(const char* name, unsigned flags, hid_t access, haddr_t most) {
  (void)name;
  (void)most;
  rgH5Store* const* store = H5Pget_driver_info(access);
  Driver* driver = store ? calloc(1, sizeof *driver) : NULL;
  if (!driver)
    return NULL;
  driver->store = *store;
  if (flags & H5F_ACC_TRUNC) {
    free_pages(driver->store);
    driver->store->end = 0;
  }
  return &driver->base;
}

static herr_t driver_close(H5FD_t* base) {
  free(base);
  return 0;
}

static int driver_compare(const H5FD_t* a, const H5FD_t* b) {
  uintptr_t left = (uintptr_t)((const Driver*)a)->store,
            right = (uintptr_t)((const Driver*)b)->store;
  return left < right ? -1 : left > right;
}

static herr_t driver_query(const H5FD_t* base, unsigned long* flags) {
  (void)base;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t driver_allocated(const H5FD_t* base, H5FD_mem_t type) {
  (void)type;
  return ((const Driver*)base)->allocated;
}

static herr_t driver_allocate(H5FD_t* base, H5FD_mem_t type, haddr_t end) {
  (void)type;
  ((Driver*)base)->allocated = end;
  return 0;
}

static haddr_t driver_end(const H5FD_t* base, H5FD_mem_t type) {
  (void)type;
  return ((const Driver*)base)->store->end;
}

static herr_t driver_read(H5FD_t* base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, void* bytes) {
  (void)type;
  (void)transfer;
  return store_read(((Driver*)base)->store, address, bytes, size) ? 0 : -1;
}

// Never fails, because the library does not recover from that: an error is kept for the commit.
static herr_t driver_write(H5FD_t* base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void* bytes) {
  (void)type;
  (void)transfer;
  rgH5Store* store = ((Driver*)base)->store;
  if (!store_write(store, address, bytes, size) && !store->error)
    store->error = ENOMEM;
  if (address + size > store->end)
    store->end = address + size;
  return 0;
}

static herr_t driver_truncate(H5FD_t* base, hid_t transfer, hbool_t closing) {
  (void)transfer;
  (void)closing;
  Driver* driver = (Driver*)base;
  driver->store->end = driver->allocated;
  return 0;
}

static const H5FD_class_t driver_class = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)512, // the first that is free for everyone
#endif
    .name = "rigor",
    .maxaddr = (haddr_t)1 << 62,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(rgH5Store*),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .get_eoa = driver_allocated,
    .set_eoa = driver_allocate,
    .get_eof = driver_end,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

bool rg_h5_store_open(rgH5Store* store, int file) {
  off_t size = lseek(file, 0, SEEK_END);
  *store =
      (rgH5Store){.allocator = rg_allocator_default(), .file = file, .driver = -1, .access = -1};
  if (size < 0)
    return false;
  store->whole = store->end = (uint64_t)size;
  if (!read_journal(store))
    return false;
  store->driver = H5FDregister(&driver_class);
  store->access = H5Pcreate(H5P_FILE_ACCESS);
  return store->driver >= 0 && store->access >= 0 &&
         H5Pset_driver(store->access, store->driver, &store) >= 0;
}

void rg_h5_store_close(rgH5Store* store) {
  if (store->access >= 0)
    H5Pclose(store->access);
  if (store->driver >= 0)
    H5FDunregister(store->driver);
  free_pages(store);
  rg_release(&store->allocator, store->pages, (size_t)store->page_capacity * sizeof *store->pages);
  *store = (rgH5Store){.file = -1, .driver = -1, .access = -1};
}

#else

typedef int rgNoHdf5Store; // ISO C requires at least one declaration

#endif
