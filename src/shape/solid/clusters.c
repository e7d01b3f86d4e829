// clusters.c - searches on the surface of a polyhedron of many faces.
//
// Problem. For a direction d or a point x: the vertex of greatest d.v, the face of greatest d.n or
// n.x - o, the vertices and edges above a height. A visit of all is linear in their number.
//
// Method. Branch and bound on a binary tree of clusters of faces, split at the median of the widest
// coordinate of their normals: on a convex surface near normals are what belongs together in all of
// these searches. Every vertex and edge is given to one face at it, that of the fewest corners. A
// cluster bounds normals and corners by discs about the mean normal. With d = d_n axis + d_t,
//
//     d.p <= d.mid + |d_n| half + |d_t| radius,
//
// which is sharp where it has to be: for d near the normals of the cluster d_t is small, and `half`
// is of second order in the radius. For planes let m be the middle of the corners and e the least
// o_f - n_f.m of the faces f: then n_f.x - o_f <= n_f.(x - m) - e, a bound of the first kind.
//
// The highest vertex and the face most along a direction are looked up in a table (directions.h),
// and sought by clusters where that has no answer: where many are as high as each other.
//
// Exactness. A cluster is left out only when its bound misses by more than ROUNDING of the numbers
// in it; what is left is compared by the same products as in a visit of all, and of equals the
// lowest index wins. So answers are those of a visit of all.
//
// Cost. Some 15 items in the table, whatever n; else O(log n) clusters and some ten items where the
// surface is curved, and linear in the number of vertices that are as high as the highest. Making
// O(n log n).
#include "shape/solid/clusters.h"

enum {
  VISIT_ALL = 64, // faces; below, a visit of all is faster
  LEAF_FACES = 8,
};

// More than rounding of a bound, relative to the lengths in it.
static const double ROUNDING = 1e-13;

// A face is in the table of directions unless another is more along by this [1]. Above twice the
// bias of contacts, 1e-9.
static const double FRONT_SLACK = 3e-9;

// --- making -------------------------------------------------------------------------------------

static int clusters_for(int faces) {
  if (faces <= LEAF_FACES)
    return 1;
  return 1 + clusters_for(faces / 2) + clusters_for(faces - faces / 2);
}

rgClusters* rg_clusters_carve(rgCarver* carver, int faces, int edges, int vertices) {
  if (faces <= VISIT_ALL)
    return NULL;
  rgClusters* clusters = rg_carve(carver, 1, sizeof *clusters);
  int count = clusters_for(faces);
  rgClusters made = {.count = count};
  made.list = rg_carve(carver, (size_t)count, sizeof(rgCluster));
  made.faces = rg_carve(carver, (size_t)faces, sizeof(int));
  made.vertices = rg_carve(carver, (size_t)vertices, sizeof(int));
  made.edges = rg_carve(carver, (size_t)edges, sizeof(int));
  made.leaf_of = rg_carve(carver, (size_t)faces, sizeof(int));
  made.face_edges = rg_carve(carver, 2 * (size_t)edges, sizeof(int));
  made.tops = rg_directions_carve(carver, vertices);
  made.fronts = rg_directions_carve(carver, faces);
  if (clusters) // not when the memory is only counted
    *clusters = made;
  return clusters;
}

// The same as rgClusters, while it is filled.
typedef struct Making {
  const rgPolyhedron* p;
  rgCluster* list;
  int *faces, *vertices, *edges, *leaf_of, *face_edges;
  int count;
} Making;

static bool before(const rgVec3* normals, int axis, int a, int b) {
  double x = v3_get(normals[a], axis), y = v3_get(normals[b], axis);
  return x < y || (x == y && a < b);
}

// Brings the faces that come first along an axis to the front of the `middle`-th (Hoare's
// selection).
static void split(const rgVec3* normals, int axis, int* faces, int count, int middle) {
  int low = 0, high = count - 1;
  while (low < high) {
    int pivot = faces[low + (high - low) / 2], i = low, j = high;
    while (i <= j) {
      while (before(normals, axis, faces[i], pivot))
        i++;
      while (before(normals, axis, pivot, faces[j]))
        j--;
      if (i > j)
        break;
      int face = faces[i];
      faces[i++] = faces[j];
      faces[j--] = face;
    }
    if (middle <= j)
      high = j;
    else if (middle >= i)
      low = i;
    else
      return;
  }
}

