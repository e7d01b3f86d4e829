// force.c - forces besides gravity: as wrenches, and, where they may be stiff, as rows.
//
// A term (force.h) is a spring of stiffness k stretched by s and a damper c along a row G. Taken
// explicitly it is the wrench -G' (k s + c (G v - rate)). Taken implicitly its impulse follows the
// velocity of the end of the step: with v~ = theta v+ + (1 - theta) v,
//
//     lambda = -h (k (s + theta h G v~) + c (G v~ - rate)),
//
// which for theta = 1 is the linearly implicit step of Cline 2002, eq. 2.52-2.55, M^ = M + h^2 k G'G + h c
// G'G, and for theta = 1/2 keeps the energy of a linear spring. As a row of the problem it is soft:
//
//     G v+ + (1 - theta) / theta G v + (k s - c rate) / (theta b) + lambda / (h theta b) = 0,
//
// b = theta h k + c. Bodies moved from outside have their velocity in place of v~.
#include "step/fill/fill.h"

static void add_wrench(rgBody* body, double weight, rgWrench wrench) {
  body->applied.force = v3_axpy(body->applied.force, weight, wrench.force);
  body->applied.torque = v3_axpy(body->applied.torque, weight, wrench.torque);
}

// The wrench of a force on one body, weighted over the step.
static void add_force(rgWorld* world, const rgForce* force, int slot, double h, double theta) {
  rgForce on = *force;
  on.body = slot;
  rgForceView view = rg_world_force_view(world, &on, h);
  rgBody* body = &world->bodies[slot];
  add_wrench(body, 1 - theta, rg_plane_wrench(world, rg_force_wrench(&force->def, &view)));
  view.time += h;
  add_wrench(body, theta, rg_plane_wrench(world, rg_force_wrench(&force->def, &view)));
}

// Leaves what is in the plane of a 2D world; false when nothing is left.
static bool flatten(const rgWorld* world, rgForceTerm* term) {
  if (world->dimension == 3)
    return true;
  rgTwist* rows[2] = {&term->g_a, &term->g_b};
  double left = 0;
  for (int i = 0; i < 2; i++) {
    rows[i]->linear.z = rows[i]->angular.x = rows[i]->angular.y = 0;
    left += v3_norm2(rows[i]->linear) + v3_norm2(rows[i]->angular);
  }
  return left > 0;
}

// Makes the terms of a force for a step of h.
static void make_terms(rgStep* step, int slot, double h) {
  const rgWorld* world = step->world;
  const rgForce* force = &world->forces[slot];
  rgForceStep* scratch = &step->forces[slot];
  const rgForceInfo* info = rg_force_info(force->def.kind);
  scratch->term_count = 0;
  if (!info->terms)
    return;
  rgForceView view = rg_world_force_view(world, force, h);
  rgForceTerm made[RG_FORCE_TERM_MAX];
  int count = info->terms(force, &view, made);
  for (int i = 0; i < count; i++) {
    made[i].body_a = force->body;
    made[i].body_b = force->other;
    if (flatten(world, &made[i]) && made[i].stiffness + made[i].damping > 0)
      step->terms[scratch->term_start + scratch->term_count++] = made[i];
  }
}

// A force on several bodies: its wrenches weighted over the step, of which terms carry what they can where it
// is taken implicitly (force/system.c).
static void add_system(rgStep* step, int slot, double theta, bool implicit, double h) {
  rgWorld* world = step->world;
  const rgForce* force = &world->forces[slot];
  rgForceStep* scratch = &step->forces[slot];
  rgForceSystemView view = rg_world_force_system_view(world, force, h), end = view;
  rgWrench wrenches[RG_FORCE_BODIES_MAX], last[RG_FORCE_BODIES_MAX];
  end.time += h;
  rg_force_system_wrenches(&force->def, &view, wrenches);
  rg_force_system_wrenches(&force->def, &end, last);
  for (int i = 0; i < view.count; i++) {
    wrenches[i].force = v3_axpy(v3_scale(wrenches[i].force, 1 - theta), theta, last[i].force);
    wrenches[i].torque = v3_axpy(v3_scale(wrenches[i].torque, 1 - theta), theta, last[i].torque);
  }
  scratch->term_count = 0;
  if (implicit && force->def.stiff && h > 0) {
    rgForceTerm* made = &step->terms[scratch->term_start];
    int count = rg_force_system_terms(force, &view, theta, made, wrenches);
    for (int i = 0; i < count; i++)
      if (flatten(world, &made[i]))
        made[scratch->term_count++] = made[i];
    scratch->mark = scratch->term_count > 0 ? RG_MARK_IN : RG_MARK_OUT;
  }
  for (int i = 0; i < view.count; i++)
    add_wrench(&world->bodies[force->bodies[i]], 1, rg_plane_wrench(world, wrenches[i]));
}

