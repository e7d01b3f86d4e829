// drawing.h - the bodies of a world as a drawing.
//
// A parallel projection: worlds of two dimensions as they are, others from the front, the right and
// above. Each shape is drawn as the outline of its projection, which for convex shapes is the convex
// hull of the projected points of its surface. What is behind comes first: of two shapes whose boxes an
// axis separates, the one on the far side; of others the one whose origin is farther. Of a half-space a square under
// the rest is drawn. Sides of boxes and of shapes of few triangles can be shaded.
#ifndef CLI_DRAWING_H
#define CLI_DRAWING_H

#include <rigor/rigor.h>
#include <stdio.h>

enum { CLI_OUTLINE_POINTS = 256 };

typedef struct CliOutline {
  double x[CLI_OUTLINE_POINTS], y[CLI_OUTLINE_POINTS];
  int count;
  double depth;    // farther is smaller
  rgBounds bounds; // of the shape [m]
  bool moves, ground;
  int first_side, side_count; // its sides
} CliOutline;

// A triangle of a surface that faces the eye.
typedef struct CliSide {
  double x[3], y[3];
  double light; // 0 .. 1
} CliSide;

typedef struct CliEye {
  rgVec3 right, up, toward;
} CliEye;

typedef struct CliDrawing {
  CliEye eye;
  CliOutline* outlines;
  CliSide* sides;
  int count, side_count, side_room;
  double x, y, scale, width, height; // of the frame, the last two in points of the drawing
} CliDrawing;

typedef enum CliDrawn {
  CLI_DRAWN_PLAIN,  // outlines, filled
  CLI_DRAWN_SHADED, // with their sides
  CLI_DRAWN_FAINT,  // hardly seen
  CLI_DRAWN_DASHED, // outlines of what moves, not filled
} CliDrawn;

// Gathers the outlines of at most `most` shapes. `ground` is half the side of the square of a half-space,
// as a part of the diagonal of the rest. False when memory ran out.
bool cli_drawing_make(const rgWorld* world, int most, double ground, CliDrawing* drawing);
void cli_drawing_free(CliDrawing* drawing);
// Finds the frame that shows all within a width and a height, with a margin.
void cli_drawing_fit(CliDrawing* drawing, double width, double height, double margin);
// The same of what moves, with `reach` [m] around it, and of the rest what is near to that.
void cli_drawing_fit_moving(CliDrawing* drawing, double width, double height, double margin,
                            double reach);
// Where a point is in the drawing.
void cli_drawing_place(const CliDrawing* drawing, rgVec3 at, double* x, double* y);
// The elements of a drawing, in the frame of another one of the same world, or its own.
void cli_drawing_write(const CliDrawing* drawing, const CliDrawing* frame, CliDrawn drawn,
                       FILE* stream);

#endif
