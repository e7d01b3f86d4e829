// resting.c - faces on which a part can stand, and where it tips from the others.
//
// With the centre of mass c, a face with the outer unit normal n through p has the height
// d = n.(p - c) under it, and the foot q = c + d n. The part stands on the face if q is inside all its
// edges: n.((b - a) x (q - a)) > 0 for each edge a -> b, counter-clockwise seen from outside. If not, it
// turns about the edge that q is farthest beyond, onto the face on the other side; the centre falls while
// it does, so that no face comes twice. The solid angle of a triangle (r1, r2, r3) seen from c is that of
// van Oosterom and Strackee (1983), eq. 8:
//
//     tan(A / 2) = r1.(r2 x r3) / (|r1||r2||r3| + (r1.r2)|r3| + (r1.r3)|r2| + (r2.r3)|r1|)
//
// Neighbours are found by the bits of their common corners, which triangles of one hull share. The cost
// grows with the square of the number of triangles; hulls of parts have at most some hundreds.
#include "base/memory.h"
#include "math/vec.h"
#include <rigor/part.h>
#include <rigor/util.h>

#include <math.h>
#include <string.h>

static const double SAME_NORMAL = 1e-4; // [rad] and less are one face
// A centre above an edge, up to rounding, stands no more than one beyond it. Part of the height.
static const double ROUNDING = 1e-9;

static bool same_point(rgVec3 a, rgVec3 b) { return memcmp(&a, &b, sizeof a) == 0; }

static double solid_angle(rgVec3 a, rgVec3 b, rgVec3 c) {
  double la = v3_norm(a), lb = v3_norm(b), lc = v3_norm(c);
  double volume = v3_dot(a, v3_cross(b, c));
  double rest = la * lb * lc + v3_dot(a, b) * lc + v3_dot(a, c) * lb + v3_dot(b, c) * la;
  return 2 * rg_atan2(volume, rest);
}

static rgVec3 area_vector(const rgVec3* triangle) {
  return v3_cross(v3_sub(triangle[1], triangle[0]), v3_sub(triangle[2], triangle[0]));
}

// The face that a triangle belongs to, or `count` when it begins a new one.
static int face_of(const rgRestingFace* faces, int count, rgVec3 normal) {
  for (int f = 0; f < count; f++) {
    rgVec3 apart = v3_sub(faces[f].normal, normal);
    if (v3_norm(apart) < SAME_NORMAL)
      return f;
  }
  return count;
}

// Puts each triangle into a face: `of` holds which. Slivers without an area belong to none (-1).
static int find_faces(const rgVec3* triangles, int triangle_count, rgVec3 center,
                      rgRestingFace* faces, int* of) {
  int count = 0;
  for (int t = 0; t < triangle_count; t++) {
    const rgVec3* corner = triangles + 3 * t;
    rgVec3 area = area_vector(corner);
    double size = v3_norm(area);
    of[t] = -1;
    if (!(size > 0))
      continue;
    rgVec3 normal = v3_scale(area, 1 / size);
    of[t] = face_of(faces, count, normal);
    rgRestingFace* face = &faces[of[t]];
    if (of[t] == count) {
      double height = v3_dot(normal, v3_sub(corner[0], center));
      *face = (rgRestingFace){
          .normal = normal, .height = height, .margin = HUGE_VAL, .next = count, .end = count};
      count++;
    }
    face->angle += solid_angle(v3_sub(corner[0], center), v3_sub(corner[1], center),
                               v3_sub(corner[2], center));
  }
  return count;
}

// The triangle on the other side of the edge a -> b, or -1.
static int neighbour(const rgVec3* triangles, int triangle_count, const int* of, rgVec3 a,
                     rgVec3 b) {
  for (int t = 0; t < triangle_count; t++)
    for (int k = 0; k < 3; k++)
      if (of[t] >= 0 && same_point(triangles[3 * t + k], b) &&
          same_point(triangles[3 * t + (k + 1) % 3], a))
        return t;
  return -1;
}

static void find_tips(const rgVec3* triangles, int triangle_count, rgVec3 center,
                      rgRestingFace* faces, const int* of) {
  for (int t = 0; t < triangle_count; t++)
    for (int k = 0; k < 3 && of[t] >= 0; k++) {
      rgRestingFace* face = &faces[of[t]];
      rgVec3 a = triangles[3 * t + k], b = triangles[3 * t + (k + 1) % 3];
      int other = neighbour(triangles, triangle_count, of, a, b);
      if (other < 0 || of[other] == of[t])
        continue; // inside the face
      rgVec3 foot = v3_axpy(center, face->height, face->normal), along = v3_sub(b, a);
      double inside = v3_dot(face->normal, v3_cross(along, v3_sub(foot, a))) / v3_norm(along);
      if (inside < face->margin) {
        face->margin = inside;
        face->next = inside < ROUNDING * face->height ? of[other] : of[t];
      }
    }
}

static void follow_tips(rgRestingFace* faces, int count) {
  for (int f = 0; f < count; f++) {
    int end = f;
    // The height falls from face to face; rounding where it does not must not lead in circles.
    while (faces[end].next != end && faces[faces[end].next].height < faces[end].height)
      end = faces[end].next;
    faces[f].end = end;
  }
  for (int f = 0; f < count; f++)
    faces[faces[f].end].likelihood += faces[f].angle / (4 * RG_PI);
}

int rg_resting_faces(const rgVec3* triangles, int triangle_count, rgVec3 center,
                     rgRestingFace* faces, int capacity) {
  rgAllocator allocator = rg_allocator_default();
  size_t of_size = ((size_t)triangle_count + 1) * sizeof(int);
  size_t all_size = ((size_t)triangle_count + 1) * sizeof *faces;
  int* of = rg_allocate(&allocator, of_size);
  rgRestingFace* all = rg_allocate(&allocator, all_size);
  int count = -1;
  if (of && all) {
    count = find_faces(triangles, triangle_count, center, all, of);
    find_tips(triangles, triangle_count, center, all, of);
    follow_tips(all, count);
    for (int f = 0; f < count && f < capacity; f++)
      faces[f] = all[f];
  }
  rg_release(&allocator, of, of_size);
  rg_release(&allocator, all, all_size);
  return count;
}
