// shape.h - the shapes that bodies are made of, and their mass properties.
//
// A shape is described by an rgShapeDef: a kind, its numbers, and a pose in the body's frame.
// Points and triangles are copied when the shape is added to a world; until then the definition
// borrows them.
#ifndef RIGOR_SHAPE_H
#define RIGOR_SHAPE_H

#include "vec.h"

#ifdef __cplusplus
extern "C" {
#endif

// The list of all kinds, from which the enumeration and the library's table come: a new kind is one
// line here and one file in src/shape/kind. Behind each kind stand the members of rgShapeDef that
// describe it.
// clang-format off
#define RG_SHAPE_KINDS(X)                                                                          \
  X(SPHERE, sphere)       /* radius */                                                             \
  X(BOX, box)             /* half */                                                               \
  X(CAPSULE, capsule)     /* radius, half_length of the segment, along z; along x in a 2D world */ \
  X(CYLINDER, cylinder)   /* radius, half_length, along z */                                       \
  X(ELLIPSOID, ellipsoid) /* half = the three semi-axes */                                         \
  X(HULL, hull)           /* points: their convex hull */                                          \
  X(HALFSPACE, halfspace) /* all z <= 0 of its frame; for bodies that do not move freely */        \
  X(MESH, mesh)           /* points, triangles: a surface; for bodies that do not move freely */   \
  X(FIELD, field)         /* height field z(x, y) on a grid; for bodies that do not move freely */ \
  X(CIRCLE, circle)       /* radius; 2D */                                                         \
  X(POLYGON, polygon)     /* points in the x-y plane: their convex hull; 2D */                     \
  X(SEGMENT, segment)     /* two points in the x-y plane; 2D, for bodies that do not move freely */ \
  X(SUPERELLIPSOID, superellipsoid) /* half, parameters = {exponent across z, along z}, 2 to 20 */ \
  X(TUBE, tube)           /* radius, half_length or 0: inside of a cylinder; not on free bodies */ \
  X(BOWL, bowl)           /* radius, parameters = {rim, three factors}: inside of an ellipsoid */  \
  X(TORUS, torus)         /* radius, parameters = {ring_radius}: inside of a tube bent to a ring */ \
  X(RING, ring)           /* the same numbers: outside of it; both not on free bodies */ \
  X(CONE, cone)           /* radius below, half_length along z, parameters = {radius above, or 0} */ \
  X(LENS, lens)           /* radius of the rim, parameters = {height of the cap above, below} */ \
  X(INTERSECTION, intersection) /* members: what these convex shapes have in common */             \
  X(FUNCTION, function)   /* function: a convex function of the caller, f <= 0 */
// clang-format on

// RG_SHAPE_SPHERE, RG_SHAPE_BOX, ...
typedef enum rgShapeKind {
#define RG_SHAPE_KIND_ENTRY(NAME, name) RG_SHAPE_##NAME,
  RG_SHAPE_KINDS(RG_SHAPE_KIND_ENTRY)
#undef RG_SHAPE_KIND_ENTRY
      RG_SHAPE_KIND_COUNT
} rgShapeKind;

enum { RG_SHAPE_PARAMETER_MAX = 8 }; // numbers of a kind without members of their own

// Mass, centre and inertia about the centre in the axes of the frame it is stated in.
typedef struct rgMassProperties {
  double mass;    // [kg]
  rgVec3 center;  // [m]
  rgMat3 inertia; // [kg m2] about the centre
} rgMassProperties;

// A solid as the set f(x) <= 0 of a smooth convex function of the caller, x in the frame of the shape.
// Called from any thread while shapes are added and steps are made, so it must not change anything, and
// must answer the same whenever it is asked; defined for all x within twice the bounds. A step whose contacts
// stand on answers that contradict one another is refused (docs/limits.md).
typedef struct rgConvexFunction {
  // Returns f(x) and writes its gradient and its Hessian, positive semidefinite.
  double (*value)(void* context, rgVec3 x, rgVec3* gradient, rgMat3* hessian);
  void* context;         // handed to `value`; must live as long as the shape
  rgBounds bounds;       // [m] a box that holds the set; f >= 0 on its border
  rgMassProperties mass; // for density 1; mass 0: by integration
} rgConvexFunction;

typedef struct rgShapeDef {
  rgShapeKind kind;
  rgPose pose;        // of the shape's frame in the body's frame; identity by default
  bool planar;        // capsule: the flat one, along x; worlds of dimension 2 set it
  double radius;      // [m] sphere, capsule, cylinder, cone, lens, circle, tube, bowl, torus, ring
  double half_length; // [m] capsule, cylinder, cone, tube (0: endless)
  rgVec3 half;        // [m] box: half extents; ellipsoid: semi-axes
  double rounding;    // [m] box (within its half extents), hull (around it): of edges and corners

  const rgVec3* points; // [m] hull, mesh, polygon, segment
  int point_count;
  const int* triangles; // mesh: three point indices each, counter-clockwise seen from outside
  int triangle_count;

  const double* heights; // [m] field: rows * columns values, row by row; row = y, column = x
  int rows, columns;     // field: at least 2 each
  double spacing_x; // [m] field: distance of neighbouring columns; the grid is centred on the frame
  double spacing_y; // [m] field: distance of neighbouring rows

  const struct rgShapeDef*
      members; // intersection: each with its pose in the frame of the intersection
  int member_count;
  const rgConvexFunction* function; // function: copied when the shape is added

  // Numbers that have no member of their own; docs/scene.md has their names, units and ranges.
  double parameters[RG_SHAPE_PARAMETER_MAX];

  double density; // [kg/m3], flat shapes [kg/m2]: used when the body's mass is not given; 1000 by
                  // default
  int material;   // index from rg_world_add_material; 0 = the world's default material
  uint32_t group; // collision filter: bits this shape belongs to; 1 by default
  uint32_t mask;  // collision filter: bits it collides with; all by default. A pair collides when
                  // (a.group & b.mask) and (b.group & a.mask) are both non-zero
} rgShapeDef;

// A definition of the given kind with every default in place and sizes zero.
RG_API rgShapeDef rg_shape_def(rgShapeKind kind);

// Mass properties of a solid shape in the frame of the body: exact, or by integration for intersections and
// functions (rg_shape_mass_error). RG_ERROR_INPUT for a bad
// definition and RG_ERROR_UNSUPPORTED for a kind without a volume (half-space, mesh, field,
// tube, bowl, torus, ring); `message` may be NULL.
RG_API rgStatus rg_shape_mass(const rgShapeDef* def, rgMassProperties* mass, rgMessage* message);

// Relative error of the mass that rg_shape_mass states: 0 for closed forms, a bound estimated from the
// integration for intersections and functions, -1 for what has no mass.
RG_API double rg_shape_mass_error(const rgShapeDef* def);

// True for the kinds that a world of this dimension (2 or 3) takes.
RG_API bool rg_shape_kind_fits(rgShapeKind kind, int dimension);
// "sphere", "box", ...; NULL past the end of the table.
RG_API const char* rg_shape_kind_name(rgShapeKind kind);
// One line about the kind; NULL past the end of the table.
RG_API const char* rg_shape_kind_summary(rgShapeKind kind);

#ifdef __cplusplus
}
#endif
#endif
