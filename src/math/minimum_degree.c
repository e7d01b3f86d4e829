// minimum_degree.c - minimum degree on the quotient graph.
//
// Problem: an order of elimination of a symmetric positive matrix that leaves its factor sparse.
// Finding the best one is hard; eliminating a node with the fewest neighbours next is nearly as
// good, and leaves trees without any fill.
//
// Method (Amestoy, Davis, Duff 1996, "An approximate minimum degree ordering algorithm"). An
// eliminated node p stays behind as an element: the set L_p of nodes that it joined to a clique,
// which is column p of the factor. A node i that is left keeps two lists: elements it belongs to
// and neighbours that no element covers. Eliminating p,
//
//     L_p = (neighbours of p) + (union of its elements' sets) - p,
//
// its elements are absorbed (L_p holds all of them), and each i in L_p gets the bound
//
//     degree_i <= |L_p - i| + |neighbours of i outside L_p| + sum over its elements e |L_e - L_p|
//
// on its degree, the last sizes being counted by one pass over the lists of the nodes in L_p. An
// element that lies in L_p is absorbed as well. Since i gives up p or an absorbed element for the
// new one, its lists never need more room than its neighbours had at the start.
//
// The node of least degree comes from a binary heap; ties go to the lowest node, so that the order
// is a function of the graph alone. Difference from the paper: no merging of indistinguishable
// nodes (the clique at the end of a dense graph costs the square of its size, which its
// factorization exceeds by far).
//
// Cost: entries of the factor, times the few elements a node belongs to, plus a logarithm per
// entry. A node whose neighbours go one by one (the hub of a star) is looked at each time: the
// square of its degree at worst.
#include "math/minimum_degree.h"

#include <string.h>

void rg_minimum_degree_carve(rgOrder* order, int count, int edge_limit, int entry_limit,
                             rgCarver* carver) {
  size_t n = (size_t)count;
  memset(order, 0, sizeof *order);
  order->count = order->count_limit = count;
  order->edge_limit = edge_limit;
  order->entry_limit = entry_limit;
  int** each_node[] = {&order->position,       &order->node,   &order->element_count,
                       &order->variable_count, &order->degree, &order->heap,
                       &order->heap_place,     &order->mark,   &order->outside,
                       &order->outside_mark};
  for (size_t i = 0; i < sizeof each_node / sizeof *each_node; i++)
    *each_node[i] = rg_carve(carver, n, sizeof(int));
  order->column_start = rg_carve(carver, n + 1, sizeof(int));
  order->list_start = rg_carve(carver, n + 1, sizeof(int));
  order->list = rg_carve(carver, 2 * (size_t)edge_limit, sizeof(int));
  order->row = rg_carve(carver, (size_t)entry_limit, sizeof(int));
}

// -------------------------------------------------------------------------------------------------
// Heap of the nodes that are left, least (degree, node) first
// -------------------------------------------------------------------------------------------------

static bool comes_first(const rgOrder* order, int a, int b) {
  return order->degree[a] != order->degree[b] ? order->degree[a] < order->degree[b] : a < b;
}

static void put(rgOrder* order, int place, int node) {
  order->heap[place] = node;
  order->heap_place[node] = place;
}

static void sift_up(rgOrder* order, int place) {
  int node = order->heap[place];
  for (int parent; place > 0; place = parent) {
    parent = (place - 1) / 2;
    if (!comes_first(order, node, order->heap[parent]))
      break;
    put(order, place, order->heap[parent]);
  }
  put(order, place, node);
}

static void sift_down(rgOrder* order, int place, int count) {
  int node = order->heap[place];
  for (int child; (child = 2 * place + 1) < count; place = child) {
    if (child + 1 < count && comes_first(order, order->heap[child + 1], order->heap[child]))
      child++;
    if (!comes_first(order, order->heap[child], node))
      break;
    put(order, place, order->heap[child]);
  }
  put(order, place, node);
}

static int take_first(rgOrder* order, int count) {
  int first = order->heap[0];
  put(order, 0, order->heap[count - 1]);
  sift_down(order, 0, count - 1);
  return first;
}