static int widest_axis(const rgVec3* normals, const int* faces, int count) {
  rgVec3 low = normals[faces[0]], high = low;
  for (int i = 1; i < count; i++) {
    low = v3_min(low, normals[faces[i]]);
    high = v3_max(high, normals[faces[i]]);
  }
  rgVec3 width = v3_sub(high, low);
  int axis = width.x >= width.y ? 0 : 1;
  return v3_get(width, axis) >= width.z ? axis : 2;
}

static void divide(Making* making, int begin, int end) {
  rgCluster* cluster = &making->list[making->count++];
  *cluster = (rgCluster){.faces = begin, .faces_end = end};
  int count = end - begin;
  if (count > LEAF_FACES) {
    const rgVec3* normals = making->p->normals;
    int* faces = making->faces + begin;
    split(normals, widest_axis(normals, faces, count), faces, count, count / 2);
    divide(making, begin, begin + count / 2); // as deep as the logarithm of the number of faces
    divide(making, begin + count / 2, end);
  }
  cluster->skip = making->count;
}

static int corners_of(const rgPolyhedron* p, int face) {
  return p->face_start[face + 1] - p->face_start[face];
}

// Gives each vertex to the face of fewest corners at it, in `owner`.
static void own_vertices(const rgPolyhedron* p, int* owner) {
  for (int v = 0; v < p->vertex_count; v++)
    owner[v] = -1;
  for (int f = 0; f < p->face_count; f++)
    for (int i = p->face_start[f]; i < p->face_start[f + 1]; i++) {
      int v = p->face_loop[i];
      if (owner[v] < 0 || corners_of(p, f) < corners_of(p, owner[v]))
        owner[v] = f;
    }
}

static int owner_of_edge(const rgPolyhedron* p, int edge) {
  int left = p->edges[edge][2], right = p->edges[edge][3];
  return corners_of(p, right) < corners_of(p, left) ? right : left;
}

// Puts the vertices of the leaf's faces at the end of the list.
static void take_vertices(Making* making, rgCluster* leaf, const int* owner, int* count) {
  const rgPolyhedron* p = making->p;
  leaf->vertices = *count;
  for (int k = leaf->faces; k < leaf->faces_end; k++) {
    int f = making->faces[k];
    for (int i = p->face_start[f]; i < p->face_start[f + 1]; i++)
      if (owner[p->face_loop[i]] == f)
        making->vertices[(*count)++] = p->face_loop[i];
  }
  leaf->vertices_end = *count;
}

// Vertices of all leaves, in their order. The array of edges holds the owners meanwhile; there are
// more edges than vertices.
static void group_vertices(Making* making) {
  int count = 0;
  own_vertices(making->p, making->edges);
  for (int k = 0; k < making->count; k++)
    if (making->list[k].skip == k + 1)
      take_vertices(making, &making->list[k], making->edges, &count);
}

// Edges of each face. The leaves of faces hold how many are known meanwhile.
static void list_face_edges(Making* making) {
  const rgPolyhedron* p = making->p;
  for (int f = 0; f < p->face_count; f++)
    making->leaf_of[f] = 0;
  for (int e = 0; e < p->edge_count; e++)
    for (int side = 2; side < 4; side++) {
      int f = p->edges[e][side];
      making->face_edges[p->face_start[f] + making->leaf_of[f]++] = e;
    }
}

// Edges of all leaves, by counting.
static void group_edges(Making* making) {
  const rgPolyhedron* p = making->p;
  for (int k = 0; k < making->count; k++)
    if (making->list[k].skip == k + 1)
      for (int i = making->list[k].faces; i < making->list[k].faces_end; i++)
        making->leaf_of[making->faces[i]] = k;
  for (int e = 0; e < p->edge_count; e++)
    making->list[making->leaf_of[owner_of_edge(p, e)]].edges_end++;
  int sum = 0;
  for (int k = 0; k < making->count; k++) {
    rgCluster* leaf = &making->list[k];
    if (leaf->skip != k + 1)
      continue;
    leaf->edges = sum;
    sum += leaf->edges_end;
    leaf->edges_end = leaf->edges;
  }
  for (int e = 0; e < p->edge_count; e++) {
    rgCluster* leaf = &making->list[making->leaf_of[owner_of_edge(p, e)]];
    making->edges[leaf->edges_end++] = e;
  }
}

