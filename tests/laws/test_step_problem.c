// The problem that a step makes of one contact is the one that its scheme states.
//
// A ball is near a plate that rests, moves or is free, in every stepper, at gaps and speeds of every kind. What
// the prologues of the schemes say is computed here from places and velocities alone: whether the
// contact is in the problem, its frame and arms, its bias, masses and free velocities.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

static const double RADIUS = 0.1, HALF = 0.5;

typedef struct Meeting {
  rgOptions options;
  double gap, e;        // [m]
  rgVec3 n;             // out of the plate
  rgTwist ball, plate;  // velocities
  bool plate_first;     // it is A
  bool plate_free;      // and moves by itself
  rgVec3 center, place; // [m] of the ball, of the plate
} Meeting;

typedef struct Expected {
  bool in;
  double bias; // [m/s] of the scheme, along the normal
} Expected;

static bool is(const char* a, const char* b) { return strcmp(a, b) == 0; }

// -------------------------------------------------------------------------------------------------
// What schemes state; u is the normal velocity at the start, `falls` that of the free motion.
// -------------------------------------------------------------------------------------------------

typedef struct Law {
  double h, theta, gap, allowed, e, u, falls, push;
  bool corrects; // a stabilizer is there
} Law;

static bool closes(const Law* law) {
  return law->gap + law->h * (law->theta * law->falls + (1 - law->theta) * law->u) <= 0;
}

// Approaching with e > 0: an impact where it touches or closes, out of the problem where it stays open.
static bool is_left_out(const Law* law) {
  return law->e > 0 && law->u < 0 && law->gap > law->allowed && !closes(law);
}

static bool is_impact(const Law* law) {
  return law->e > 0 && law->u < 0 && (law->gap <= law->allowed || closes(law));
}

static double over_h(const Law* law) { return law->gap > law->allowed ? law->gap / law->h : 0; }

static Expected theta_law(const Law* law) {
  if (is_left_out(law))
    return (Expected){false, 0};
  if (is_impact(law))
    return (Expected){true, law->e * law->u};
  if (law->push < 0)
    return (Expected){true, law->push};
  double landing = over_h(law), t = law->theta;
  double bias = (landing + (1 - t) * law->u) / t; // g + h (theta u+ + (1 - theta) u) >= 0
  if (law->u <= 0)
    bias = fmin(bias, landing);
  else if (t < 1 && bias > law->u)
    bias = bias - law->e * (bias - law->u);
  return (Expected){true, fmax(bias, 0)};
}

static Expected stewart_trinkle_law(const Law* law) {
  if (is_left_out(law))
    return (Expected){false, 0};
  if (is_impact(law))
    return (Expected){true, law->e * law->u};
  if (law->gap < 0 && law->corrects)
    return (Expected){true, law->push};
  return (Expected){true, fabs(law->gap) > law->allowed ? law->gap / law->h : 0};
}

// At theta < 1 the law of velocities is that of theta.
static Expected implicit_geometry_law(const Law* law) {
  if (law->theta < 1)
    return theta_law(law);
  if (is_left_out(law))
    return (Expected){false, 0};
  if (is_impact(law))
    return (Expected){true, law->e * law->u};
  bool left = law->corrects && law->gap < -law->allowed;
  return (Expected){true, left ? law->push : law->gap / law->h};
}

static Expected anitescu_potra_law(const Law* law) {
  bool there = law->gap <= law->allowed || closes(law);
  double bounce = law->u < 0 ? law->e * law->u : 0;
  return (Expected){there, fmin(bounce, law->push)};
}

static Expected signorini_law(const Law* law) {
  double gap = fabs(law->gap) <= law->allowed ? 0 : law->gap;
  double bounce = law->u < 0 ? law->e * law->u : 0;
  return (Expected){gap + law->h * law->u <= 0, fmin(bounce, law->push)};
}

static Expected first_order_law(const Law* law) {
  return (Expected){true, law->gap < 0 ? law->push : over_h(law)};
}

static Expected expected_of(const char* stepper, const Law* law) {
  return is(stepper, "theta")               ? theta_law(law)
         : is(stepper, "stewart-trinkle")   ? stewart_trinkle_law(law)
         : is(stepper, "implicit-geometry") ? implicit_geometry_law(law)
         : is(stepper, "anitescu-potra")    ? anitescu_potra_law(law)
         : is(stepper, "signorini")         ? signorini_law(law)
                                            : first_order_law(law);
}

// -------------------------------------------------------------------------------------------------

static rgVec3 velocity_at(rgTwist v, rgVec3 arm) {
  return v3_add(v.linear, v3_cross(v.angular, arm));
}

