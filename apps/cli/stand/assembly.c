// assembly.c - see assembly.h.
#include "cli/stand/assembly.h"
#include "cli/text/text.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One step from rest gives the contacts and loads; its answer is not used.
static void set_options(rgOptions* options) {
  snprintf(options->stepper, sizeof options->stepper, "theta");
  snprintf(options->solver, sizeof options->solver, "nsgs");
  snprintf(options->stabilizer, sizeof options->stabilizer, "none");
  snprintf(options->coordinates, sizeof options->coordinates, "full");
  options->theta = 1;
  options->iteration_limit = 1;
  options->time_limit = 0;
}

static rgStatus stop_bodies(CliAssembly* assembly, const char* path, rgMessage* message) {
  rgWorld* world = assembly->world;
  for (int i = 0; i < rg_world_body_count(world); ++i) {
    rgBodyId id = rg_world_body(world, i);
    rgTwist v = rg_body_velocity(world, id), zero = {rg_vec3_zero(), rg_vec3_zero()};
    if (rg_body_kind(world, id) == RG_BODY_KINEMATIC) {
      char name[80];
      cli_clean(rg_body_name(world, id), name, sizeof name);
      snprintf(message->text, sizeof message->text,
               "%s: body '%s' is kinematic; whether an assembly stands is a question about static "
               "and dynamic bodies",
               path, name);
      return RG_ERROR_INPUT;
    }
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC)
      continue;
    assembly->body_count++;
    if (rg_vec3_norm2(v.linear) + rg_vec3_norm2(v.angular) == 0)
      continue;
    assembly->moved++;
    rg_body_set_velocity(world, id, zero);
  }
  return RG_OK;
}

// Bodies in no island touch nothing, and fall.
static void find_alone(CliAssembly* assembly) {
  rgWorld* world = assembly->world;
  int count = rg_world_body_count(world);
  int* islands = calloc((size_t)count + 1, sizeof *islands);
  if (!islands)
    return;
  rg_world_body_islands(world, islands, count);
  for (int i = 0; i < count; ++i) {
    rgBodyId id = rg_world_body(world, i);
    if (islands[i] >= 0 || rg_body_kind(world, id) != RG_BODY_DYNAMIC)
      continue;
    if (assembly->alone++ == 0) {
      cli_clean(rg_body_name(world, id), assembly->alone_name, sizeof assembly->alone_name);
      if (!assembly->alone_name[0])
        snprintf(assembly->alone_name, sizeof assembly->alone_name, "body %d", i);
    }
  }
  free(islands);
}

// Copies the contacts that touch. `first` is where those of the island begin among the loads.
static void keep_contacts(CliAssembly* assembly, CliIsland* island, int first, double touching) {
  const rgProblem* problem = &island->problem;
  int kept = 0;
  for (int i = 0; i < problem->contact_count; ++i) {
    const rgProblemContact* contact = &problem->contacts[i];
    if (contact->bias[0] * assembly->h > touching)
      continue;
    island->contacts[kept] = *contact;
    memset(island->contacts[kept].bias, 0, sizeof island->contacts[kept].bias);
    island->mu[kept] = contact->mu;
    island->places[kept++] = first + i;
    const rgContactLoad* load = &assembly->loads[first + i];
    if (contact->body_a >= 0)
      island->ids[contact->body_a] = load->body_a;
    if (contact->body_b >= 0)
      island->ids[contact->body_b] = load->body_b;
  }
  assembly->contact_count += kept;
  island->problem.contact_count = kept;
}

static rgStatus copy_island(CliAssembly* assembly, int index, int* first, double touching) {
  CliIsland* island = &assembly->islands[index];
  rgProblem* problem = &island->problem;
  rgSolution solution;
  rgCertificate certificate;
  rgStatus status = rg_world_island(assembly->world, index, problem, &solution, &certificate);
  if (status != RG_OK)
    return status;
  size_t bodies = (size_t)problem->body_count, contacts = (size_t)problem->contact_count,
         numbers = 6 * bodies + 4 * contacts + (size_t)problem->row_count;
  island->bodies = malloc((bodies + 1) * sizeof *island->bodies);
  island->contacts = malloc((contacts + 1) * sizeof *island->contacts);
  island->mu = malloc((contacts + 1) * sizeof *island->mu);
  island->places = malloc((contacts + 1) * sizeof *island->places);
  island->ids = calloc(bodies + 1, sizeof *island->ids);
  island->forces = malloc((bodies + 1) * sizeof *island->forces);
  island->solution.v = calloc(numbers + 1, sizeof(double));
  if (!island->bodies || !island->contacts || !island->mu || !island->places || !island->ids ||
      !island->forces || !island->solution.v)
    return RG_ERROR_MEMORY;
  island->solution.r = island->solution.v + 6 * bodies;
  island->solution.lambda = island->solution.r + 4 * contacts;

  rgVec3 pull = rg_vec3_scale(rg_world_options(assembly->world)->gravity, assembly->h);
  for (size_t i = 0; i < bodies; ++i) {
    rgProblemBody* body = &island->bodies[i];
    *body = problem->bodies[i];
    rgTwist* forces = &island->forces[i];
    *forces = (rgTwist){rg_vec3_sub(body->v_free.linear, pull), body->v_free.angular};
    if (body->inverse_mass > 0 && (rg_vec3_norm(forces->linear) > 1e-12 * rg_vec3_norm(pull) ||
                                   rg_vec3_norm2(forces->angular) > 0))
      assembly->has_forces = true;
  }
  keep_contacts(assembly, island, *first, touching);
  *first += (int)contacts;
  problem->bodies = island->bodies;
  problem->contacts = island->contacts;
  problem->links = NULL;
  island->work = malloc(cli_statics_work_size(problem));
  return island->work ? RG_OK : RG_ERROR_MEMORY;
}