// Ranges of clusters with parts, from those of their leaves.
static void join_parts(Making* making) {
  for (int k = making->count - 1; k >= 0; k--) {
    rgCluster* cluster = &making->list[k];
    if (cluster->skip == k + 1)
      continue;
    const rgCluster* first = &making->list[k + 1];
    const rgCluster* second = &making->list[first->skip];
    cluster->vertices = first->vertices;
    cluster->vertices_end = second->vertices_end;
    cluster->edges = first->edges;
    cluster->edges_end = second->edges_end;
  }
}

static void hold(rgDisc* disc, rgVec3 axis, rgVec3 x) {
  rgVec3 from = v3_sub(x, disc->mid);
  double along = v3_dot(from, axis), across = v3_norm(v3_axpy(from, -along, axis));
  disc->half = fmax(disc->half, fabs(along));
  disc->radius = fmax(disc->radius, across);
}

static void set_corners(const Making* making, rgCluster* cluster) {
  const rgPolyhedron* p = making->p;
  int count = cluster->vertices_end - cluster->vertices + 2 * (cluster->edges_end - cluster->edges);
  cluster->corners.half = count > 0 ? 0 : -1;
  rgVec3 sum = v3_zero();
  for (int i = cluster->vertices; i < cluster->vertices_end; i++)
    sum = v3_add(sum, p->vertices[making->vertices[i]]);
  for (int i = cluster->edges; i < cluster->edges_end; i++)
    for (int end = 0; end < 2; end++)
      sum = v3_add(sum, p->vertices[p->edges[making->edges[i]][end]]);
  int first = p->face_loop[p->face_start[making->faces[cluster->faces]]];
  cluster->corners.mid = count > 0 ? v3_scale(sum, 1.0 / count) : p->vertices[first];
  for (int i = cluster->vertices; i < cluster->vertices_end; i++)
    hold(&cluster->corners, cluster->axis, p->vertices[making->vertices[i]]);
  for (int i = cluster->edges; i < cluster->edges_end; i++)
    for (int end = 0; end < 2; end++)
      hold(&cluster->corners, cluster->axis, p->vertices[p->edges[making->edges[i]][end]]);
}

static void set_bounds(const Making* making, rgCluster* cluster) {
  const rgPolyhedron* p = making->p;
  rgVec3 sum = v3_zero();
  for (int i = cluster->faces; i < cluster->faces_end; i++)
    sum = v3_add(sum, p->normals[making->faces[i]]);
  cluster->axis = v3_unit_or(sum, v3(0, 0, 1));
  cluster->normals.mid = v3_scale(sum, 1.0 / (cluster->faces_end - cluster->faces));
  set_corners(making, cluster);
  cluster->depth = HUGE_VAL;
  for (int i = cluster->faces; i < cluster->faces_end; i++) {
    int f = making->faces[i];
    hold(&cluster->normals, cluster->axis, p->normals[f]);
    cluster->depth =
        fmin(cluster->depth, p->offsets[f] - v3_dot(p->normals[f], cluster->corners.mid));
  }
}

