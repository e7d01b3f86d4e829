// contact_spot.c - where a curved shape touches a plane at the end of the step, as an unknown of the rounds.
//
// Problem. A body turns by dw, and its contact with a plane wanders by s = S^-1 (h dw x n) over its surface, S being
// the curvature there: with the normal impulse p that is the moment -h p N' S^-1 N dw, N = [n x], against the
// turn. Where a surface is nearly flat, as superellipsoids with exponents of 4 and more are, S^-1 has no bound, and
// rounds that ask the narrow phase for the point at each guessed end jump to and fro: with z the place of the
// contact, turns go as z^(r-1), and z as the root of a turn, whose slope is infinite. To rounding the point is not
// even determined by the pose: z is known to 1e-16^(1/(r-1)).
//
// Method. The place is the unknown, as closest points are those of Chakraborty et al. 2007 (eq. 9): the surface has
// a smooth normal nu(z) and a curvature S(z) at any place. A round has
//
//     bending  K = h p N' S^-1 N       added to the inertia,
//     pull     K d / h,  d = nu x e,   e = facing - nu,
//
// where `facing` is the normal that the shape has to show the plane: the stiffness is centred where the
// surface is aligned at z, not where the body was guessed. After the solve nu has turned with the body, and z moves by S^-1
// (facing - nu): Newton's method for both, in which a vanishing S is no harm, since then the turn is held and z is
// found from the balance of moments. S is kept above a millionth of the inverse size, which leaves a
// linear convergence with that ratio where it is below.
//
// Friction. Where the body also spins, the slip at z, and with it friction, whose moment turns the body, changes with z: not
// a matter of stiffness, since it turns the way that z goes by a right angle. Rounds then circle about the solution, and spiral
// away from it where the spin is fast. What they do is nearly linear in the two unknowns of z: after a few
// rounds the way is taken from the last two, as Anderson (1965) does,
//
//     z+ = z + f - sum g_i (z - z_i + f - f_i),      g from min |f - sum g_i (f - f_i)|,
//
// f being the way that the round proposes, which for two unknowns is the secant method.
//
// Judged by geometry: where the impulse acted, the surface is aligned with the plane within the tolerance.
// Cost: two evaluations of the surface per contact and round.
#include "shape/smooth/curved.h"
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"

static const double LEAST_BEND = 1e-6; // [-] of the inverse of the smallest half-width
static const double FARTHEST = 0.5;    // [-] of it: the longest way in a round

// Rounds after which ways are mixed: most contacts are settled before.
enum { PLAIN_ROUNDS = 4 };
// Part of what the certificate asks of gap and alignment that a place must meet in order to stay. Where S is nearly zero
// all places around do, and to look for a better one is to divide rounding by S.
static const double GOOD_PART = 0.5;
// Of the product of the squares of two ways: below this they are in line.
static const double IN_LINE = 1e-8;

static bool is_plane(const rgShape* shape) { return shape->kind == RG_SHAPE_HALFSPACE; }

// A ball has its contact below its centre.
static bool is_curved(const rgShape* shape) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  return info->value && info->core == RG_CORE_NONE;
}

static bool on_plane(const rgWorld* world, const rgWorldContact* contact, bool* a_is_curved) {
  const rgShape *a = world->shapes[contact->shape_a].shape,
                *b = world->shapes[contact->shape_b].shape;
  *a_is_curved = is_curved(a);
  return (is_curved(a) && is_plane(b)) || (is_curved(b) && is_plane(a));
}

int rg_fill_curved_body(const rgWorld* world, const rgWorldContact* contact) {
  bool a_is_curved;
  on_plane(world, contact, &a_is_curved);
  return a_is_curved ? contact->body_a : contact->body_b;
}

// The curved shape of a pair with its body at the given place of its centre of mass.
static const rgShape* curved_shape(const rgWorld* world, const rgWorldContact* contact,
                                   rgPose center, rgPose* pose) {
  bool a_is_curved;
  on_plane(world, contact, &a_is_curved);
  const rgWorldShape* shape = &world->shapes[a_is_curved ? contact->shape_a : contact->shape_b];
  rgVec3 arm = quat_rotate(center.orientation, world->bodies[shape->body].center);
  rgPose frame = {v3_sub(center.position, arm), center.orientation};
  *pose = pose_mul(frame, shape->shape->pose);
  return shape->shape;
}

