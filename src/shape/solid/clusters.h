// clusters.h - parts of the surface of a polyhedron, so that few of its faces, edges and vertices
// are visited in a search. What is found is what a visit of all would find, to the last bit.
#ifndef SHAPE_SOLID_CLUSTERS_H
#define SHAPE_SOLID_CLUSTERS_H

#include "base/memory.h"
#include "shape/shape.h"
#include "shape/solid/directions.h"

// A flat round box: mid + axis s + t, |s| <= half, t across the axis with |t| <= radius.
typedef struct rgDisc {
  rgVec3 mid;
  double half, radius; // half < 0: empty
} rgDisc;

// Faces whose normals are neighbours, with the vertices and edges that were given to them.
typedef struct rgCluster {
  rgVec3 axis; // unit, of both discs
  rgDisc normals;
  rgDisc corners;       // [m] holds the vertices and both ends of the edges
  double depth;         // [m] least distance of corners.mid below the planes of the faces
  int skip;             // next cluster that is not inside this one
  int faces, faces_end; // in rgClusters.faces; likewise the others
  int vertices, vertices_end;
  int edges, edges_end;
} rgCluster;

// A binary tree of clusters, in the order of a walk: a cluster, its first part, its second part.
typedef struct rgClusters {
  int count;
  const rgCluster* list;
  const int *faces, *vertices, *edges; // indices, grouped by cluster
  const int* leaf_of;                  // of each face
  const int* face_edges;               // of face f from face_start[f] on, as many as corners
  double uneven;                       // [m] how far an edge is below the plane of a face at it
  double size;                         // [m] largest distance of a vertex from the origin
  double longest;                      // [m] edge
  rgDirections tops;                   // vertices that may be the highest
  rgDirections fronts;                 // faces that may be most along a direction
} rgClusters;

// Takes the memory of the clusters of a polyhedron with these counts from the carver; NULL, and no
// memory, when it has so few faces that a visit of all is faster.
rgClusters* rg_clusters_carve(rgCarver* carver, int faces, int edges, int vertices);
// Fills them; the polyhedron is complete but for `clusters`.
void rg_clusters_make(const rgPolyhedron* polyhedron, rgClusters* clusters);

// First vertex of greatest dot(d, vertex).
int rg_clusters_highest(const rgPolyhedron* polyhedron, rgVec3 d);
// [m] Its height along d.
double rg_clusters_height(const rgPolyhedron* polyhedron, rgVec3 d);

// Face whose normal is most along d; a later face must be so by more than `bias`, not below 1e-9.
int rg_clusters_face_along(const rgPolyhedron* polyhedron, rgVec3 d, double bias);

// Next leaf from cluster `from` on that may have a face with dot(normal, x) - offset >= floor for
// all of the points x; or the number of clusters.
int rg_clusters_below(const rgClusters* clusters, int from, const rgVec3* x, int count,
                      double floor);

// Some of the edges or of the vertices of a polyhedron, by rising index.
enum { RG_SELECTION_MAX = 512 };
typedef struct rgSelection {
  int count;
  bool all; // items are 0 .. count - 1
  int items[RG_SELECTION_MAX];
} rgSelection;

static inline int rg_selected(const rgSelection* selection, int i) {
  return selection->all ? i : selection->items[i];
}

// Among others, all vertices that reach `floor` along d, or edges of which one end does. All when
// they are too many.
void rg_clusters_vertices_above(const rgPolyhedron* polyhedron, rgVec3 d, double floor,
                                rgSelection* out);
void rg_clusters_edges_above(const rgPolyhedron* polyhedron, rgVec3 d, double floor,
                             rgSelection* out);
// Whether more than `count` vertices reach `floor` along d, to within rounding.
bool rg_clusters_more_above(const rgPolyhedron* polyhedron, rgVec3 d, double floor, int count);
// Among others, of the vertices that reach `floor` along unit d those p that are less below vertex q
// than angle |p - q|. In no order.
void rg_clusters_vertices_about(const rgPolyhedron* polyhedron, rgVec3 d, double floor, int q,
                                double angle, rgSelection* out);
// Among others, all edges with a face at which dot(normal, x) - offset >= floor.
void rg_clusters_edges_below(const rgPolyhedron* polyhedron, rgVec3 x, double floor,
                             rgSelection* out);

#endif
