// compare.c - what Rigor and MuJoCo make of the same model: masses, inertias, places, energy.
//
// MuJoCo keeps links that a model has welded together apart; Rigor makes one body of them, and may
// put light bodies between joints in series. Both are added up: what is compared is the mass, centre
// and inertia, in world axes, of everything that moves as one with a body of Rigor's scene.
#include "bench/robots/robots.h"

#include "bench/robots/old.h"
#include "math/vec.h"
#include <rigor/rigor.h>

#include <math.h>
#include <mujoco/mujoco.h>
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

static Lump mujoco_lump(const mjModel* m, const mjData* d, int body) {
  Lump l = {0};
  for (int i = 1; i < m->nbody; i++) {
    if (m->body_weldid[i] != body)
      continue;
    rgMat3 r, inertia;
    for (int k = 0; k < 9; k++)
      r.m[k / 3][k % 3] = d->ximat[9 * i + k];
    inertia = m3_congruence(
        &r, v3(m->body_inertia[3 * i], m->body_inertia[3 * i + 1], m->body_inertia[3 * i + 2]));
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

static void worse(double* worst, double value) {
  *worst = value > *worst || isnan(value) ? value : *worst;
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

static void compare_bodies(const rgWorld* world, const mjModel* m, const mjData* d,
                           Difference* diff) {
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
    Lump mine = rigor_lump(world, name), other = mujoco_lump(m, d, body);
    rgMat3 a = lump_inertia(&mine), b = lump_inertia(&other);
    double scale = 0;
    for (int k = 0; k < 9; k++)
      scale = fmax(scale, fabs(b.m[k / 3][k % 3]));
    worse(&diff->mass, fabs(mine.mass - other.mass) / other.mass);
    for (int k = 0; k < 9; k++)
      worse(&diff->inertia, fabs(a.m[k / 3][k % 3] - b.m[k / 3][k % 3]) / scale);
    worse(&diff->place, v3_norm(v3_sub(v3_scale(mine.first, 1 / mine.mass),
                                       v3_scale(other.first, 1 / other.mass))));
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

static bool load_rigor(const char* path, const char* key, rgScene** scene, rgWorld** world,
                       char* message, size_t size) {
  rgModelOptions options = rg_scene_model_options();
  options.key = key;
  rgMessage why = {""};
  bool good = rg_scene_read_model(path, &options, scene, &why) == RG_OK;
  if (good && rg_scene_build(*scene, NULL, world, &why) != RG_OK) {
    rg_scene_free(*scene);
    good = false;
  }
  snprintf(message, size, "%s", why.text);
  return good;
}

static bool compare_at(const char* path, const char* key, const mjModel* m, const mjData* d,
                       Difference* diff) {
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  if (!load_rigor(path, key, &scene, &world, diff->message, sizeof diff->message))
    return false;
  const char *place, *text;
  diff->remarks = 0;
  while (rg_scene_note(scene, diff->remarks, &place, &text))
    diff->remarks++;
  compare_bodies(world, m, d, diff);
  compare_energy(world, m, d, diff);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return true;
}

// A random configuration within the limits, as the text of a key.
static void random_key(const mjModel* m, mjData* d, uint64_t* state, char* key, size_t size) {
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
  size_t used = (size_t)snprintf(key, size, "<key qpos='");
  for (int i = 0; i < m->nq && used < size; i++)
    used += (size_t)snprintf(key + used, size - used, " %.17g", d->qpos[i]);
  used += (size_t)snprintf(key + used, size - used, "' qvel='");
  for (int i = 0; i < m->nv && used < size; i++)
    used += (size_t)snprintf(key + used, size - used, " %.17g", d->qvel[i]);
  snprintf(key + used, size - used, "'/>");
}

static bool probe(const char* path, const char* file, mjModel* m, mjData* d, uint64_t* state,
                  Difference* diff) {
  size_t size = 64 + 28 * (size_t)(m->nq + m->nv);
  char* key = malloc(size);
  if (!key)
    return false;
  random_key(m, d, state, key, size);
  bool good = old_write(path, file, key, false, diff->message, sizeof diff->message);
  free(key);
  mj_forward(m, d);
  return good && compare_at(file, NULL, m, d, diff);
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

// At the model's own first key, and at random configurations with random rates.
bool compare_model(const char* path, const char* file, Difference* diff) {
  *diff = (Difference){0};
  char error[500] = "";
  if (!old_write(path, file, NULL, false, diff->message, sizeof diff->message))
    return false;
  mjModel* m = mj_loadXML(file, NULL, error, sizeof error);
  if (!m) {
    snprintf(diff->message, sizeof diff->message, "MuJoCo: %.300s", error);
    diff->message[strcspn(diff->message, "\n")] = 0;
    return false;
  }
  m->opt.enableflags |= mjENBL_ENERGY;
  mjData* d = mj_makeData(m);
  if (m->nkey > 0)
    mj_resetDataKeyframe(m, d, 0);
  mj_forward(m, d);
  bool good = compare_at(path, NULL, m, d, diff);
  diff->full = mentions(file, "fullinertia");
  uint64_t state = 1;
  for (int i = 0; i < PROBES && good; i++)
    good = probe(path, file, m, d, &state, diff);
  mj_deleteData(d);
  mj_deleteModel(m);
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
  size_t room = 64 + 28 * (size_t)(m->nq + m->nv);
  char* key = malloc(room);
  if (key)
    random_key(m, d, &state, key, room);
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
  if (!write_start(path, file, message, size) ||
      !load_rigor(file, NULL, &scene, &world, message, size))
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
