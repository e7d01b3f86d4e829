// compare.c - what Rigor and MuJoCo make of the same model: masses, inertias, places, energy.
//
// Where a model states a full matrix of inertia, MuJoCo keeps principal moments and axes of it, whose
// product differs from the matrix by up to 1e-6 of it. Rigor keeps the matrix. So both are compared with that
// of the file. Corners of meshes are 32-bit floats in MuJoCo (mesh_vert of mjmodel.h): masses that follow from
// these are compared apart, and of their inertia the sum of the principal moments.
//
// MuJoCo keeps links that a model has welded together apart; Rigor makes one body of them, and may
// put massless bodies between joints in series. Both are added up: what is compared is the mass, centre
// and inertia, in world axes, of everything that moves as one with a body of Rigor's scene.
#include "bench/robots/compare.h"

#include "bench/robots/old.h"
#include "math/vec.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBES = 3 };

typedef struct Lump {
  double mass;
  rgVec3 first;  // mass times centre
  rgMat3 second; // inertia about the origin
} Lump;

static void lump_add(Lump* l, double mass, rgVec3 c, const rgMat3* inertia) {
  l->mass += mass;
  l->first = v3_axpy(l->first, mass, c);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      l->second.m[i][j] +=
          inertia->m[i][j] + mass * ((i == j ? v3_norm2(c) : 0) - v3_get(c, i) * v3_get(c, j));
}

// Inertia about the own centre.
static rgMat3 lump_inertia(const Lump* l) {
  Lump at_centre = *l;
  rgVec3 c = v3_scale(l->first, 1 / l->mass);
  rgMat3 none = m3_zero();
  Lump point = {0};
  lump_add(&point, l->mass, c, &none);
  for (int i = 0; i < 9; i++)
    at_centre.second.m[i / 3][i % 3] -= point.second.m[i / 3][i % 3];
  return at_centre.second;
}

// A model as MuJoCo has it, and what its file states of masses.
typedef struct Other {
  mjModel* m;
  mjData* d;
  Stated* stated; // by body
} Other;

static rgMat3 matrix_of(const double* rows) {
  rgMat3 r;
  for (int k = 0; k < 9; k++)
    r.m[k / 3][k % 3] = rows[k];
  return r;
}

// The inertia of one body in world axes, by MuJoCo's principal moments.
static rgMat3 principal_inertia(const Other* other, int i) {
  const double* moments = other->m->body_inertia + 3 * i;
  rgMat3 r = matrix_of(other->d->ximat + 9 * i);
  return m3_congruence(&r, v3(moments[0], moments[1], moments[2]));
}

// The same by the matrix of the file, if it has one.
static rgMat3 stated_inertia(const Other* other, int i) {
  if (!other->stated[i].full)
    return principal_inertia(other, i);
  const double* f = other->stated[i].values;
  rgMat3 own = {{{f[0], f[3], f[4]}, {f[3], f[1], f[5]}, {f[4], f[5], f[2]}}};
  rgMat3 r = matrix_of(other->d->xmat + 9 * i), rt = m3_transpose(&r);
  own = m3_mul(&r, &own);
  return m3_mul(&own, &rt);
}

static double relative_difference(const rgMat3* a, const rgMat3* b) {
  double scale = 0, worst = 0;
  for (int k = 0; k < 9; k++)
    scale = fmax(scale, fabs(b->m[k / 3][k % 3]));
  for (int k = 0; k < 9; k++)
    worse(&worst, fabs(a->m[k / 3][k % 3] - b->m[k / 3][k % 3]) / scale);
  return worst;
}

// The sum of the principal moments, which their axes do not change.
static double trace(const rgMat3* a) { return a->m[0][0] + a->m[1][1] + a->m[2][2]; }

// Whether the mass of a body, or of what is welded to it, follows from meshes.
static bool is_meshed(const Other* other, int body) {
  const mjModel* m = other->m;
  for (int i = 0; i < m->ngeom; i++)
    if (m->body_weldid[m->geom_bodyid[i]] == body && m->geom_type[i] == mjGEOM_MESH &&
        !other->stated[m->geom_bodyid[i]].mass)
      return true;
  return false;
}

static Lump mujoco_lump(const Other* other, int body, Difference* diff) {
  const mjModel* m = other->m;
  const mjData* d = other->d;
  Lump l = {0};
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_weldid[i] != body)
      continue;
    rgMat3 inertia = stated_inertia(other, i), own = principal_inertia(other, i);
    if (m->body_mass[i] > 0)
      worse(&diff->decomposed, relative_difference(&own, &inertia));
    lump_add(&l, m->body_mass[i], v3(d->xipos[3 * i], d->xipos[3 * i + 1], d->xipos[3 * i + 2]),
             &inertia);
  }
  return l;
}

