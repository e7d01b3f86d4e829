// tiles.c - a body that rolls or slides over ground made of flush convex pieces.
#include "support/tiles.h"

#include "support/builder.h"
#include "support/random.h"
#include "test.h"

const double MOVER_HEIGHT = 0.1;

static const double DEPTH = 0.4, HALF_PI = 1.57079632679489661923;

void ground_seed(uint64_t seed) { random_state = seed; }

// --- Ground --------------------------------------------------------------------------------------

Ground ground_level(int dimension, double length, double width) {
  Ground ground = {.dimension = dimension, .bottom = -DEPTH, .frame = pose_at(v3_zero())};
  ground_add(&ground, (Piece){-length / 2, length / 2, -width / 2, width / 2, 0, 0});
  return ground;
}

void ground_add(Ground* ground, Piece piece) {
  REQUIRE(ground->count < PIECES_MAX);
  ground->pieces[ground->count++] = piece;
}

// Ends of `parts` parts of [from, to], none of them shorter than a fourth of the mean.
static void random_cuts(double from, double to, int parts, double* cuts) {
  double sum = 0, at = 0, lengths[PIECES_MAX];
  for (int i = 0; i < parts; i++)
    sum += lengths[i] = random_between(0.4, 1.6);
  for (int i = 0; i < parts; i++) {
    cuts[i] = from + (to - from) * (at / sum);
    at += lengths[i];
  }
  cuts[parts] = to;
}

Ground ground_cut(const Ground* ground, int along, int across) {
  Ground cut = *ground;
  cut.count = 0;
  for (int i = 0; i < ground->count; i++) {
    Piece p = ground->pieces[i];
    double x[PIECES_MAX + 1], y[PIECES_MAX + 1];
    random_cuts(p.x0, p.x1, along, x);
    double slope = (p.z1 - p.z0) / (p.x1 - p.x0);
    for (int a = 0; a < along; a++) {
      random_cuts(p.y0, p.y1, across, y); // anew, as bricks are laid
      for (int b = 0; b < across; b++) {
        bool last = a + 1 == along;
        double end = last ? p.x1 : fmin(x[a + 1] + ground->overlap, p.x1);
        ground_add(&cut, (Piece){x[a], end, y[b],
                                 b + 1 == across ? p.y1 : fmin(y[b + 1] + ground->overlap, p.y1),
                                 p.z0 + slope * (x[a] - p.x0),
                                 last ? p.z1 : p.z0 + slope * (end - p.x0)});
      }
    }
  }
  return cut;
}

void ground_place(Ground* ground) {
  rgQuat turn =
      ground->dimension == 2 ? turn_about(v3(0, 0, 1), random_between(-3, 3)) : random_rotation();
  rgVec3 at = v3_scale(random_vector(), 5);
  at.z = ground->dimension == 2 ? 0 : at.z;
  ground->frame = (rgPose){at, turn};
  ground->making = (Making)(random_unit() * MADE_COUNT);
  ground->hulls = random_unit() < 0.5;
  ground->overlap = random_unit() < 0.3 ? random_between(0, 0.02) : 0;
}

// From coordinates of the ground to those of its frame, and back.
static rgVec3 to_frame(const Ground* ground, rgVec3 x) {
  return ground->dimension == 2 ? v3(x.x, x.z, 0) : x;
}
static rgVec3 from_frame(const Ground* ground, rgVec3 x) {
  return ground->dimension == 2 ? v3(x.x, 0, x.y) : x;
}

static rgShapeDef flat_piece(const Ground* ground, Piece p, rgVec3* points) {
  rgShapeDef def = rg_shape_def(ground->hulls ? RG_SHAPE_SEGMENT : RG_SHAPE_POLYGON);
  points[0] = v3(p.x0, p.z0, 0);
  points[1] = v3(p.x1, p.z1, 0);
  points[2] = v3(p.x1, ground->bottom, 0);
  points[3] = v3(p.x0, ground->bottom, 0);
  def.points = points;
  def.point_count = ground->hulls ? 2 : 4;
  return def;
}

static rgShapeDef piece_shape(const Ground* ground, Piece p, rgVec3* points) {
  if (ground->dimension == 2)
    return flat_piece(ground, p, points);
  double bottom = ground->bottom;
  if (!ground->hulls && p.z0 == p.z1) {
    rgShapeDef def = shape_box(v3((p.x1 - p.x0) / 2, (p.y1 - p.y0) / 2, (p.z0 - bottom) / 2));
    def.pose.position = v3((p.x0 + p.x1) / 2, (p.y0 + p.y1) / 2, (p.z0 + bottom) / 2);
    return def;
  }
  for (int i = 0; i < 8; i++)
    points[i] = v3(i & 1 ? p.x1 : p.x0, i & 2 ? p.y1 : p.y0, i & 4 ? bottom : i & 1 ? p.z1 : p.z0);
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = 8;
  return def;
}

static void build_ground(rgWorld* world, const Ground* ground) {
  rgBodyId body = {0, 0};
  for (int i = 0; i < ground->count; i++) {
    rgVec3 points[8];
    rgShapeDef shape = piece_shape(ground, ground->pieces[i], points);
    if (i > 0 && ground->making == MADE_OF_SHAPES) {
      rgShapeId id;
      REQUIRE_MSG(rg_world_add_shape(world, body, &shape, &id) == RG_OK, "%s",
                  rg_world_message(world));
      continue;
    }
    rgBodyDef def = body_at(RG_BODY_STATIC, ground->frame.position);
    def.pose.orientation = ground->frame.orientation;
    if (ground->making == MADE_OF_BODIES) { // the frame of a box is in its middle
      def.pose.position = pose_apply(ground->frame, shape.pose.position);
      shape.pose.position = v3_zero();
    }
    body = build_body(world, &def, shape);
  }
}