void rg_clusters_make(const rgPolyhedron* p, rgClusters* clusters) {
  Making making = {.p = p,
                   .list = (rgCluster*)(uintptr_t)clusters->list,
                   .faces = (int*)(uintptr_t)clusters->faces,
                   .vertices = (int*)(uintptr_t)clusters->vertices,
                   .edges = (int*)(uintptr_t)clusters->edges,
                   .leaf_of = (int*)(uintptr_t)clusters->leaf_of,
                   .face_edges = (int*)(uintptr_t)clusters->face_edges};
  for (int f = 0; f < p->face_count; f++)
    making.faces[f] = f;
  divide(&making, 0, p->face_count);
  group_vertices(&making);
  list_face_edges(&making);
  group_edges(&making);
  join_parts(&making);
  for (int k = 0; k < making.count; k++)
    set_bounds(&making, &making.list[k]);
  for (int v = 0; v < p->vertex_count; v++)
    clusters->size = fmax(clusters->size, v3_norm(p->vertices[v]));
  for (int e = 0; e < p->edge_count; e++) {
    rgVec3 along = v3_sub(p->vertices[p->edges[e][1]], p->vertices[p->edges[e][0]]);
    clusters->longest = fmax(clusters->longest, v3_norm(along));
    for (int side = 2; side < 4; side++) {
      int f = p->edges[e][side];
      double height = v3_dot(p->normals[f], p->vertices[p->edges[e][0]]);
      clusters->uneven = fmax(clusters->uneven, p->offsets[f] - height);
    }
  }
  rg_directions_make(&clusters->tops, p->vertices, p->vertex_count, ROUNDING * clusters->size);
  rg_directions_make(&clusters->fronts, p->normals, p->face_count, FRONT_SLACK);
}

// --- searches -----------------------------------------------------------------------------------

// A direction in which discs are asked for their farthest point.
typedef struct Course {
  rgVec3 d;
  double norm2; // |d|^2
} Course;

static Course course(rgVec3 d) { return (Course){d, v3_norm2(d)}; }

// At least as far along d as all of the disc, but for rounding.
static double reach_of(const rgDisc* disc, rgVec3 axis, const Course* c) {
  if (disc->half < 0)
    return -HUGE_VAL;
  double along = v3_dot(c->d, axis), across2 = c->norm2 - along * along;
  // where d is along the axis its square loses half of the digits, which only adds to the bound
  double least = ROUNDING * c->norm2;
  across2 = across2 > least ? across2 : least;
  return v3_dot(c->d, disc->mid) + fabs(along) * disc->half + sqrt(across2) * disc->radius;
}

static bool is_leaf(const rgClusters* clusters, int k) { return clusters->list[k].skip == k + 1; }

// The first leaf from k on whose corners, or normals, may reach as far as `floor`; all inner clusters that
// hold it do so as well.
static inline int next_leaf(const rgClusters* clusters, int k, const Course* c, double floor,
                            bool normals) {
  while (k < clusters->count) {
    const rgCluster* cluster = &clusters->list[k];
    if (reach_of(normals ? &cluster->normals : &cluster->corners, cluster->axis, c) < floor)
      k = cluster->skip;
    else if (is_leaf(clusters, k))
      return k;
    else
      k++;
  }
  return k;
}

static int next_corners(const rgClusters* clusters, int k, const Course* c, double floor) {
  return next_leaf(clusters, k, c, floor, false);
}

static int next_normals(const rgClusters* clusters, int k, const Course* c, double floor) {
  return next_leaf(clusters, k, c, floor, true);
}

// The leaf whose normals are about d.
static int leaf_towards(const rgClusters* clusters, rgVec3 d) {
  int k = 0;
  while (!is_leaf(clusters, k)) {
    int first = k + 1, second = clusters->list[first].skip;
    bool nearer = v3_dot(d, clusters->list[first].axis) >= v3_dot(d, clusters->list[second].axis);
    k = nearer ? first : second;
  }
  return k;
}

typedef struct Best {
  int index; // -1 = none yet
  double value;
} Best;

static void try_vertices(const rgPolyhedron* p, const int* items, int begin, int end, rgVec3 d,
                         Best* best) {
  for (int i = begin; i < end; i++) {
    int v = items[i];
    double height = v3_dot(p->vertices[v], d);
    if (height > best->value || (height == best->value && v < best->index))
      *best = (Best){v, height};
  }
}

static Best highest_of_all(const rgPolyhedron* p, rgVec3 d) {
  Best best = {0, v3_dot(p->vertices[0], d)};
  for (int i = 1; i < p->vertex_count; i++) {
    double height = v3_dot(p->vertices[i], d);
    if (height > best.value)
      best = (Best){i, height};
  }
  return best;
}