// Where the impulse acts on the ball and on the plate: on its own surface against what does not move
// freely, halfway between two that do.
static void arms_of(const Meeting* m, rgVec3* ball, rgVec3* plate) {
  rgVec3 on_ball = v3_axpy(m->center, -RADIUS, m->n),
         on_plate = v3_axpy(m->center, -RADIUS - m->gap, m->n);
  if (m->plate_free)
    on_ball = on_plate = v3_scale(v3_add(on_ball, on_plate), 0.5);
  *ball = v3_sub(on_ball, m->center);
  *plate = v3_sub(on_plate, m->place);
}

static rgTwist free_velocity(const Meeting* m, rgTwist start, bool moves) {
  if (!moves)
    return start;
  if (is(m->options.stepper, "first-order"))
    return twist(v3_scale(m->options.gravity, m->options.damping_time), v3_zero());
  return twist(v3_axpy(start.linear, m->options.step, m->options.gravity), start.angular);
}

static Law law_of(const Meeting* m) {
  rgVec3 ball, plate;
  arms_of(m, &ball, &plate);
  bool scheme = is(m->options.stepper, "theta") || is(m->options.stepper, "signorini") ||
                is(m->options.stepper, "implicit-geometry");
  rgTwist v = m->ball, w = m->plate, v_free = free_velocity(m, v, true),
          w_free = free_velocity(m, w, m->plate_free);
  if (is(m->options.stepper, "first-order"))
    v = v_free, w = w_free;
  double allowed = m->options.projection_tolerance * RADIUS;
  double rate = is(m->options.stabilizer, "baumgarte") ? m->options.baumgarte_rate : 0;
  return (Law){.h = m->options.step,
               .theta = scheme ? m->options.theta : 1,
               .gap = m->gap,
               .allowed = allowed,
               .e = m->e,
               .u = v3_dot(m->n, v3_sub(velocity_at(v, ball), velocity_at(w, plate))),
               .falls = v3_dot(m->n, v3_sub(velocity_at(v_free, ball), velocity_at(w_free, plate))),
               .push = fmin(0, rate * (m->gap + allowed)),
               .corrects = !is(m->options.stabilizer, "none")};
}

static rgWorld* build(const Meeting* m) {
  rgWorldDef def = rg_world_def();
  def.options = m->options;
  rgWorld* world = build_world_of(&def);
  build_set_default_material(world, 0.3, m->e);
  rgBodyDef plate = body_at(m->plate_free ? RG_BODY_DYNAMIC : RG_BODY_KINEMATIC, m->place);
  rgVec3 axis = v3_cross(v3(0, 0, 1), m->n);
  plate.pose.orientation = quat_unit((rgQuat){1 + m->n.z, axis.x, axis.y, axis.z}); // takes z to n
  plate.velocity = m->plate;
  rgBodyDef ball = body_at(RG_BODY_DYNAMIC, m->center);
  ball.velocity = m->ball;
  for (int i = 0; i < 2; i++)
    if ((i == 0) == m->plate_first)
      build_body(world, &plate, shape_box(v3(2, 2, HALF)));
    else
      build_body(world, &ball, shape_sphere(RADIUS));
  return world;
}