// --- Movers --------------------------------------------------------------------------------------

const char* mover_name(Mover mover) {
  static const char* const names[MOVER_COUNT] = {"ball",      "capsule", "cylinder",
                                                 "ellipsoid", "box",     "hull"};
  return names[mover];
}

bool mover_rolls(Mover mover) { return mover < MOVER_BOX; }

bool mover_is_flat(Mover mover) {
  return mover == MOVER_BALL || mover == MOVER_CAPSULE || mover == MOVER_BOX || mover == MOVER_HULL;
}

// A box, and a body with five corners in its outline and a flat base.
static rgShapeDef block_shape(int dimension, bool roof, rgVec3* points) {
  static const double outline[5][2] = {
      {-0.15, -0.1}, {0.15, -0.1}, {0.12, 0.1}, {-0.12, 0.1}, {0, 0.14}};
  int corners = roof ? 5 : 4, count = 0;
  for (int side = 0; side < (dimension == 2 ? 1 : 2); side++)
    for (int i = 0; i < corners; i++) {
      double x = roof || i < 2 ? outline[i][0] : 1.25 * outline[i][0], z = outline[i][1];
      points[count++] = dimension == 2 ? v3(x, z, 0) : v3(x, side ? 0.12 : -0.12, z);
    }
  rgShapeDef def = rg_shape_def(dimension == 2 ? RG_SHAPE_POLYGON : RG_SHAPE_HULL);
  def.points = points;
  def.point_count = count;
  return def;
}

static rgShapeDef mover_shape(int dimension, Mover mover, rgVec3* points) {
  const double r = MOVER_HEIGHT;
  switch (mover) {
  case MOVER_BALL: {
    rgShapeDef def = shape_sphere(r);
    def.kind = dimension == 2 ? RG_SHAPE_CIRCLE : RG_SHAPE_SPHERE;
    return def;
  }
  case MOVER_CAPSULE:
    return shape_capsule(r, 0.15);
  case MOVER_CYLINDER:
    return shape_cylinder(r, 0.15);
  case MOVER_ELLIPSOID:
    return shape_ellipsoid(v3(r, r, 0.2));
  case MOVER_BOX:
    return dimension == 2 ? block_shape(2, false, points) : shape_box(v3(0.15, 0.12, r));
  default:
    return block_shape(dimension, true, points);
  }
}

// --- Runs ----------------------------------------------------------------------------------------

static rgWorld* empty_world(const Ground* ground, const Drive* drive) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset(drive->preset, &def.options));
  def.dimension = ground->dimension;
  def.options.step = drive->step;
  def.options.threads = drive->threads > 0 ? drive->threads : 1;
  def.options.gravity = quat_rotate(ground->frame.orientation, to_frame(ground, v3(0, 0, -9.81)));
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, drive->mu, 0);
  return world;
}

rgWorld* drive_world(const Ground* ground, const Drive* drive, rgBodyId* id) {
  rgWorld* world = empty_world(ground, drive);
  build_ground(world, ground);
  rgVec3 points[10], at = v3_add(drive->start, v3(0, 0, MOVER_HEIGHT));
  bool flat = ground->dimension == 2, rolls = mover_rolls(drive->mover);
  rolls = rolls && !(flat && drive->mover == MOVER_CAPSULE); // in the plane it lies along its way
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, pose_apply(ground->frame, to_frame(ground, at)));
  rgQuat heading = turn_about(v3(0, 0, 1), flat ? 0 : drive->heading), own = heading;
  if (rolls && !flat) // round ones lie across their way
    own = quat_mul(heading, turn_about(v3(1, 0, 0), HALF_PI));
  rgVec3 way = quat_rotate(heading, v3(1, 0, 0));
  rgVec3 spin = v3_scale(flat ? v3(0, 0, -1) : v3_cross(v3(0, 0, 1), way),
                         rolls ? drive->speed / MOVER_HEIGHT : 0);
  def.pose.orientation = quat_mul(ground->frame.orientation, own);
  def.velocity = twist(quat_rotate(ground->frame.orientation, v3_scale(way, drive->speed)),
                       quat_rotate(ground->frame.orientation, spin));
  *id = build_body(world, &def, mover_shape(ground->dimension, drive->mover, points));
  return world;
}

void drive_run(const Ground* ground, const Drive* drive, int steps, Path* path) {
  rgBodyId id;
  rgWorld* world = drive_world(ground, drive, &id);
  rgQuat turn = ground->frame.orientation;
  path->count = steps < PATH_MAX_STEPS ? steps : PATH_MAX_STEPS;
  path->penetration = 0;
  for (int i = 0; i < path->count; i++) {
    rgCertificate certificate;
    REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
    path->penetration = fmax(path->penetration, certificate.penetration);
    rgVec3 x = pose_unapply(ground->frame, rg_body_pose(world, id).position);
    path->position[i] = from_frame(ground, x);
    path->velocity[i] = from_frame(ground, quat_unrotate(turn, rg_body_velocity(world, id).linear));
  }
  rg_world_destroy(world);
}

PathDifference path_difference(const Path* a, const Path* b) {
  PathDifference d = {0, 0, 0};
  for (int i = 0; i < a->count && i < b->count; i++) {
    rgVec3 dv = v3_sub(a->velocity[i], b->velocity[i]);
    double speed = sqrt(dv.x * dv.x + dv.y * dv.y);
    d.height = fmax(d.height, fabs(a->position[i].z - b->position[i].z));
    d.step = speed > d.speed ? i : d.step;
    d.speed = fmax(d.speed, speed);
  }
  return d;
}