static rgTwist velocity_of(const rgWorld* world, int slot) {
  return slot < 0 ? (rgTwist){v3_zero(), v3_zero()} : world->bodies[slot].velocity;
}

static void add_explicit(rgStep* step, int slot) {
  rgWorld* world = step->world;
  const rgForce* force = &world->forces[slot];
  const rgForceStep* scratch = &step->forces[slot];
  rgTwist v_a = velocity_of(world, force->body), v_b = velocity_of(world, force->other);
  for (int i = 0; i < scratch->term_count; i++) {
    const rgForceTerm* term = &step->terms[scratch->term_start + i];
    double rate = twist_dot(term->g_a, v_a) + twist_dot(term->g_b, v_b) - term->rate;
    double pull = -(term->stiffness * term->stretch + term->damping * rate);
    add_wrench(&world->bodies[force->body], pull, (rgWrench){term->g_a.linear, term->g_a.angular});
    // What is moved from outside takes no force; its work is counted apart.
    if (force->other >= 0 && world->bodies[force->other].kind == RG_BODY_DYNAMIC)
      add_wrench(&world->bodies[force->other], pull,
                 (rgWrench){term->g_b.linear, term->g_b.angular});
  }
}

static void clear_range(void* context, int first, int end) {
  const rgWorld* world = context;
  for (int i = first; i < end; i++)
    world->bodies[i].applied = (rgWrench){v3_zero(), v3_zero()};
}

void rg_fill_gather_forces(rgStep* step, double h, double theta, bool implicit) {
  rgWorld* world = step->world;
  rg_tasks_ranges(world->threads.tasks, world->body_slots, clear_range, world);
  for (int i = 0; i < world->force_slots; i++) {
    const rgForce* force = &world->forces[i];
    rgForceStep* scratch = &step->forces[i];
    scratch->mark = RG_MARK_OUT;
    if (!force->alive)
      continue;
    if (force->body_count > 0) {
      add_system(step, i, theta, implicit, h);
      continue;
    }
    make_terms(step, i, h);
    if (implicit && scratch->term_count > 0)
      scratch->mark = RG_MARK_IN;
    else if (!rg_force_info(force->def.kind)->linearizes)
      add_explicit(step, i);
    if (!rg_force_info(force->def.kind)->evaluate)
      continue;
    for (int k = 0; force->body < 0 && k < world->body_slots; k++)
      if (world->bodies[k].alive && world->bodies[k].kind == RG_BODY_DYNAMIC)
        add_force(world, force, k, h, theta);
    if (force->body >= 0)
      add_force(world, force, force->body, h, theta);
  }
}

// Part of the bias that the bodies' own velocities make: what G v~ has besides theta G v+, over
// theta.
static double drift(const rgStep* step, int slot, rgTwist g) {
  if (slot < 0)
    return 0;
  const rgBody* body = &step->world->bodies[slot];
  double theta = step->theta;
  if (body->kind == RG_BODY_DYNAMIC)
    return (1 - theta) / theta * twist_dot(g, step->bodies[slot].start_velocity);
  return twist_dot(g, body->velocity) / theta;
}

static void fill_force(rgStep* step, int slot) {
  const rgWorld* world = step->world;
  const rgForceStep* scratch = &step->forces[slot];
  rgProblemSet* set = &step->velocity;
  int body_start = set->islands[scratch->island].body_start;
  double h = step->h, theta = step->theta;
  for (int i = 0; i < scratch->term_count; i++) {
    const rgForceTerm* term = &step->terms[scratch->term_start + i];
    int body = step->bodies[term->body_a].problem_body;
    int other = term->body_b < 0 ? -1 : step->bodies[term->body_b].problem_body;
    double slope = theta * h * term->stiffness + term->damping;
    double pull = term->stiffness * term->stretch - term->damping * term->rate;
    double bias = drift(step, term->body_a, term->g_a) + drift(step, term->body_b, term->g_b) +
                  pull / (theta * slope);
    int row = scratch->problem_row + i;
    set->rows[row] = (rgProblemRow){.body_a = body - body_start,
                                    .body_b = other < 0 ? -1 : other - body_start,
                                    .g_a = term->g_a,
                                    .g_b = term->g_b,
                                    .bias = bias,
                                    .lower = -HUGE_VAL,
                                    .upper = HUGE_VAL,
                                    .compliance = 1 / (h * theta * slope)};
    // The explicit impulse is a guess that needs no memory.
    double rate = twist_dot(term->g_a, velocity_of(world, term->body_a)) +
                  twist_dot(term->g_b, velocity_of(world, term->body_b));
    set->lambda[row] = -h * (pull + term->damping * rate);
  }
}

