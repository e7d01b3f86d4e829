// doctor_facts.c - what is known of a scene before it runs: sizes and masses by its shapes, contacts.
#include "cli/doctor/doctor.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdlib.h>

// --- shapes ------------------------------------------------------------------------------------------

static double least(rgVec3 a) { return fmin(a.x, fmin(a.y, a.z)); }

// Half the smallest side of the box around the corners of a shape; flat shapes have two sides.
static double half_of_corners(const rgVec3* corners, int count, bool flat) {
  rgVec3 lower = corners[0], upper = corners[0];
  for (int i = 1; i < count; ++i) {
    lower = rg_vec3(fmin(lower.x, corners[i].x), fmin(lower.y, corners[i].y),
                    fmin(lower.z, corners[i].z));
    upper = rg_vec3(fmax(upper.x, corners[i].x), fmax(upper.y, corners[i].y),
                    fmax(upper.z, corners[i].z));
  }
  rgVec3 side = rg_vec3_sub(upper, lower);
  return 0.5 * (flat ? fmin(side.x, side.y) : least(side));
}

static double half_width(const rgShapeView* view, const rgVec3* corners) {
  const rgShapeDef* def = &view->def;
  switch (def->kind) {
  case RG_SHAPE_SPHERE:
  case RG_SHAPE_CAPSULE:
  case RG_SHAPE_CIRCLE:
    return def->radius;
  case RG_SHAPE_CYLINDER:
    return fmin(def->radius, def->half_length);
  case RG_SHAPE_CONE: // half of the larger end: a tip has no width
    return fmin(fmax(def->radius, def->parameters[0]), def->half_length);
  case RG_SHAPE_LENS:
    return fmin(def->radius, 0.5 * (def->parameters[0] + def->parameters[1]));
  case RG_SHAPE_BOX:
  case RG_SHAPE_ELLIPSOID:
  case RG_SHAPE_SUPERELLIPSOID:
    return least(def->half);
  case RG_SHAPE_HULL:
  case RG_SHAPE_POLYGON:
    return view->corner_count > 0
               ? half_of_corners(corners, view->corner_count, def->kind == RG_SHAPE_POLYGON)
               : HUGE_VAL;
  default:
    return HUGE_VAL; // surfaces have no thickness
  }
}

// Mass properties of density 1 of the solid within triangles, about the origin of their frame: a sum over
// the tetrahedra of each triangle with the origin, whose second moments about it are V / 20 times the
// sum over corners p of p p' plus the same of their sum.
static void add_tetrahedra(const rgVec3* corners, int count, double* volume, rgVec3* first,
                           rgMat3* second) {
  for (int i = 0; i + 2 < count; i += 3) {
    rgVec3 a = corners[i], b = corners[i + 1], c = corners[i + 2];
    rgVec3 sum = rg_vec3_add(a, rg_vec3_add(b, c));
    double v = rg_vec3_dot(a, rg_vec3_cross(b, c)) / 6;
    *volume += v;
    *first = rg_vec3_axpy(*first, v / 4, sum);
    const double p[4][3] = {
        {a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}, {sum.x, sum.y, sum.z}};
    for (int k = 0; k < 4; ++k)
      for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
          second->m[row][column] += v / 20 * p[k][row] * p[k][column];
  }
}

// Inertia about a point from second moments about it.
static rgMat3 inertia_of(const rgMat3* second) {
  double trace = second->m[0][0] + second->m[1][1] + second->m[2][2];
  rgMat3 inertia;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      inertia.m[i][k] = (i == k ? trace : 0) - second->m[i][k];
  return inertia;
}

// Second moments of a mass about its centre.
static rgMat3 second_of(const rgMat3* inertia) {
  double half = 0.5 * (inertia->m[0][0] + inertia->m[1][1] + inertia->m[2][2]);
  rgMat3 second;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      second.m[i][k] = (i == k ? half : 0) - inertia->m[i][k];
  return second;
}

static void add_point(rgMat3* second, double mass, rgVec3 d) {
  const double x[3] = {d.x, d.y, d.z};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      second->m[i][k] += mass * x[i] * x[k];
}

// Adds a shape to what a body of density 1 weighs: volume, first and second moments about the body frame.
static bool add_solid(const rgShapeView* view, rgVec3* corners, double* volume, rgVec3* first,
                      rgMat3* second) {
  if (view->def.kind == RG_SHAPE_HULL && view->def.rounding == 0) {
    for (int i = 0; i < view->corner_count; ++i)
      corners[i] = rg_pose_apply(view->def.pose, corners[i]);
    add_tetrahedra(corners, view->corner_count, volume, first, second);
    return view->corner_count > 0;
  }
  rgShapeDef def = view->def;
  rgMassProperties mass;
  def.density = 1;
  if (def.kind == RG_SHAPE_HULL || def.kind == RG_SHAPE_POLYGON ||
      rg_shape_mass(&def, &mass, NULL) != RG_OK)
    return false;
  rgMat3 own = second_of(&mass.inertia);
  *volume += mass.mass;
  *first = rg_vec3_axpy(*first, mass.mass, mass.center);
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      second->m[i][k] += own.m[i][k];
  add_point(second, mass.mass, mass.center);
  return true;
}