static Best highest_of_cell(const rgPolyhedron* p, rgDirectionCell cell, rgVec3 d) {
  Best best = {*cell.begin, v3_dot(p->vertices[*cell.begin], d)};
  for (const int* i = cell.begin + 1; i < cell.end; i++) {
    double height = v3_dot(p->vertices[*i], d);
    if (height > best.value)
      best = (Best){*i, height};
  }
  return best;
}

static Best highest(const rgPolyhedron* p, rgVec3 d) {
  const rgClusters* clusters = p->clusters;
  if (!clusters)
    return highest_of_all(p, d);
  rgDirectionCell cell = rg_directions_cell(&clusters->tops, d);
  if (cell.begin < cell.end)
    return highest_of_cell(p, cell, d);
  Best best = {-1, -HUGE_VAL};
  const rgCluster* guess = &clusters->list[leaf_towards(clusters, d)];
  try_vertices(p, clusters->vertices, guess->vertices, guess->vertices_end, d, &best);
  Course c = course(d);
  double margin = ROUNDING * sqrt(c.norm2) * clusters->size;
  for (int k = next_corners(clusters, 0, &c, best.value - margin); k < clusters->count;
       k = next_corners(clusters, k + 1, &c, best.value - margin)) {
    const rgCluster* leaf = &clusters->list[k];
    try_vertices(p, clusters->vertices, leaf->vertices, leaf->vertices_end, d, &best);
  }
  return best.index >= 0 ? best : highest_of_all(p, d); // d is not finite
}

int rg_clusters_highest(const rgPolyhedron* polyhedron, rgVec3 d) {
  return highest(polyhedron, d).index;
}

double rg_clusters_height(const rgPolyhedron* polyhedron, rgVec3 d) {
  return highest(polyhedron, d).value;
}

static int face_along_of_all(const rgPolyhedron* p, rgVec3 d, double bias) {
  int best = 0;
  double cosine = v3_dot(p->normals[0], d);
  for (int f = 1; f < p->face_count; f++) {
    double c = v3_dot(p->normals[f], d);
    if (c > cosine + bias) {
      cosine = c;
      best = f;
    }
  }
  return best;
}

static double most_along(const rgPolyhedron* p, const Course* c, double margin) {
  const rgClusters* clusters = p->clusters;
  double most = -HUGE_VAL;
  const rgCluster* guess = &clusters->list[leaf_towards(clusters, c->d)];
  for (int i = guess->faces; i < guess->faces_end; i++)
    most = fmax(most, v3_dot(p->normals[clusters->faces[i]], c->d));
  for (int k = next_normals(clusters, 0, c, most - margin); k < clusters->count;
       k = next_normals(clusters, k + 1, c, most - margin)) {
    const rgCluster* leaf = &clusters->list[k];
    for (int i = leaf->faces; i < leaf->faces_end; i++)
      most = fmax(most, v3_dot(p->normals[clusters->faces[i]], c->d));
  }
  return most;
}

// Let M be the greatest product. A visit of all ends at a face above M - bias. When no face is
// between M - 2 bias and M - bias, the first one above wins over whatever was before it, and stays.
// Otherwise the order of the visit decides.
typedef struct Front {
  double most, bias;
  int best; // first face above
  bool unclear;
} Front;

static void try_front(const rgPolyhedron* p, int f, rgVec3 d, Front* front) {
  double cosine = v3_dot(p->normals[f], d);
  if (cosine < front->most - 2.05 * front->bias)
    return;
  front->unclear = front->unclear || cosine < front->most - 0.95 * front->bias;
  front->best = f < front->best ? f : front->best;
}

static void front_of_cell(const rgPolyhedron* p, rgDirectionCell cell, rgVec3 d, Front* front) {
  for (const int* i = cell.begin; i < cell.end; i++)
    front->most = fmax(front->most, v3_dot(p->normals[*i], d));
  for (const int* i = cell.begin; i < cell.end; i++)
    try_front(p, *i, d, front);
}