static void set_degree(rgOrder* order, int node, int degree, int count) {
  order->degree[node] = degree;
  sift_up(order, order->heap_place[node]);
  sift_down(order, order->heap_place[node], count);
}

// -------------------------------------------------------------------------------------------------
// Quotient graph
// -------------------------------------------------------------------------------------------------

enum { NEVER = -1, ABSORBED = -2 }; // values of outside_mark besides the step of its count

// Room for the lists: neighbours named so far are counted in start[i + 1].
static void make_lists(rgOrder* order) {
  int* start = order->list_start;
  for (int i = 0; i < order->count; i++) {
    start[i + 1] += start[i];
    order->variable_count[i] = order->element_count[i] = 0;
    order->mark[i] = order->outside_mark[i] = NEVER;
  }
}

static void list_edge(rgOrder* order, int a, int b) {
  order->list[order->list_start[a] + order->variable_count[a]++] = b;
  order->list[order->list_start[b] + order->variable_count[b]++] = a;
}

static void read_edges(rgOrder* order, const int (*edges)[2], int edge_count) {
  int* start = order->list_start;
  memset(start, 0, ((size_t)order->count + 1) * sizeof(int));
  for (int i = 0; i < edge_count; i++) {
    start[edges[i][0] + 1]++;
    start[edges[i][1] + 1]++;
  }
  make_lists(order);
  for (int i = 0; i < edge_count; i++)
    list_edge(order, edges[i][0], edges[i][1]);
}

static void read_rows(rgOrder* order, const int* row_start, const int* column, int first) {
  int* start = order->list_start;
  memset(start, 0, ((size_t)order->count + 1) * sizeof(int));
  for (int i = 0; i < order->count; i++)
    for (int k = row_start[i]; k < row_start[i + 1]; k++)
      if (column[k] - first != i) {
        start[i + 1]++;
        start[column[k] - first + 1]++;
      }
  make_lists(order);
  for (int i = 0; i < order->count; i++)
    for (int k = row_start[i]; k < row_start[i + 1]; k++)
      if (column[k] - first != i)
        list_edge(order, i, column[k] - first);
}

// Names each neighbour once and fills the heap.
static void begin(rgOrder* order) {
  int n = order->count;
  for (int i = 0; i < n; i++) {
    int* own = order->list + order->list_start[i];
    int kept = 0;
    for (int k = 0; k < order->variable_count[i]; k++)
      if (order->mark[own[k]] != i) {
        order->mark[own[k]] = i;
        own[kept++] = own[k];
      }
    order->variable_count[i] = order->degree[i] = kept;
  }
  for (int i = 0; i < n; i++) {
    order->mark[i] = NEVER;
    put(order, i, i);
  }
  for (int i = n / 2; i >= 0 && i < n; i--)
    sift_down(order, i, n);
}

// Appends `node` to the column that is being gathered, unless it is there.
static bool gather(rgOrder* order, int node, int step, int* count) {
  if (order->mark[node] == step)
    return true;
  if (order->entry_count + *count == order->entry_limit)
    return false;
  order->mark[node] = step;
  order->row[order->entry_count + (*count)++] = node;
  return true;
}

static int element_size(const rgOrder* order, int element) {
  int k = order->position[element];
  return order->column_start[k + 1] - order->column_start[k];
}

// L_p at the end of the entries; its elements are absorbed. False when there is no room.
static bool gather_column(rgOrder* order, int pivot, int step, int* count) {
  const int* own = order->list + order->list_start[pivot];
  int elements = order->element_count[pivot];
  *count = 0;
  order->mark[pivot] = step; // not a member
  for (int k = 0; k < elements; k++) {
    int element = own[k], first = order->column_start[order->position[element]];
    if (order->outside_mark[element] == ABSORBED)
      continue;
    for (int m = 0; m < element_size(order, element); m++)
      if (!gather(order, order->row[first + m], step, count))
        return false;
    order->outside_mark[element] = ABSORBED;
  }
  for (int k = 0; k < order->variable_count[pivot]; k++)
    if (!gather(order, own[elements + k], step, count))
      return false;
  return true;
}