// --- bodies ------------------------------------------------------------------------------------------

typedef struct Sums {
  double volume;
  rgVec3 first;
  rgMat3 second;
} Sums;

static void grow(rgBounds* box, rgBounds other) {
  box->lower = rg_vec3(fmin(box->lower.x, other.lower.x), fmin(box->lower.y, other.lower.y),
                       fmin(box->lower.z, other.lower.z));
  box->upper = rg_vec3(fmax(box->upper.x, other.upper.x), fmax(box->upper.y, other.upper.y),
                       fmax(box->upper.z, other.upper.z));
}

static bool measure_shape(CliDoctor* doctor, rgShapeId id, Sums* sums) {
  rgShapeView view;
  if (rg_shape_view(doctor->start, id, &view) != RG_OK)
    return true;
  CliBuild* build = &doctor->builds[view.body.index];
  rgVec3* corners = calloc((size_t)view.corner_count + 1, sizeof *corners);
  if (!corners)
    return false;
  rg_shape_corners(doctor->start, id, corners, view.corner_count);
  rgVec3 center = cli_doctor_mass(doctor, view.body).center;
  rgBounds box = rg_shape_bounds(doctor->start, id);
  if (build->shapes++ == 0)
    build->box = box;
  grow(&build->box, box);
  build->half = fmin(build->half, half_width(&view, corners));
  build->reach =
      fmax(build->reach, rg_vec3_norm(rg_vec3_sub(view.def.pose.position, center)) + view.extent);
  Sums* sum = &sums[view.body.index];
  build->solid = build->solid && add_solid(&view, corners, &sum->volume, &sum->first, &sum->second);
  free(corners);
  return true;
}

// A body reaches from its shapes to its joints: shapes of robots are often made for their feet and hands
// alone.
static void add_joints(CliDoctor* doctor) {
  for (int i = 0; i < doctor->joint_count; ++i) {
    rgJointState state = doctor->joints[i];
    const rgBodyId bodies[] = {state.body_a, state.body_b};
    const rgVec3 points[] = {state.frame_a.position, state.frame_b.position};
    for (int k = 0; k < 2; ++k) {
      if (!rg_body_valid(doctor->start, bodies[k]))
        continue;
      CliBuild* build = &doctor->builds[bodies[k].index];
      rgVec3 arm = rg_vec3_sub(points[k], rg_body_center(doctor->start, bodies[k]));
      build->reach = fmax(build->reach, rg_vec3_norm(arm));
      if (build->shapes > 0)
        grow(&build->box, (rgBounds){points[k], points[k]});
    }
  }
}

static bool measure_shapes(CliDoctor* doctor) {
  int count = rg_world_shapes(doctor->start, NULL, 0);
  rgShapeId* ids = calloc((size_t)count + 1, sizeof *ids);
  Sums* sums = calloc((size_t)doctor->body_count + 1, sizeof *sums);
  bool good = ids && sums;
  for (int i = 0; good && i < doctor->body_count; ++i)
    doctor->builds[i] = (CliBuild){.half = HUGE_VAL, .solid = true};
  if (good)
    rg_world_shapes(doctor->start, ids, count);
  for (int i = 0; good && i < count; ++i)
    good = measure_shape(doctor, ids[i], sums);
  if (good)
    add_joints(doctor);
  for (int i = 0; good && i < doctor->body_count; ++i) {
    CliBuild* build = &doctor->builds[i];
    build->solid = build->solid && sums[i].volume > 0;
    if (!build->solid)
      continue;
    rgVec3 center = rg_vec3_scale(sums[i].first, 1 / sums[i].volume);
    add_point(&sums[i].second, -sums[i].volume, center);
    build->uniform = (rgMassProperties){sums[i].volume, center, inertia_of(&sums[i].second)};
  }
  free(ids);
  free(sums);
  return good;
}

// The states of all joints, and which of them each body has.
static bool list_joints(CliDoctor* doctor) {
  size_t bodies = (size_t)doctor->body_count + 2, joints = (size_t)doctor->joint_count + 1;
  doctor->joints = calloc(joints, sizeof *doctor->joints);
  doctor->joint_start = calloc(bodies, sizeof *doctor->joint_start);
  doctor->joint_list = calloc(2 * joints, sizeof *doctor->joint_list);
  if (!doctor->joints || !doctor->joint_start || !doctor->joint_list)
    return false;
  int* start = doctor->joint_start;
  for (int i = 0; i < doctor->joint_count; ++i) {
    rgJointState* state = &doctor->joints[i];
    rg_joint_state(doctor->start, rg_world_joint(doctor->start, i), state);
    for (int k = 0; k < 2; ++k) {
      rgBodyId body = k ? state->body_b : state->body_a;
      if (rg_body_valid(doctor->start, body))
        start[body.index + 2]++;
    }
  }
  for (int i = 0; i < doctor->body_count; ++i)
    start[i + 2] += start[i + 1];
  for (int i = 0; i < doctor->joint_count; ++i)
    for (int k = 0; k < 2; ++k) {
      rgBodyId body = k ? doctor->joints[i].body_b : doctor->joints[i].body_a;
      if (rg_body_valid(doctor->start, body))
        doctor->joint_list[start[body.index + 1]++] = i;
    }
  return true;
}