static bool belongs(const char* name, const char* body) {
  size_t length = strlen(body);
  return strncmp(name, body, length) == 0 && (name[length] == 0 || name[length] == '/');
}

static Lump rigor_lump(const rgWorld* world, const char* name) {
  Lump l = {0};
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    if (!belongs(rg_body_name(world, id), name))
      continue;
    rgMassProperties mass = rg_body_mass(world, id);
    rgPose pose = rg_body_pose(world, id);
    rgMat3 r = m3_from_quat(pose.orientation), rt = m3_transpose(&r);
    rgMat3 inertia = m3_mul(&r, &mass.inertia);
    inertia = m3_mul(&inertia, &rt);
    lump_add(&l, mass.mass, pose_apply(pose, mass.center), &inertia);
  }
  return l;
}

// A body of MuJoCo is called by its name, or found by its place where it has none.
static int find_body(const mjModel* m, const mjData* d, const char* name, rgPose pose) {
  int found = mj_name2id(m, mjOBJ_BODY, name);
  for (int i = 1; i < m->nbody && found < 0; i++) {
    rgVec3 p = v3(d->xpos[3 * i], d->xpos[3 * i + 1], d->xpos[3 * i + 2]);
    if (m->body_weldid[i] == i && v3_norm(v3_sub(p, pose.position)) < 1e-7)
      found = i;
  }
  return found;
}

static void compare_bodies(const rgWorld* world, const Other* mujoco, Difference* diff) {
  const mjModel* m = mujoco->m;
  const mjData* d = mujoco->d;
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    const char* name = rg_body_name(world, id);
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC || strchr(name, '/'))
      continue;
    rgPose pose = rg_body_pose(world, id);
    int body = find_body(m, d, name, pose);
    if (body < 0) {
      diff->unmatched++;
      continue;
    }
    diff->bodies++;
    Lump mine = rigor_lump(world, name), other = mujoco_lump(mujoco, body, diff);
    rgMat3 a = lump_inertia(&mine), b = lump_inertia(&other);
    bool meshed = is_meshed(mujoco, body);
    worse(meshed ? &diff->meshed : &diff->mass, fabs(mine.mass - other.mass) / other.mass);
    worse(meshed ? &diff->decomposed : &diff->inertia, relative_difference(&a, &b));
    worse(meshed ? &diff->meshed : &diff->inertia, fabs(trace(&a) - trace(&b)) / trace(&b));
    worse(meshed ? &diff->meshed : &diff->place,
          v3_norm(
              v3_sub(v3_scale(mine.first, 1 / mine.mass), v3_scale(other.first, 1 / other.mass))));
    rgVec3 p = v3(d->xpos[3 * body], d->xpos[3 * body + 1], d->xpos[3 * body + 2]);
    rgQuat q = {d->xquat[4 * body], d->xquat[4 * body + 1], d->xquat[4 * body + 2],
                d->xquat[4 * body + 3]};
    worse(&diff->place, v3_norm(v3_sub(pose.position, p)));
    double dot = q.w * pose.orientation.w + q.x * pose.orientation.x + q.y * pose.orientation.y +
                 q.z * pose.orientation.z;
    rgQuat sum = {fabs(q.w - copysign(1, dot) * pose.orientation.w), 0, 0, 0};
    sum.x = q.x - copysign(1, dot) * pose.orientation.x;
    sum.y = q.y - copysign(1, dot) * pose.orientation.y;
    sum.z = q.z - copysign(1, dot) * pose.orientation.z;
    worse(&diff->place, sqrt(quat_norm2(sum)));
  }
}

// Energy of what moves, rotors of joints included.
static void compare_energy(const rgWorld* world, const mjModel* m, const mjData* d,
                           Difference* diff) {
  rgEnergy mine = rg_world_energy(world);
  double potential = d->energy[0], kinetic = d->energy[1], weight = 0;
  for (int i = 1; i < m->nbody; i++) {
    double fall = -m->body_mass[i] *
                  (m->opt.gravity[0] * d->xipos[3 * i] + m->opt.gravity[1] * d->xipos[3 * i + 1] +
                   m->opt.gravity[2] * d->xipos[3 * i + 2]);
    if (m->body_weldid[i] == 0)
      potential -= fall;
    else
      weight += m->body_mass[i] *
                sqrt(m->opt.gravity[0] * m->opt.gravity[0] + m->opt.gravity[1] * m->opt.gravity[1] +
                     m->opt.gravity[2] * m->opt.gravity[2]);
  }
  worse(&diff->potential, fabs(mine.potential - potential) / (weight + fabs(potential)));
  if (kinetic > 0)
    worse(&diff->kinetic, fabs(mine.kinetic - kinetic) / kinetic);
}