static void front_of_clusters(const rgPolyhedron* p, const Course* c, double margin, Front* front) {
  const rgClusters* clusters = p->clusters;
  front->most = most_along(p, c, margin);
  double floor = front->most - 2.1 * front->bias;
  for (int k = next_normals(clusters, 0, c, floor); k < clusters->count;
       k = next_normals(clusters, k + 1, c, floor)) {
    const rgCluster* leaf = &clusters->list[k];
    for (int i = leaf->faces; i < leaf->faces_end; i++)
      try_front(p, clusters->faces[i], c->d, front);
  }
}

int rg_clusters_face_along(const rgPolyhedron* p, rgVec3 d, double bias) {
  const rgClusters* clusters = p->clusters;
  Course c = course(d);
  double norm = sqrt(c.norm2), margin = ROUNDING * norm;
  if (!clusters || !(margin < 0.01 * bias))
    return face_along_of_all(p, d, bias);
  Front front = {-HUGE_VAL, bias, p->face_count, false};
  rgDirectionCell cell = rg_directions_cell(&clusters->fronts, d);
  if (cell.begin < cell.end && 2.1 * bias < FRONT_SLACK * norm)
    front_of_cell(p, cell, d, &front);
  else
    front_of_clusters(p, &c, margin, &front);
  bool found = front.best < p->face_count && !front.unclear;
  return found ? front.best : face_along_of_all(p, d, bias);
}

// At least dot(normal, x) - offset of all faces of the cluster, but for rounding.
static double highest_above(const rgCluster* cluster, rgVec3 x) {
  Course c = course(v3_sub(x, cluster->corners.mid));
  return reach_of(&cluster->normals, cluster->axis, &c) - cluster->depth;
}

int rg_clusters_below(const rgClusters* clusters, int k, const rgVec3* x, int count, double floor) {
  double size = clusters->size;
  for (int i = 0; i < count; i++)
    size = fmax(size, v3_norm(x[i]));
  floor -= 2 * ROUNDING * size;
  while (k < clusters->count) {
    const rgCluster* cluster = &clusters->list[k];
    int i = 0;
    while (i < count && highest_above(cluster, x[i]) >= floor)
      i++;
    if (i < count)
      k = cluster->skip;
    else if (cluster->skip == k + 1)
      return k;
    else
      k++;
  }
  return k;
}

// --- selections ---------------------------------------------------------------------------------

// By rising index (Shell's sort).
static void sort(int* items, int count) {
  static const int gaps[] = {57, 23, 10, 4, 1};
  for (int g = 0; g < 5; g++)
    for (int i = gaps[g]; i < count; i++) {
      int item = items[i], j = i;
      for (; j >= gaps[g] && items[j - gaps[g]] > item; j -= gaps[g])
        items[j] = items[j - gaps[g]];
      items[j] = item;
    }
}

static void select_all(int count, rgSelection* out) {
  out->all = true;
  out->count = count;
}

static void select_sorted(int count, rgSelection* out) {
  sort(out->items, count);
  out->all = false;
  out->count = count;
}

bool rg_clusters_more_above(const rgPolyhedron* p, rgVec3 d, double floor, int count) {
  const rgClusters* clusters = p->clusters;
  if (!clusters) {
    for (int v = 0; v < p->vertex_count && count >= 0; v++)
      count -= v3_dot(d, p->vertices[v]) >= floor;
    return count < 0;
  }
  Course c = course(d);
  floor -= ROUNDING * sqrt(c.norm2) * clusters->size;
  for (int k = next_corners(clusters, 0, &c, floor); k < clusters->count && count >= 0;
       k = next_corners(clusters, k + 1, &c, floor)) {
    const rgCluster* leaf = &clusters->list[k];
    for (int i = leaf->vertices; i < leaf->vertices_end; i++)
      count -= v3_dot(d, p->vertices[clusters->vertices[i]]) >= floor;
  }
  return count < 0;
}

// Takes the vertices of a leaf; false when there is no room.
static bool take_about(const rgPolyhedron* p, const rgCluster* leaf, const Course* c, double floor,
                       rgSelection* out) {
  for (int i = leaf->vertices; i < leaf->vertices_end; i++) {
    int v = p->clusters->vertices[i];
    if (v3_dot(c->d, p->vertices[v]) < floor)
      continue;
    if (out->count == RG_SELECTION_MAX)
      return false;
    out->items[out->count++] = v;
  }
  return true;
}