// The inverse of the curvature in the tangent plane with the axes t and o.
typedef struct Flexibility {
  rgVec3 t, o;
  double tt, to, oo; // [m]
} Flexibility;

static Flexibility flexibility_of(const rgSpot* spot, double size) {
  Flexibility out;
  v3_frame(spot->normal, &out.t, &out.o);
  rgVec3 bt = m3_apply(&spot->bend, out.t), bo = m3_apply(&spot->bend, out.o);
  double tt = v3_dot(out.t, bt), to = v3_dot(out.t, bo), oo = v3_dot(out.o, bo);
  double mean = 0.5 * (tt + oo), half = 0.5 * (tt - oo);
  double least = mean - sqrt(half * half + to * to), wanted = LEAST_BEND / size;
  double added = least < wanted ? wanted - least : 0;
  tt += added;
  oo += added;
  double determinant = tt * oo - to * to;
  out.tt = oo / determinant;
  out.to = -to / determinant;
  out.oo = tt / determinant;
  return out;
}

static rgVec3 bent_by(const Flexibility* flexibility, rgVec3 e) {
  double t = v3_dot(flexibility->t, e), o = v3_dot(flexibility->o, e);
  return v3_axpy(v3_scale(flexibility->t, flexibility->tt * t + flexibility->to * o),
                 flexibility->to * t + flexibility->oo * o, flexibility->o);
}

// One step of Newton's method towards the place that shows `facing`.
static rgSpot wander(const rgShape* shape, const rgSpot* spot, rgVec3 facing) {
  Flexibility flexibility = flexibility_of(spot, shape->size);
  rgVec3 way = bent_by(&flexibility, v3_sub(facing, spot->normal));
  double length = v3_norm(way), most = FARTHEST * shape->size;
  if (length > most)
    way = v3_scale(way, most / length);
  return rg_curved_spot(shape, v3_add(spot->point, way));
}

// The place to go to from z with the way f of this round and those of the last ones.
static rgVec3 mixed(const rgContactEnd* end, rgVec3 z, rgVec3 f) {
  rgVec3 d0 = v3_sub(f, end->past_way[0]), d1 = v3_sub(f, end->past_way[1]);
  rgVec3 e0 = v3_add(v3_sub(z, end->past[0]), d0), e1 = v3_add(v3_sub(z, end->past[1]), d1);
  double a = v3_norm2(d0), b = v3_dot(d0, d1), c = v3_norm2(d1), p = v3_dot(d0, f),
         q = v3_dot(d1, f), determinant = a * c - b * b;
  rgVec3 plain = v3_add(z, f);
  if (determinant > IN_LINE * a * c)
    return v3_axpy(v3_axpy(plain, -(c * p - b * q) / determinant, e0),
                   -(a * q - b * p) / determinant, e1);
  return a > 0 ? v3_axpy(plain, -p / a, e0) : plain;
}

// The next place: that of Newton's method, or what the last rounds make of it.
static rgSpot next_spot(const rgShape* shape, const rgSpot* spot, rgVec3 facing,
                        rgContactEnd* end) {
  rgSpot next = wander(shape, spot, facing);
  rgVec3 z = spot->point, f = v3_sub(next.point, z);
  if (++end->spot_rounds > PLAIN_ROUNDS) {
    rgVec3 way = v3_sub(mixed(end, z, f), z);
    double length = v3_norm(way), most = FARTHEST * shape->size;
    way = v3_scale(way, length > most ? most / length : 1);
    next = rg_curved_spot(shape, v3_add(z, way));
  }
  end->past[1] = end->past[0];
  end->past_way[1] = end->past_way[0];
  end->past[0] = z;
  end->past_way[0] = f;
  return next;
}

static rgMat3 outer(rgVec3 a, rgVec3 b, double factor) {
  const double x[3] = {a.x, a.y, a.z}, y[3] = {b.x, b.y, b.z};
  rgMat3 out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out.m[i][j] = factor * x[i] * y[j];
  return out;
}