static void check_contact(const Meeting* m, const Law* law, const Expected* expected,
                          const rgProblem* problem) {
  const rgProblemContact* c = &problem->contacts[0];
  rgVec3 ball, plate, n = m->plate_first ? v3_neg(m->n) : m->n;
  arms_of(m, &ball, &plate);
  int ball_body = m->plate_first ? c->body_b : c->body_a,
      plate_body = m->plate_first ? c->body_a : c->body_b;
  // At theta < 1 they are the means of the step, over which the plate may move by h v.
  bool implicit = is(m->options.stepper, "implicit-geometry");
  bool mean = m->options.theta < 1 && (is(m->options.stepper, "theta") || implicit);
  bool ends = mean || implicit;
  double near = ends ? 0.05 : 1e-12;
  bool turns = mean && m->plate_free; // a little, by its contact
  CHECK_NEAR(distance(c->n, n), 0, turns ? 1e-5 : 1e-12);
  CHECK_NEAR(distance(m->plate_first ? c->arm_b : c->arm_a, ball), 0, m->plate_free ? near : 1e-12);
  CHECK_NEAR(distance(m->plate_first ? c->arm_a : c->arm_b, plate), 0, near);
  CHECK(ball_body >= 0 && (plate_body >= 0) == m->plate_free);
  // The velocity of what is not in the problem, seen from A.
  rgVec3 ground =
      m->plate_free ? v3_zero() : v3_scale(velocity_at(m->plate, plate), m->plate_first ? 1 : -1);
  rgVec3 bias = v3_add(v3_scale(c->n, c->bias[0]),
                       v3_add(v3_scale(c->t, c->bias[1]), v3_scale(c->o, c->bias[2])));
  rgVec3 due = v3_axpy(ground, expected->bias, n);
  CHECK_MSG(fabs(v3_dot(n, v3_sub(bias, due))) <=
                    (turns ? 1e-5 : 1e-9) * (1 + fabs(expected->bias)) &&
                distance(bias, due) <= (turns ? 1e-2 : 1e-9 * (1 + fabs(expected->bias))),
            "bias %.12g along n, expected %.12g; off by %g; u = %g, gap / h = %g", v3_dot(n, bias),
            v3_dot(n, due), distance(bias, due), law->u, m->gap / law->h);
  double spin = m->plate_free ? 0 : (m->plate_first ? 1 : -1) * v3_dot(n, m->plate.angular);
  CHECK_NEAR(c->bias[3], spin, turns ? 1e-5 : 1e-12);
  rgTwist free = free_velocity(m, m->ball, true);
  CHECK_NEAR(distance(problem->bodies[ball_body].v_free.linear, free.linear), 0, 1e-12);
  double mass = 1000 * 4.0 / 3 * 3.14159265358979323846 * RADIUS * RADIUS * RADIUS;
  double mobility =
      is(m->options.stepper, "first-order") ? m->options.damping_time / m->options.step : 1;
  CHECK_REL(problem->bodies[ball_body].inverse_mass, mobility / mass, 1e-12);
  CHECK_REL(problem->bodies[ball_body].inverse_inertia.m[1][1],
            mobility / (0.4 * mass * RADIUS * RADIUS), 1e-12);
}

// What the plate gives through the contact: the impulse on the ball, at the velocity of the plate there.
static double plate_work(const Meeting* m, const rgProblem* problem, const rgSolution* solution) {
  if (m->plate_free)
    return 0;
  const rgProblemContact* c = &problem->contacts[0];
  const double* r = solution->r;
  rgVec3 on_a = v3_add(v3_scale(c->n, r[0]), v3_add(v3_scale(c->t, r[1]), v3_scale(c->o, r[2])));
  rgVec3 arm = m->plate_first ? c->arm_a : c->arm_b;
  double power = v3_dot(on_a, velocity_at(m->plate, arm));
  return m->plate_first ? -power : power;
}

static void check_meeting(const Meeting* m) {
  rgWorld* world = build(m);
  rgEnergy before = rg_world_energy(world);
  rgCertificate certificate;
  Law law = law_of(m);
  Expected expected = expected_of(m->options.stepper, &law);
  REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
  if (CHECK_MSG(rg_world_island_count(world) == expected.in, "in the problem: %d, expected %d",
                rg_world_island_count(world), (int)expected.in) &&
      expected.in) {
    rgProblem problem;
    rgSolution solution;
    REQUIRE_INT(rg_world_island(world, 0, &problem, &solution, NULL), RG_OK);
    REQUIRE_INT(problem.contact_count, 1);
    check_contact(m, &law, &expected, &problem);
    int ball_index = m->plate_first ? problem.contacts[0].body_b : problem.contacts[0].body_a;
    rgEnergy after = rg_world_energy(world);
    bool inertia = !is(m->options.stepper, "first-order");
    double gain =
        after.potential - before.potential + (inertia ? after.kinetic - before.kinetic : 0);
    CHECK_NEAR(certificate.energy, gain - plate_work(m, &problem, &solution), 1e-9);
    // What starts open, touches or overlaps ends as it was asked to, by geometry alone.
    if (is(m->options.stepper, "implicit-geometry"))
      CHECK_INT(certificate.stages[RG_STAGE_GAP].missed, 0);
    // A ball turns by the Cayley vector h (theta w+ + (1 - theta) w), once.
    rgVec3 w1 = v3(solution.v[3 + 6 * ball_index], solution.v[4 + 6 * ball_index],
                   solution.v[5 + 6 * ball_index]);
    double part = law.theta;
    rgVec3 start = inertia ? m->ball.angular : w1;
    rgVec3 turn = v3_scale(v3_add(v3_scale(w1, part), v3_scale(start, 1 - part)), law.h);
    rgQuat due = quat_cayley(turn),
           now = rg_body_pose(world, rg_world_body(world, m->plate_first ? 1 : 0)).orientation;
    bool hastened = part < 1; // where it would sink
    bool corrected = certificate.stages[RG_STAGE_PROJECTION].count > 0;
    rgQuat off = quat_mul(quat_conj(due), now);
    if (!corrected && (!hastened || law.u > -0.5))
      CHECK_NEAR(v3_norm(v3(off.x, off.y, off.z)), 0, 1e-9);
    // What is not lifted by a projection keeps the velocity that the problem gave it.
    const double* found = solution.v + 6 * ball_index;
    rgTwist v = rg_body_velocity(world, rg_world_body(world, m->plate_first ? 1 : 0));
    bool lifted = !is(m->options.stabilizer, "none") && !is(m->options.stabilizer, "baumgarte");
    if (!lifted && !is(m->options.stepper, "implicit-geometry")) {
      CHECK_NEAR(distance(v.linear, v3(found[0], found[1], found[2])), 0, 1e-9);
      CHECK_NEAR(distance(v.angular, v3(found[3], found[4], found[5])), 0, 1e-8);
    }
  }
  rg_world_destroy(world);
}