static bool load_rigor(const char* path, rgScene** scene, rgWorld** world, char* message,
                       size_t size) {
  rgModelOptions options = rg_scene_model_options();
  rgMessage why = {""};
  bool good = rg_scene_read_model(path, &options, scene, &why) == RG_OK;
  if (good && rg_scene_build(*scene, NULL, world, &why) != RG_OK) {
    rg_scene_free(*scene);
    good = false;
  }
  snprintf(message, size, "%s", why.text);
  return good;
}

static bool compare_at(const char* path, const Other* other, bool forces, Difference* diff) {
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  if (!load_rigor(path, &scene, &world, diff->message, sizeof diff->message))
    return false;
  const char *place, *text;
  diff->remarks = 0;
  while (rg_scene_note(scene, diff->remarks, &place, &text))
    diff->remarks++;
  compare_bodies(world, other, diff);
  compare_joints(world, other->m, other->d, forces, diff);
  compare_energy(world, other->m, other->d, diff);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return true;
}

// A random configuration within the limits and random rates, as the text of a key; `control`: and random
// controls.
static void random_key(const mjModel* m, mjData* d, bool control, uint64_t* state, char* key,
                       size_t size) {
  for (int i = 0; i < m->njnt; i++) {
    double* q = d->qpos + m->jnt_qposadr[i];
    const double* range = m->jnt_range + 2 * i;
    double low = m->jnt_limited[i] ? fmax(range[0], -3) : -1,
           high = m->jnt_limited[i] ? fmin(range[1], 3) : 1;
    bool quat = m->jnt_type[i] == mjJNT_FREE || m->jnt_type[i] == mjJNT_BALL;
    if (!quat)
      q[0] = low + (high - low) * rg_random_unit(state);
    for (int k = 0; quat && k < (m->jnt_type[i] == mjJNT_FREE ? 7 : 4); k++)
      q[k] = 2 * rg_random_unit(state) - 1;
  }
  mj_normalizeQuat(m, d->qpos);
  for (int i = 0; i < m->nv; i++)
    d->qvel[i] = 2 * rg_random_unit(state) - 1;
  for (int i = 0; i < m->nu && control; i++) {
    const double* range = m->actuator_ctrlrange + 2 * i;
    double low = m->actuator_ctrllimited[i] ? range[0] : -1,
           high = m->actuator_ctrllimited[i] ? range[1] : 1;
    d->ctrl[i] = low + (high - low) * rg_random_unit(state);
  }
  size_t used = (size_t)snprintf(key, size, "<key qpos='");
  for (int i = 0; i < m->nq && used < size; i++)
    used += (size_t)snprintf(key + used, size - used, " %.17g", d->qpos[i]);
  used += (size_t)snprintf(key + used, size - used, "' qvel='");
  for (int i = 0; i < m->nv && used < size; i++)
    used += (size_t)snprintf(key + used, size - used, " %.17g", d->qvel[i]);
  if (m->nu > 0)
    used += (size_t)snprintf(key + used, size - used, "' ctrl='");
  for (int i = 0; i < m->nu && used < size; i++)
    used += (size_t)snprintf(key + used, size - used, " %.17g", d->ctrl[i]);
  snprintf(key + used, size - used, "'/>");
}

static bool probe(const char* path, const char* file, const Other* other, uint64_t* state,
                  Difference* diff) {
  const mjModel* m = other->m;
  size_t size = 64 + 28 * (size_t)(m->nq + m->nv + m->nu);
  char* key = malloc(size);
  if (!key)
    return false;
  random_key(m, other->d, true, state, key, size);
  bool good = old_write(path, file, key, false, diff->message, sizeof diff->message);
  free(key);
  mj_forward(m, other->d);
  return good && compare_at(file, other, true, diff);
}

static bool mentions(const char* file, const char* word) {
  char line[4096];
  bool found = false;
  FILE* in = fopen(file, "r");
  while (in && !found && fgets(line, sizeof line, in))
    found = strstr(line, word) != NULL;
  if (in)
    fclose(in);
  return found;
}