rgStatus cli_doctor_open(CliDoctor* doctor, rgMessage* message) {
  rgWorld* world = doctor->start;
  doctor->options = *rg_world_options(world);
  doctor->h = doctor->options.step;
  doctor->g = rg_vec3_norm(doctor->options.gravity);
  doctor->time = rg_scene_time(doctor->scene);
  doctor->body_count = rg_world_body_count(world);
  doctor->joint_count = rg_world_joint_count(world);
  rgStatus status = rg_world_find_contacts(world);
  doctor->contact_count = rg_world_contacts(world, NULL, 0);
  size_t bodies = (size_t)doctor->body_count + 1, joints = (size_t)doctor->joint_count + 1;
  doctor->builds = calloc(bodies, sizeof *doctor->builds);
  doctor->contacts = calloc((size_t)doctor->contact_count + 1, sizeof *doctor->contacts);
  doctor->watch.bodies = calloc(bodies, sizeof *doctor->watch.bodies);
  doctor->watch.axes = calloc(joints * RG_JOINT_AXIS_MAX, sizeof *doctor->watch.axes);
  doctor->watch.loose = calloc(joints, sizeof *doctor->watch.loose);
  bool good = status == RG_OK && doctor->builds && doctor->contacts && doctor->watch.bodies &&
              doctor->watch.axes && doctor->watch.loose && list_joints(doctor) &&
              measure_shapes(doctor);
  if (!good)
    return cli_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", doctor->path);
  rg_world_contacts(world, doctor->contacts, doctor->contact_count);
  return RG_OK;
}

void cli_doctor_close(CliDoctor* doctor) {
  free(doctor->builds);
  free(doctor->contacts);
  free(doctor->joints);
  free(doctor->joint_start);
  free(doctor->joint_list);
  free(doctor->watch.bodies);
  free(doctor->watch.axes);
  free(doctor->watch.loose);
  free(doctor->findings);
  rg_world_destroy(doctor->start);
  rg_world_destroy(doctor->world);
  rg_scene_free(doctor->scene);
}

// --- questions ---------------------------------------------------------------------------------------

bool cli_doctor_dynamic(const CliDoctor* doctor, rgBodyId body) {
  return rg_body_valid(doctor->start, body) && rg_body_kind(doctor->start, body) == RG_BODY_DYNAMIC;
}

rgMassProperties cli_doctor_mass(const CliDoctor* doctor, rgBodyId body) {
  return rg_body_mass(doctor->start, body);
}

double cli_doctor_spin_compliance(const CliDoctor* doctor, rgBodyId body, rgVec3 n) {
  if (!cli_doctor_dynamic(doctor, body))
    return 0;
  rgMassProperties mass = cli_doctor_mass(doctor, body);
  rgVec3 local = rg_quat_rotate(rg_quat_conj(rg_body_pose(doctor->start, body).orientation), n);
  rgMat3 inverse = rg_mat3_inverse(&mass.inertia);
  double compliance = rg_vec3_dot(local, rg_mat3_apply(&inverse, local));
  return isfinite(compliance) && compliance > 0 ? compliance : 0;
}

double cli_doctor_compliance(const CliDoctor* doctor, rgBodyId body, rgVec3 point, rgVec3 n) {
  if (!cli_doctor_dynamic(doctor, body))
    return 0;
  rgVec3 lever = rg_vec3_cross(rg_vec3_sub(point, rg_body_center(doctor->start, body)), n);
  double mass =
      cli_doctor_mass(doctor, body).mass; // 0 of a massless body, which hands on what acts on it
  return mass > 0 ? 1 / mass + cli_doctor_spin_compliance(doctor, body, lever) : 0;
}

double cli_doctor_arm(const CliDoctor* doctor, const rgJointState* state) {
  double arm = 0;
  if (cli_doctor_dynamic(doctor, state->body_a))
    arm = rg_vec3_norm(
        rg_vec3_sub(state->frame_a.position, rg_body_center(doctor->start, state->body_a)));
  if (cli_doctor_dynamic(doctor, state->body_b))
    arm = fmax(arm, rg_vec3_norm(rg_vec3_sub(state->frame_b.position,
                                             rg_body_center(doctor->start, state->body_b))));
  if (arm == 0 && rg_body_valid(doctor->start, state->body_b)) // held at its centre
    arm = doctor->builds[state->body_b.index].reach;
  return arm;
}