static rgStatus take_step(const char* path, CliAssembly* assembly, rgMessage* message) {
  rgStatus status = rg_world_step(assembly->world, NULL);
  if (status != RG_OK)
    snprintf(message->text, sizeof message->text, "%s: %s", path,
             rg_world_message(assembly->world));
  return status;
}

rgStatus cli_assembly_read(const char* path, double touching, CliAssembly* assembly,
                           rgMessage* message) {
  *assembly = (CliAssembly){0};
  rgStatus status = rg_scene_read(path, &assembly->scene, message);
  if (status == RG_OK) {
    set_options(rg_scene_options(assembly->scene));
    status = rg_scene_build(assembly->scene, NULL, &assembly->world, message);
  }
  if (status == RG_OK)
    status = stop_bodies(assembly, path, message);
  if (status == RG_OK)
    status = take_step(path, assembly, message);
  if (status != RG_OK)
    return status;
  assembly->h = rg_world_options(assembly->world)->step;
  find_alone(assembly);
  int count = rg_world_island_count(assembly->world), first = 0;
  int touches = rg_world_contact_loads(assembly->world, NULL, 0);
  assembly->islands = calloc((size_t)count + 1, sizeof *assembly->islands);
  assembly->loads = calloc((size_t)touches + 1, sizeof *assembly->loads);
  status = assembly->islands && assembly->loads ? RG_OK : RG_ERROR_MEMORY;
  if (status == RG_OK)
    rg_world_contact_loads(assembly->world, assembly->loads, touches);
  for (; status == RG_OK && assembly->island_count < count; ++assembly->island_count)
    status = copy_island(assembly, assembly->island_count, &first, touching);
  if (status == RG_ERROR_MEMORY)
    snprintf(message->text, sizeof message->text, "%s: not enough memory", path);
  return status;
}

void cli_assembly_free(CliAssembly* assembly) {
  int count = assembly->world && assembly->islands ? rg_world_island_count(assembly->world) : 0;
  for (int i = 0; i < count; ++i) {
    CliIsland* island = &assembly->islands[i];
    free(island->bodies);
    free(island->contacts);
    free(island->mu);
    free(island->places);
    free(island->ids);
    free(island->forces);
    free(island->solution.v);
    free(island->work);
  }
  free(assembly->islands);
  free(assembly->loads);
  rg_world_destroy(assembly->world);
  rg_scene_free(assembly->scene);
}

CliLoad cli_assembly_load(const CliAssembly* assembly) {
  return (CliLoad){1, 1, rg_world_options(assembly->world)->gravity};
}

CliStatics cli_assembly_stands(CliAssembly* assembly, const CliLoad* load) {
  bool undecided = false;
  assembly->fallen = -1;
  if (assembly->alone > 0 && rg_vec3_norm2(load->gravity) > 0)
    return CLI_STATICS_MOVES;
  for (int k = 0; k < assembly->island_count; ++k) {
    CliIsland* island = &assembly->islands[k];
    rgVec3 pull = rg_vec3_scale(load->gravity, assembly->h);
    for (int i = 0; i < island->problem.body_count; ++i) {
      rgTwist forces = island->forces[i], *v_free = &island->bodies[i].v_free;
      if (island->bodies[i].inverse_mass > 0)
        v_free->linear = rg_vec3_add(pull, rg_vec3_scale(forces.linear, load->forces));
      v_free->angular = rg_vec3_scale(forces.angular, load->forces);
    }
    for (int i = 0; i < island->problem.contact_count; ++i)
      island->contacts[i].mu = load->friction * island->mu[i];
    CliStatics verdict = cli_statics_proof(&island->problem, &island->solution, island->work);
    if (verdict == CLI_STATICS_MOVES) {
      assembly->fallen = k;
      return verdict;
    }
    undecided = undecided || verdict == CLI_STATICS_UNDECIDED;
  }
  return undecided ? CLI_STATICS_UNDECIDED : CLI_STATICS_STANDS;
}

rgVec3 cli_assembly_falling(const CliAssembly* assembly) {
  rgVec3 sum = rg_vec3_zero();
  if (assembly->fallen < 0)
    return sum;
  const CliIsland* island = &assembly->islands[assembly->fallen];
  for (int i = 0; i < island->problem.body_count; ++i) {
    const double* v = island->solution.v + 6 * (size_t)i;
    if (island->bodies[i].inverse_mass > 0)
      sum = rg_vec3_add(
          sum, rg_vec3_scale(rg_vec3(v[0], v[1], v[2]), 1 / island->bodies[i].inverse_mass));
  }
  return sum;
}
