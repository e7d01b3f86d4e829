// The order of elimination: no fill on trees, the structure of the true factor, linear cost.
#include "base/random.h"
#include "math/minimum_degree.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

typedef struct Graph {
  rgOrder order;
  void* memory;
  int (*edges)[2];
  int edge_count;
} Graph;

static uint32_t next_random(uint64_t* state) { return (uint32_t)(rg_random_bits(state) >> 33); }

static Graph graph_begin(int nodes, int edge_limit, int entry_limit) {
  Graph graph = {.edges = malloc((size_t)edge_limit * sizeof(int[2]))};
  rgCarver carver = {NULL, 0};
  rg_minimum_degree_carve(&graph.order, nodes, edge_limit, entry_limit, &carver);
  graph.memory = aligned_alloc(RG_ALIGNMENT, carver.used);
  memset(graph.memory, 0x77, carver.used);
  carver = (rgCarver){graph.memory, 0};
  rg_minimum_degree_carve(&graph.order, nodes, edge_limit, entry_limit, &carver);
  return graph;
}

static void graph_join(Graph* graph, int a, int b) {
  graph->edges[graph->edge_count][0] = a;
  graph->edges[graph->edge_count++][1] = b;
}

static bool graph_build(Graph* graph) {
  return rg_minimum_degree_build(&graph->order, (const int(*)[2])graph->edges, graph->edge_count);
}

static void graph_end(Graph* graph) {
  free(graph->memory);
  free(graph->edges);
}

// Eliminates the graph as bits in the order that was found: the columns must be those of the order,
// ascending.
static void check_structure(const Graph* graph) {
  const rgOrder* order = &graph->order;
  int n = order->count;
  char* joined = calloc((size_t)(n * n), 1);
  for (int i = 0; i < graph->edge_count; i++) {
    int a = order->position[graph->edges[i][0]], b = order->position[graph->edges[i][1]];
    joined[a * n + b] = joined[b * n + a] = 1;
  }
  int next = 0;
  for (int k = 0; k < n; k++) {
    CHECK_INT(order->position[order->node[k]], k);
    CHECK_INT(order->column_start[k], next);
    for (int i = k + 1; i < n; i++) {
      if (!joined[k * n + i])
        continue;
      CHECK_INT(order->row[next], i);
      next++;
      for (int j = k + 1; j < n; j++)
        if (j != i && joined[k * n + j])
          joined[i * n + j] = 1;
    }
  }
  CHECK_INT(order->column_start[n], next);
  CHECK_INT(order->entry_count, next);
  free(joined);
}

TEST(columns_are_those_of_the_eliminated_graph) {
  for (uint64_t seed = 1; seed <= 40; seed++) {
    CONTEXT("seed %d", (int)seed);
    uint64_t state = seed;
    int n = 2 + (int)(next_random(&state) % 60), edges = (int)(next_random(&state) % 200);
    Graph graph = graph_begin(n, edges + 1, n * n);
    for (int i = 0; i < edges; i++) {
      int a = (int)(next_random(&state) % (uint32_t)n),
          b = (int)(next_random(&state) % (uint32_t)n);
      if (a != b)
        graph_join(&graph, a, b);
    }
    REQUIRE(graph_build(&graph));
    check_structure(&graph);
    graph_end(&graph);
  }
}

TEST(trees_have_no_fill) {
  const int n = 20000;
  for (int kind = 0; kind < 4; kind++) {
    CONTEXT("kind %d", kind); // chain, star, binary tree, random tree
    uint64_t state = 5;
    Graph graph = graph_begin(n, n, n);
    for (int i = 1; i < n; i++)
      graph_join(&graph, i,
                 kind == 0   ? i - 1
                 : kind == 1 ? 0
                 : kind == 2 ? (i - 1) / 2
                             : (int)(next_random(&state) % (uint32_t)i));
    REQUIRE(graph_build(&graph));
    CHECK_INT(graph.order.entry_count, n - 1);
    CHECK_NEAR(graph.order.products, 3 * n - 2, 0);
    graph_end(&graph);
  }
}

// A square grid of 60 x 60: exact minimum degree with the same rule for ties leaves 56,448 entries
// (counted with explicit sets); approximate degrees must not be worse by more than a twentieth.
TEST(grids_stay_sparse) {
  const int side = 60, n = side * side;
  Graph graph = graph_begin(n, 2 * n, 31 * n);
  for (int i = 0; i < side; i++)
    for (int k = 0; k < side; k++) {
      if (i > 0)
        graph_join(&graph, i * side + k, (i - 1) * side + k);
      if (k > 0)
        graph_join(&graph, i * side + k, i * side + k - 1);
    }
  REQUIRE(graph_build(&graph));
  CHECK(graph.order.entry_count < 1.05 * 56448);
  graph_end(&graph);
}

TEST(a_clique_is_ordered_by_number) {
  enum { N = 50 };
  Graph graph = graph_begin(N, N * N, N * N);
  for (int i = 0; i < N; i++)
    for (int k = 0; k < i; k++)
      graph_join(&graph, i, k);
  REQUIRE(graph_build(&graph));
  for (int i = 0; i < N; i++)
    CHECK_INT(graph.order.position[i], i);
  CHECK_INT(graph.order.entry_count, N * (N - 1) / 2);
  graph_end(&graph);
}

TEST(no_room_is_refused) {
  Graph graph = graph_begin(4, 6, 5);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < i; k++)
      graph_join(&graph, i, k);
  CHECK(!graph_build(&graph));
  graph_end(&graph);
}