static Meeting random_meeting(int i) {
  static const double thetas[] = {0.5, 0.7, 1};
  static const char* const stabilizers[] = {"none", "baumgarte", "post"};
  Meeting m = {.e = i % 2 ? 0.6 : 0, .plate_first = i / 2 % 2, .plate_free = i / 4 % 3 == 0};
  REQUIRE(rg_options_preset("reference", &m.options));
  m.options.step = 5e-3;
  m.options.theta = thetas[(int)(3 * random_unit())];
  m.options.damping_time = 0.1;
  m.options.gravity = v3_scale(random_vector(), 9);
  m.options.baumgarte_rate = 40;
  snprintf(m.options.stabilizer, sizeof m.options.stabilizer, "%s",
           stabilizers[(int)(3 * random_unit())]);
  m.n = random_direction();
  m.place = random_vector();
  m.ball = twist(v3_scale(random_vector(), 1.5), v3_scale(random_vector(), 3));
  m.plate.linear = v3_scale(random_vector(), 0.5);
  if (m.options.theta == 1 && random_unit() < 0.5)
    m.plate.angular = v3_scale(random_vector(), 0.2);
  if (random_unit() < 0.3) { // hardly moves, so that forces turn it round within the step
    double u = v3_dot(m.n, v3_sub(m.ball.linear, m.plate.linear));
    m.ball.linear = v3_axpy(m.ball.linear, random_between(-0.03, 0.03) - u, m.n);
  }
  static const double gaps[] = {-2e-3, -1e-12, 0, 1e-12, 5e-4, 3e-3, 6e-3};
  m.gap = gaps[(int)(7 * random_unit())];
  rgVec3 t, o;
  v3_frame(m.n, &t, &o);
  m.center = v3_axpy(m.place, HALF + RADIUS + m.gap, m.n);
  m.center = v3_axpy(v3_axpy(m.center, 0.3, t), -0.2, o);
  return m;
}

static void check_stepper(const char* stepper, uint64_t seed) {
  for (int i = 0; i < 240; i++) {
    random_state = seed + (uint64_t)i;
    random_unit();
    Meeting m = random_meeting(i);
    snprintf(m.options.stepper, sizeof m.options.stepper, "%s", stepper);
    // Geometry of the end of the step is that of the start where nothing turns.
    if (is(stepper, "implicit-geometry"))
      m.plate.angular = v3_zero(), m.plate_free = false;
    if (is(stepper, "first-order") &&
        m.gap > 0.5 * m.options.step * m.options.damping_time * v3_norm(m.options.gravity))
      continue; // out of its reach
    if (m.gap > m.options.step * v3_norm(m.ball.linear))
      continue; // out of its reach
    build_fit_options(&m.options);
    CONTEXT("%s %d: theta %g, %s, gap %g, e %g, plate %s%s", stepper, i, m.options.theta,
            m.options.stabilizer, m.gap, m.e, m.plate_free ? "free" : "moved",
            m.plate_first ? " first" : "");
    check_meeting(&m);
  }
}

TEST(theta_has_the_contact_that_it_states) { check_stepper("theta", 1000); }
TEST(stewart_trinkle_has_the_contact_that_it_states) { check_stepper("stewart-trinkle", 2000); }
TEST(anitescu_potra_has_the_contact_that_it_states) { check_stepper("anitescu-potra", 3000); }
TEST(implicit_geometry_has_the_contact_that_it_states) { check_stepper("implicit-geometry", 4000); }
TEST(signorini_has_the_contact_that_it_states) { check_stepper("signorini", 5000); }
TEST(first_order_has_the_contact_that_it_states) { check_stepper("first-order", 6000); }