// |L_e - L_p| of every element that a node of the column belongs to.
static void count_outside(rgOrder* order, const int* column, int count, int step) {
  for (int m = 0; m < count; m++) {
    const int* own = order->list + order->list_start[column[m]];
    for (int k = 0; k < order->element_count[column[m]]; k++) {
      int element = own[k];
      if (order->outside_mark[element] == ABSORBED)
        continue;
      if (order->outside_mark[element] != step) {
        order->outside_mark[element] = step;
        order->outside[element] = element_size(order, element);
      }
      order->outside[element]--;
    }
  }
}

// Prunes the lists of a node of the column, adds the new element, and bounds its degree.
static void update_node(rgOrder* order, int node, int pivot, int count, int step) {
  int* own = order->list + order->list_start[node];
  int elements = 0, variables = 0, degree = count - 1, old_elements = order->element_count[node];
  for (int k = 0; k < old_elements; k++) {
    int element = own[k];
    if (order->outside_mark[element] == ABSORBED)
      continue;
    if (order->outside[element] == 0) {
      order->outside_mark[element] = ABSORBED;
      continue;
    }
    degree += order->outside[element];
    own[elements++] = element;
  }
  for (int k = 0; k < order->variable_count[node]; k++) {
    int other = own[old_elements + k];
    if (order->mark[other] == step)
      continue;
    own[elements + variables++] = other;
  }
  if (variables > 0)
    own[elements + variables] = own[elements];
  own[elements] = pivot;
  order->element_count[node] = elements + 1;
  order->variable_count[node] = variables;
  degree += variables;
  int left = order->count - step - 1, most = order->degree[node] + count - 1;
  degree = degree < most ? degree : most;
  set_degree(order, node, degree < left - 1 ? degree : left - 1, left);
}

static void sort_ascending(int* values, int count) {
  int stride = 1;
  while (stride < count / 3)
    stride = 3 * stride + 1;
  for (; stride > 0; stride /= 3)
    for (int i = stride; i < count; i++) {
      int value = values[i], k = i;
      for (; k >= stride && values[k - stride] > value; k -= stride)
        values[k] = values[k - stride];
      values[k] = value;
    }
}

static bool eliminate(rgOrder* order) {
  int n = order->count;
  order->entry_count = 0;
  order->products = 0;
  begin(order);
  for (int step = 0; step < n; step++) {
    int pivot = take_first(order, n - step), count;
    if (!gather_column(order, pivot, step, &count))
      return false;
    order->position[pivot] = step;
    order->node[step] = pivot;
    order->column_start[step] = order->entry_count;
    const int* column = order->row + order->entry_count;
    order->entry_count += count;
    order->column_start[step + 1] = order->entry_count;
    count_outside(order, column, count, step);
    for (int m = 0; m < count; m++)
      update_node(order, column[m], pivot, count, step);
    order->products += 1 + count + 0.5 * count * (count + 1);
  }
  order->column_start[n] = order->entry_count;
  for (int i = 0; i < order->entry_count; i++)
    order->row[i] = order->position[order->row[i]];
  for (int k = 0; k < n; k++)
    sort_ascending(order->row + order->column_start[k],
                   order->column_start[k + 1] - order->column_start[k]);
  return true;
}

bool rg_minimum_degree_build(rgOrder* order, const int (*edges)[2], int edge_count) {
  order->entry_count = 0;
  order->products = 0;
  if (edge_count > order->edge_limit)
    return false;
  read_edges(order, edges, edge_count);
  return eliminate(order);
}

bool rg_minimum_degree_build_rows(rgOrder* order, int count, const int* row_start,
                                  const int* column, int first) {
  order->entry_count = 0;
  order->products = 0;
  if (count > order->count_limit || row_start[count] - row_start[0] > order->edge_limit)
    return false;
  order->count = count;
  read_rows(order, row_start, column, first);
  return eliminate(order);
}

int rg_minimum_degree_find(const rgOrder* order, int a, int b, bool* transposed) {
  int i = order->position[a], j = order->position[b];
  *transposed = i < j; // stored below the diagonal: row later than column
  int column = i < j ? i : j, row = i < j ? j : i;
  int low = order->column_start[column], high = order->column_start[column + 1] - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (order->row[middle] < row)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