void rg_clusters_vertices_about(const rgPolyhedron* p, rgVec3 d, double floor, int q, double angle,
                                rgSelection* out) {
  const rgClusters* clusters = p->clusters;
  if (!clusters) {
    select_all(p->vertex_count, out);
    return;
  }
  Course c = course(d);
  rgVec3 x = p->vertices[q];
  double rounding = ROUNDING * clusters->size, top = v3_dot(d, x) - rounding;
  floor -= rounding;
  out->all = false;
  out->count = 0;
  for (int k = 0; k < clusters->count;) {
    const rgCluster* cluster = &clusters->list[k];
    const rgDisc* corners = &cluster->corners;
    double reach = reach_of(corners, cluster->axis, &c);
    double far = v3_norm(v3_sub(corners->mid, x)) + corners->half + corners->radius;
    if (reach < floor || reach < top - angle * far) {
      k = cluster->skip;
      continue;
    }
    if (is_leaf(clusters, k) && !take_about(p, cluster, &c, floor, out)) {
      select_all(p->vertex_count, out);
      return;
    }
    k++;
  }
}

// Vertices, or edges with one end, at least at the height `floor` along d.
static void select_above(const rgPolyhedron* p, rgVec3 d, double floor, bool edges,
                         rgSelection* out) {
  const rgClusters* clusters = p->clusters;
  select_all(edges ? p->edge_count : p->vertex_count, out);
  if (!clusters)
    return;
  const int* list = edges ? clusters->edges : clusters->vertices;
  Course c = course(d);
  int count = 0;
  floor -= ROUNDING * sqrt(c.norm2) * clusters->size;
  for (int k = next_corners(clusters, 0, &c, floor); k < clusters->count;
       k = next_corners(clusters, k + 1, &c, floor)) {
    const rgCluster* leaf = &clusters->list[k];
    int end = edges ? leaf->edges_end : leaf->vertices_end;
    for (int i = edges ? leaf->edges : leaf->vertices; i < end; i++) {
      const int* corners = edges ? p->edges[list[i]] : &list[i];
      if (v3_dot(d, p->vertices[corners[0]]) < floor &&
          !(edges && v3_dot(d, p->vertices[corners[1]]) >= floor))
        continue;
      if (count == RG_SELECTION_MAX)
        return;
      out->items[count++] = list[i];
    }
  }
  select_sorted(count, out);
}

void rg_clusters_vertices_above(const rgPolyhedron* p, rgVec3 d, double floor, rgSelection* out) {
  select_above(p, d, floor, false, out);
}

void rg_clusters_edges_above(const rgPolyhedron* p, rgVec3 d, double floor, rgSelection* out) {
  select_above(p, d, floor, true, out);
}

// Adds the edges of a face; false when there is no room.
static bool add_edges(const rgPolyhedron* p, int face, int* count, rgSelection* out) {
  for (int i = p->face_start[face]; i < p->face_start[face + 1]; i++) {
    if (*count == RG_SELECTION_MAX)
      return false;
    out->items[(*count)++] = p->clusters->face_edges[i];
  }
  return true;
}

static int drop_twins(int* items, int count) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (kept == 0 || items[kept - 1] != items[i])
      items[kept++] = items[i];
  return kept;
}

void rg_clusters_edges_below(const rgPolyhedron* p, rgVec3 x, double floor, rgSelection* out) {
  const rgClusters* clusters = p->clusters;
  select_all(p->edge_count, out);
  if (!clusters)
    return;
  floor -= ROUNDING * (v3_norm(x) + clusters->size);
  int count = 0;
  for (int k = rg_clusters_below(clusters, 0, &x, 1, floor); k < clusters->count;
       k = rg_clusters_below(clusters, k + 1, &x, 1, floor)) {
    const rgCluster* leaf = &clusters->list[k];
    for (int i = leaf->faces; i < leaf->faces_end; i++) {
      int f = clusters->faces[i];
      if (v3_dot(p->normals[f], x) - p->offsets[f] >= floor && !add_edges(p, f, &count, out))
        return;
    }
  }
  select_sorted(count, out);
  out->count = drop_twins(out->items, count);
}
