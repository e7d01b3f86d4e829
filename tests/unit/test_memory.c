// Allocation: alignment, zeroed memory, arrays that grow and keep what they hold, sizes given back
// as taken.
#include "test.h"

#include "base/hash.h"
#include "base/memory.h"

// An allocator that keeps books, hands out dirty memory and can be told to fail.
typedef struct Books {
  size_t live;  // [bytes] allocated and not released
  int calls;    // of allocate
  int mistakes; // releases of a size that does not match
  bool fail;
} Books;

typedef struct Header {
  size_t size;
  void* block;
} Header;

static void* take(size_t size, void* context) {
  Books* books = context;
  ++books->calls;
  if (books->fail)
    return NULL;
  char* block = malloc(size + 2 * RG_ALIGNMENT);
  if (!block)
    return NULL;
  char* memory = block + RG_ALIGNMENT;
  memory += RG_ALIGNMENT - (uintptr_t)memory % RG_ALIGNMENT;
  Header header = {size, block};
  memcpy(memory - sizeof header, &header, sizeof header);
  memset(memory, 0xa5, size);
  books->live += size;
  return memory;
}

static void give_back(void* memory, size_t size, void* context) {
  Books* books = context;
  Header header;
  memcpy(&header, (char*)memory - sizeof header, sizeof header);
  books->mistakes += header.size != size;
  books->live -= header.size;
  free(header.block);
}

static rgAllocator with_books(Books* books) { return (rgAllocator){take, give_back, books}; }

static bool all_zero(const void* memory, size_t size) {
  const unsigned char* bytes = memory;
  for (size_t i = 0; i < size; ++i)
    if (bytes[i])
      return false;
  return true;
}

TEST(memory_is_zeroed_and_aligned) {
  Books books = {0};
  rgAllocator mine = with_books(&books), heap = rg_allocator_default();
  const size_t sizes[] = {0, 1, 63, 64, 65, 1000, 100000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    const rgAllocator* allocators[] = {&mine, &heap};
    for (int k = 0; k < 2; ++k) {
      void* memory = rg_allocate(allocators[k], sizes[i]);
      REQUIRE(memory);
      CHECK_INT((uintptr_t)memory % RG_ALIGNMENT, 0);
      CHECK(all_zero(memory, sizes[i]));
      rg_release(allocators[k], memory, sizes[i]);
    }
  }
  rg_release(&mine, NULL, 10);
  CHECK_INT(books.live, 0);
  CHECK_INT(books.mistakes, 0);
}

TEST(arrays_keep_their_contents_and_zero_the_rest) {
  Books books = {0};
  rgAllocator allocator = with_books(&books);
  void* items = NULL;
  int capacity = 0, filled = 0, growths = 0;
  for (int count = 1; count <= 5000; ++count) {
    int before = capacity;
    REQUIRE(rg_reserve(&allocator, &items, &capacity, count, sizeof(int)));
    REQUIRE(capacity >= count);
    int* numbers = items;
    if (capacity != before) {
      ++growths;
      CHECK_MSG(capacity >= before + before / 2, "from %d to %d", before, capacity);
      CHECK(all_zero(numbers + filled, (size_t)(capacity - filled) * sizeof *numbers));
    }
    numbers[filled++] = 7 * count;
  }
  const int* numbers = items;
  int wrong = 0;
  for (int i = 0; i < filled; ++i)
    wrong += numbers[i] != 7 * (i + 1);
  CHECK_INT(wrong, 0);
  CHECK_MSG(growths < 20, "%d growths: should be few, each by half again", growths);
  rg_release(&allocator, items, (size_t)capacity * sizeof(int));
  CHECK_INT(books.live, 0);
  CHECK_INT(books.mistakes, 0);
}

TEST(room_that_is_there_costs_no_allocation) {
  Books books = {0};
  rgAllocator allocator = with_books(&books);
  void* items = NULL;
  int capacity = 0;
  REQUIRE(rg_reserve(&allocator, &items, &capacity, 100, 8));
  int calls = books.calls, room = capacity;
  for (int count = 0; count <= room; ++count)
    CHECK(rg_reserve(&allocator, &items, &capacity, count, 8));
  CHECK_INT(books.calls, calls);
  CHECK_INT(capacity, room);
  rg_release(&allocator, items, (size_t)capacity * 8);
}

TEST(an_array_that_cannot_grow_stays_as_it_is) {
  Books books = {0};
  rgAllocator allocator = with_books(&books);
  void* items = NULL;
  int capacity = 0;
  REQUIRE(rg_reserve(&allocator, &items, &capacity, 10, sizeof(int)));
  ((int*)items)[9] = 42;
  void* before = items;
  int room = capacity;
  books.fail = true;
  CHECK(!rg_reserve(&allocator, &items, &capacity, room + 1, sizeof(int)));
  CHECK(items == before);
  CHECK_INT(capacity, room);
  CHECK_INT(((int*)items)[9], 42);
  books.fail = false;
  // More bytes than there can be.
  CHECK(!rg_reserve(&allocator, &items, &capacity, INT32_MAX, SIZE_MAX / 4));
  CHECK(items == before);
  rg_release(&allocator, items, (size_t)capacity * sizeof(int));
  CHECK_INT(books.live, 0);
}

TEST(carved_pieces_are_aligned_and_apart) {
  rgCarver dry = {NULL, 0};
  CHECK(rg_carve(&dry, 3, 10) == NULL);
  CHECK(rg_carve(&dry, 1, 64) == NULL);
  CHECK(rg_carve(&dry, 0, 8) == NULL);
  CHECK(rg_carve(&dry, 65, 1) == NULL);
  CHECK_INT(dry.used, 64 + 64 + 0 + 128);

  rgAllocator heap = rg_allocator_default();
  char* block = rg_allocate(&heap, dry.used);
  REQUIRE(block);
  rgCarver carver = {block, 0};
  char* first = rg_carve(&carver, 3, 10);
  char* second = rg_carve(&carver, 1, 64);
  char* none = rg_carve(&carver, 0, 8);
  char* third = rg_carve(&carver, 65, 1);
  CHECK(first == block && second == block + 64 && none == block + 128 && third == block + 128);
  CHECK_INT(carver.used, dry.used);
  rg_release(&heap, block, dry.used);
}

TEST(hash_is_the_published_function) {
  // FNV-1a, 64 bits: values from its authors' test suite.
  CHECK_HEX(rg_hash_bytes(RG_HASH_START, "", 0), 0xcbf29ce484222325u);
  CHECK_HEX(rg_hash_bytes(RG_HASH_START, "a", 1), 0xaf63dc4c8601ec8cu);
  CHECK_HEX(rg_hash_bytes(RG_HASH_START, "foobar", 6), 0x85944171f73967e8u);
  uint64_t whole = rg_hash_bytes(RG_HASH_START, "foobar", 6);
  uint64_t parts = rg_hash_bytes(rg_hash_bytes(RG_HASH_START, "foo", 3), "bar", 3);
  CHECK_HEX(whole, parts);
}