void rg_fill_forces(rgStep* step) {
  for (int i = 0; i < step->world->force_slots; i++)
    if (step->world->forces[i].alive && step->forces[i].mark != RG_MARK_OUT)
      fill_force(step, i);
}

// The velocity with which a body moves in the step.
static rgTwist mean_velocity(const rgStep* step, int slot) {
  const rgBody* body = &step->world->bodies[slot];
  const rgBodyStep* scratch = &step->bodies[slot];
  double theta = step->theta;
  rgTwist mean = body->velocity;
  if (body->kind != RG_BODY_DYNAMIC)
    return mean;
  mean.linear = v3_axpy(v3_scale(scratch->start_velocity.linear, 1 - theta), theta, mean.linear);
  mean.angular = v3_axpy(v3_scale(scratch->turn_free, 1 / step->h), theta,
                         v3_sub(body->velocity.angular, scratch->v_free.angular));
  return mean;
}

double rg_fill_force_row_work(const rgStep* step, const rgIsland* island, int index) {
  const rgProblemSet* set = &step->velocity;
  const rgProblemRow* row = &set->rows[index];
  const int* slots = &set->body_order[island->body_start];
  double rate = 0;
  if (row->body_a >= 0)
    rate += twist_dot(row->g_a, mean_velocity(step, slots[row->body_a]));
  if (row->body_b >= 0)
    rate += twist_dot(row->g_b, mean_velocity(step, slots[row->body_b]));
  return set->lambda[index] * rate;
}

// The work of a force on several bodies through its terms: it comes from outside.
static double system_work(const rgStep* step, int slot) {
  const rgForceStep* scratch = &step->forces[slot];
  const rgIsland* island = &step->velocity.islands[scratch->island];
  double work = 0;
  for (int k = 0; k < scratch->term_count && scratch->mark != RG_MARK_OUT; k++)
    work += rg_fill_force_row_work(step, island, scratch->problem_row + k);
  return work;
}

static double force_work(const rgStep* step, int slot) {
  const rgWorld* world = step->world;
  const rgForce* force = &world->forces[slot];
  const rgForceStep* scratch = &step->forces[slot];
  if (force->body_count > 0)
    return system_work(step, slot);
  bool implicit = scratch->mark != RG_MARK_OUT;
  rgTwist v_a = step->bodies[force->body].start_velocity, v_b = velocity_of(world, force->other);
  const rgBody* other = force->other < 0 ? NULL : &world->bodies[force->other];
  bool outside = other && other->kind != RG_BODY_DYNAMIC;
  if (other && !outside)
    v_b = step->bodies[force->other].start_velocity;
  double work = 0;
  for (int k = 0; k < scratch->term_count; k++) {
    const rgForceTerm* term = &step->terms[scratch->term_start + k];
    double rate = twist_dot(term->g_a, v_a) + twist_dot(term->g_b, v_b) - term->rate;
    double impulse = implicit ? step->velocity.lambda[scratch->problem_row + k]
                              : -step->h * (term->stiffness * term->stretch + term->damping * rate);
    // What moves from outside gives work through the term.
    if (outside)
      work -= impulse * twist_dot(term->g_b, other->velocity);
    if (implicit || rg_force_info(force->def.kind)->linearizes)
      continue;
    // Explicit terms are among the applied forces, whose work is counted, but their energy is
    // the world's own.
    work -= impulse * twist_dot(term->g_a, mean_velocity(step, force->body));
    if (other && !outside)
      work -= impulse * twist_dot(term->g_b, mean_velocity(step, force->other));
  }
  return work;
}

double rg_fill_force_work(const rgStep* step) {
  double work = 0;
  for (int i = 0; i < step->world->force_slots; i++)
    if (step->world->forces[i].alive && step->forces[i].term_count > 0)
      work += force_work(step, i);
  return work;
}