// h p N' S^-1 N in world axes.
static rgMat3 bending_of(const Flexibility* flexibility, rgQuat axes, rgVec3 normal,
                         double factor) {
  rgVec3 t = v3_cross(normal, quat_rotate(axes, flexibility->t)),
         o = v3_cross(normal, quat_rotate(axes, flexibility->o));
  rgMat3 sum = outer(t, t, factor * flexibility->tt);
  const rgMat3 others[3] = {outer(t, o, factor * flexibility->to),
                            outer(o, t, factor * flexibility->to),
                            outer(o, o, factor * flexibility->oo)};
  for (int i = 0; i < 3; i++)
    sum = m3_add(&sum, &others[i]);
  return sum;
}

// Whether the surface is aligned there, and hardly higher than where it is nearest to the plane. What the certificate
// asks of a gap is h times the tolerance of a velocity, that of a fall during the step or more.
static bool is_good(const rgStep* step, const rgSpot* spot, rgVec3 facing, rgVec3 nearest) {
  const rgOptions* options = &step->world->options;
  double part = GOOD_PART * options->tolerance, fall = step->h * v3_norm(options->gravity);
  return v3_norm(v3_sub(facing, spot->normal)) <= part &&
         v3_dot(facing, v3_sub(nearest, spot->point)) <= part * step->h * fall;
}

void rg_fill_take_spot(const rgStep* step, const rgWorldContact* contact, rgVec3 normal, bool known,
                       rgManifoldPoint* point, rgContactEnd* out) {
  const rgWorld* world = step->world;
  bool a_is_curved, again = known && out->on_plane;
  out->on_plane = on_plane(world, contact, &a_is_curved);
  int slot = a_is_curved ? contact->body_a : contact->body_b;
  if (!out->on_plane || world->bodies[slot].kind != RG_BODY_DYNAMIC) {
    out->on_plane = false;
    return;
  }
  rgPose pose;
  const rgShape* shape = curved_shape(world, contact, step->ends[slot].pose, &pose);
  rgVec3* touching = a_is_curved ? &point->point_a : &point->point_b;
  rgVec3 outwards = a_is_curved ? v3_neg(normal) : normal;
  rgVec3 facing = quat_unrotate(pose.orientation, outwards);
  rgSpot spot = rg_curved_spot(shape, again ? out->spot : pose_unapply(pose, *touching));
  bool stays = again && out->spot_rounds >= PLAIN_ROUNDS &&
               is_good(step, &spot, facing, pose_unapply(pose, *touching));
  if (again && !stays)
    spot = next_spot(shape, &spot, facing, out);
  if (!again)
    out->spot_rounds = 0;
  Flexibility flexibility = flexibility_of(&spot, shape->size);
  double push = fabs(v3_dot(normal, contact->impulse));
  out->spot = spot.point;
  out->bending = bending_of(&flexibility, pose.orientation, normal, step->h * push);
  rgVec3 nu = quat_rotate(pose.orientation, spot.normal);
  rgVec3 turn = v3_cross(nu, outwards); // nu x e
  out->pull = v3_scale(m3_apply(&out->bending, turn), 1 / step->h);
  rgVec3 at = pose_apply(pose, spot.point);
  point->gap += v3_dot(outwards, v3_sub(*touching, at));
  *touching = at;
  *(a_is_curved ? &point->point_b : &point->point_a) = v3_axpy(at, point->gap, outwards);
}

double rg_fill_spot_misalignment(const rgStep* step, const rgWorldContact* contact, rgVec3 normal) {
  const rgWorld* world = step->world;
  int index = (int)(contact - world->contacts);
  if (!rg_fill_knows_contact_end(step, index) || !step->contact_ends[index].on_plane)
    return 0;
  bool a_is_curved;
  on_plane(world, contact, &a_is_curved);
  const rgBody* body = &world->bodies[a_is_curved ? contact->body_a : contact->body_b];
  rgPose pose;
  const rgShape* shape =
      curved_shape(world, contact, (rgPose){body->position, body->orientation}, &pose);
  rgSpot spot = rg_curved_spot(shape, step->contact_ends[index].spot);
  return v3_norm(v3_cross(quat_rotate(pose.orientation, spot.normal), normal));
}