// At the model's own first key, and at random configurations with random rates and controls.
static bool compare_loaded(const char* path, const char* file, const Other* other,
                           Difference* diff) {
  if (other->m->nkey > 0)
    mj_resetDataKeyframe(other->m, other->d, 0);
  mj_forward(other->m, other->d);
  // MuJoCo was told to take the volumes of meshes as they are, which the model itself does not say.
  bool good = compare_at(mentions(file, "<mesh") ? file : path, other, false, diff);
  uint64_t state = 1;
  for (int i = 0; i < PROBES && good; i++)
    good = probe(path, file, other, &state, diff);
  return good;
}

bool compare_model(const char* path, const char* file, Difference* diff) {
  *diff = (Difference){0};
  char error[500] = "";
  if (!old_write(path, file, NULL, false, diff->message, sizeof diff->message))
    return false;
  Other other = {.m = mj_loadXML(file, NULL, error, sizeof error)};
  if (!other.m) {
    snprintf(diff->message, sizeof diff->message, "MuJoCo: %.300s", error);
    diff->message[strcspn(diff->message, "\n")] = 0;
    return false;
  }
  other.m->opt.enableflags |= mjENBL_ENERGY;
  other.d = mj_makeData(other.m);
  other.stated = calloc((size_t)other.m->nbody, sizeof *other.stated);
  bool good = other.stated && old_stated_masses(file, other.stated, other.m->nbody) &&
              compare_loaded(path, file, &other, diff);
  free(other.stated);
  mj_deleteData(other.d);
  mj_deleteModel(other.m);
  return good;
}

// -------------------------------------------------------------------------------------------------
// Motion
// -------------------------------------------------------------------------------------------------

// The largest distance of a body's frame from where MuJoCo has it.
static double apart(const rgWorld* world, const mjModel* m, const mjData* d) {
  double worst = 0;
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    int body = mj_name2id(m, mjOBJ_BODY, rg_body_name(world, id));
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC || body < 0)
      continue;
    rgVec3 p = v3(d->xpos[3 * body], d->xpos[3 * body + 1], d->xpos[3 * body + 2]);
    worse(&worst, v3_norm(v3_sub(rg_body_pose(world, id).position, p)));
  }
  return worst;
}

// Writes the bare model with a random start, which is its only key.
static bool write_start(const char* path, const char* file, char* message, size_t size) {
  char error[500] = "";
  if (!old_write(path, file, NULL, true, message, size))
    return false;
  mjModel* m = mj_loadXML(file, NULL, error, sizeof error);
  if (!m) {
    snprintf(message, size, "MuJoCo: %.300s", error);
    return false;
  }
  mjData* d = mj_makeData(m);
  uint64_t state = 7;
  size_t room = 64 + 28 * (size_t)(m->nq + m->nv + m->nu);
  char* key = malloc(room);
  if (key)
    random_key(m, d, false, &state, key, room);
  bool good = key && old_write(path, file, key, true, message, size);
  free(key);
  mj_deleteData(d);
  mj_deleteModel(m);
  return good;
}

static mjData* run_mujoco(mjModel* m) {
  m->opt.timestep = 1e-4;
  m->opt.integrator = mjINT_RK4;
  m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY;
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  for (int i = 0; i < 10000; i++)
    mj_step(m, d);
  mj_kinematics(m, d);
  return d;
}

// One second by Rigor's theta = 1/2.
static bool run_rigor(rgWorld* world, double step, char* message, size_t size) {
  rgOptions options;
  rg_options_preset("reference", &options);
  options.step = step;
  options.gravity = rg_world_options(world)->gravity;
  rgStatus status = rg_world_set_options(world, &options);
  for (int i = 0; i < (int)(1 / step + 0.5) && status == RG_OK; i++)
    status = rg_world_step(world, NULL);
  if (status != RG_OK)
    snprintf(message, size, "%s", rg_world_message(world));
  return status == RG_OK;
}

double follow_model(const char* path, const char* file, double step, char* message, size_t size) {
  char error[500] = "";
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  if (!write_start(path, file, message, size) || !load_rigor(file, &scene, &world, message, size))
    return NAN;
  mjModel* m = mj_loadXML(file, NULL, error, sizeof error);
  double distance = NAN;
  if (m && run_rigor(world, step, message, size)) {
    mjData* d = run_mujoco(m);
    distance = apart(world, m, d);
    mj_deleteData(d);
  }
  if (m)
    mj_deleteModel(m);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return distance;
}
