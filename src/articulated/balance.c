// balance.c - which forces of the ground a figure with a free root should ask for.
//
// The recorded movement needs a wrench from the ground, which inverse dynamics finds missing at the
// root. To it comes what brings the figure back: a force at its centre of mass in proportion to the
// deviation of that point and of its velocity, and a torque in proportion to that of the root's
// orientation and rate,
//
//     F = m (w^2 (c_d - c) + 2 w (c_d' - c')),     T = m l^2 (w_r^2 e + 2 w_r (w_d - w)).
//
// The ground can only push, within the cones of friction, where feet touch it: the forces at the
// present contacts with rays G_k of friction pyramids, sum G_k x_k with x >= 0, are those that minimize
//
//     | wanted - sum G_k x_k |^2 + small |x|^2,
//
// moments over a length, by coordinate descent. The joints are then given the torques that the movement
// needs with these forces at the feet; the real ones come from the contact problem of the step. What
// cannot be had, as when the centre of pressure would have to leave the feet, is left out, and the
// figure falls.
#include "articulated/character.h"

#include "world/world.h"
#include <rigor/view.h>

#include <string.h>

// [rad/s] how fast deviations are brought back: below what the support of a foot allows.
static const double CENTER_RATE = 5, ROOT_RATE = 8;
// [m] length by which moments count like forces, and radius of gyration of a trunk on its legs.
static const double ARM = 0.3, GYRATION = 0.35;
// [m] gap up to which a contact can carry force in the coming step.
static const double TOUCHES = 0.004;
// Part of the cone's width that is asked for; regularization; sweeps.
static const double CAUTION = 0.7, SMALL = 1e-4;
enum { SWEEPS = 60, RAYS = 4, CONTACTS_MAX = 24, RAY_MAX = RAYS * CONTACTS_MAX };

typedef struct Ray {
  int link;
  rgVec3 force, moment; // of a unit, the moment about the root's centre of mass
  rgVec3 torque;        // about the centre of mass of its link
  double x, size;       // [N] found; |G|^2 + small
} Ray;

static int link_of(const rgCharacter* character, rgBodyId id) {
  for (int i = 0; i < character->link_count; i++)
    if (character->bodies[i].index == id.index && character->bodies[i].generation == id.generation)
      return i;
  return -1;
}

static rgVec3 sim_center(const rgCharacter* character, int link) {
  return rg_body_center(character->world, character->bodies[link]);
}

static double ray_dot(const Ray* ray, rgVec3 force, rgVec3 moment) {
  return v3_dot(ray->force, force) + v3_dot(ray->moment, moment) / (ARM * ARM);
}

static int add_rays(const rgCharacter* character, const rgContact* contact, int link, double sign,
                    Ray* rays) {
  rgMaterial law;
  double mu = rg_world_pair_material(character->world, contact->material_a, contact->material_b,
                                     &law) == RG_OK
                  ? CAUTION * law.mu
                  : 0;
  rgVec3 n = v3_scale(contact->normal, sign), t, o;
  v3_frame(n, &t, &o);
  for (int k = 0; k < RAYS; k++) {
    rgVec3 side = v3_scale(k < 2 ? t : o, k % 2 ? -mu : mu);
    Ray* ray = &rays[k];
    *ray = (Ray){.link = link, .force = v3_add(n, side)};
    ray->moment = v3_cross(v3_sub(contact->point, sim_center(character, 0)), ray->force);
    ray->torque = v3_cross(v3_sub(contact->point, sim_center(character, link)), ray->force);
    ray->size = ray_dot(ray, ray->force, ray->moment) + SMALL;
  }
  return RAYS;
}

// Rays of all contacts of links with what does not move freely.
static int find_rays(const rgCharacter* character, Ray* rays) {
  const rgWorld* world = character->world;
  int count = 0;
  for (int i = 0; i < rg_world_contact_count(world) && count + RAYS <= RAY_MAX; i++) {
    rgContact contact;
    if (rg_world_contact(world, i, &contact) != RG_OK || contact.gap > TOUCHES)
      continue;
    int a = link_of(character, contact.body_a), b = link_of(character, contact.body_b);
    rgBodyId other = a >= 0 ? contact.body_b : contact.body_a;
    if ((a >= 0) == (b >= 0) || rg_body_kind(world, other) == RG_BODY_DYNAMIC)
      continue;
    count += add_rays(character, &contact, a >= 0 ? a : b, a >= 0 ? 1 : -1, rays + count);
  }
  return count;
}

// The wrench on the root that the figure wants besides that of the recorded movement.
static rgWrench correction(const rgCharacter* character) {
  const rgFigure* figure = character->figure;
  const rgWorld* world = character->world;
  const rgBodyMotion* wanted = character->start;
  rgVec3 off = v3_zero(), slow = v3_zero(), center = v3_zero();
  double mass = 0;
  for (int i = 0; i < character->link_count; i++) {
    double m = figure->links[i].mass;
    rgVec3 there = pose_apply(wanted[i].pose, figure->links[i].center),
           now = sim_center(character, i);
    there = v3_add(there, character->def.offset);
    off = v3_axpy(off, m, v3_sub(there, now));
    slow = v3_axpy(
        slow, m,
        v3_sub(wanted[i].velocity.linear, rg_body_velocity(world, character->bodies[i]).linear));
    center = v3_axpy(center, m, now);
    mass += m;
  }
  rgVec3 force = v3_axpy(v3_scale(off, CENTER_RATE * CENTER_RATE), 2 * CENTER_RATE, slow);
  rgQuat turn = quat_mul(wanted[0].pose.orientation,
                         quat_conj(rg_body_pose(world, character->bodies[0]).orientation));
  rgVec3 error = v3_scale(v3(turn.x, turn.y, turn.z), turn.w < 0 ? -2 : 2);
  rgVec3 rate =
      v3_sub(wanted[0].velocity.angular, rg_body_velocity(world, character->bodies[0]).angular);
  double inertia = mass * GYRATION * GYRATION;
  rgVec3 torque =
      v3_axpy(v3_scale(error, inertia * ROOT_RATE * ROOT_RATE), 2 * inertia * ROOT_RATE, rate);
  rgVec3 arm = v3_sub(v3_scale(center, 1 / mass), sim_center(character, 0));
  return (rgWrench){force, v3_add(torque, v3_cross(arm, force))};
}

void rg_balance_find(rgCharacter* character, rgWrench* applied) {
  Ray rays[RAY_MAX];
  int count = find_rays(character, rays);
  rgWrench more = correction(character), missing = character->missing[0];
  rgVec3 force = v3_add(missing.force, more.force), moment = v3_add(missing.torque, more.torque);
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int k = 0; k < count; k++) {
      Ray* ray = &rays[k];
      double step = (ray_dot(ray, force, moment) - SMALL * ray->x) / ray->size;
      step = fmax(step, -ray->x);
      ray->x += step;
      force = v3_axpy(force, -step, ray->force);
      moment = v3_axpy(moment, -step, ray->moment);
    }
  memset(applied, 0, (size_t)character->link_count * sizeof *applied);
  for (int k = 0; k < count; k++) {
    rgWrench* on = &applied[rays[k].link];
    on->force = v3_axpy(on->force, rays[k].x, rays[k].force);
    on->torque = v3_axpy(on->torque, rays[k].x, rays[k].torque);
  }
  // The joints shall also give the root what it needs to come back.
  applied[0].force = v3_sub(applied[0].force, more.force);
  applied[0].torque = v3_sub(applied[0].torque, more.torque);
}
