// play.c - a clip as a character in a world.
//
// Balls lie on the floor, away from the figure, until they are thrown. A ball is thrown so that without
// the figure's reaction its centre would meet that of its target at the time of the hit, with the speed
// and the heading that were asked for: it starts a short flight before, on the parabola that leads
// there.
#include "cli/character/play.h"

#include "cli/system/clock.h"
#include "cli/text/text.h"

#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Collision filter: the floor, balls, the figure. A figure on its path has nothing to do with the
// floor.
enum { FLOOR = 1, BALL = 2, FIGURE = 4 };
// [s] of flight before a hit; and before a hit when a ball may already touch its target.
static const double FLIGHT = 0.2, TOUCH = 0.05;
// [kg/m3] of a ball: between a basketball and a baseball.
static const double BALL_DENSITY = 500;
// [-] of a ball on a person or the floor.
static const double BALL_RESTITUTION = 0.5;
// [m] from the figure to balls that wait, from ball to ball, and to the recorded figure beside it.
static const double AWAY = 3, SPACING = 0.3, BESIDE = 1.2;
static const double BACK = 0.05; // of the peak
static const double SETTLED = 1; // [s] after a hit

CliPlayDef cli_play_def(void) {
  CliPlayDef def = {.figure = rg_figure_def(),
                    .character = rg_character_def(),
                    .from = (double)NAN,
                    .to = (double)NAN};
  rg_options_preset("default", &def.options);
  return def;
}

static double ball_radius(const CliThrow* it) {
  return cbrt(it->mass / (BALL_DENSITY * 4 / 3 * RG_PI));
}

static rgStatus world_failed(const CliPlay* play, rgStatus status, rgMessage* message) {
  return cli_fail(message, status, "%s", rg_world_message(play->world));
}

// --- making ------------------------------------------------------------------------------------

static int compare_throws(const void* a, const void* b) {
  const CliThrow *x = a, *y = b;
  return (x->time > y->time) - (x->time < y->time);
}

static rgStatus check_throws(const CliPlay* play, rgMessage* message) {
  for (int i = 0; i < play->def.throw_count; i++) {
    const CliThrow* it = &play->def.throws[i];
    if (rg_figure_find_link(play->figure, it->link) < 0) {
      char names[CLI_TEXT_MAX] = "";
      size_t used = 0;
      for (int k = 0; k < rg_figure_link_count(play->figure) && used < sizeof names; k++) {
        rgFigureLink link;
        rg_figure_link(play->figure, k, &link);
        used +=
            (size_t)snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "", link.name);
      }
      return cli_fail(message, RG_ERROR_INPUT, "the figure has no link '%s', must be one of: %s",
                      it->link, names);
    }
    if (!(it->time > play->def.from + FLIGHT && it->time < play->def.to))
      return cli_fail(message, RG_ERROR_INPUT,
                      "a throw hits at %g s, must be from %.4g to %.4g s: within the movement",
                      it->time, play->def.from + FLIGHT, play->def.to);
  }
  return RG_OK;
}

static rgStatus choose_times(CliPlay* play, rgMessage* message) {
  CliPlayDef* def = &play->def;
  double start = rg_figure_start(play->figure), end = rg_figure_end(play->figure);
  def->from = isnan(def->from) ? start : def->from;
  def->to = isnan(def->to) ? end : def->to;
  if (!(def->from >= start - 1e-9 && def->from < def->to && def->to <= end + 1e-9))
    return cli_fail(
        message, RG_ERROR_INPUT,
        "from %.4g to %.4g s is not within the clip, which has a movement from %.4g to %.4g s",
        def->from, def->to, start, end);
  def->from = fmax(def->from, start);
  def->to = fmin(def->to, end);
  double steps = (def->to - def->from) / def->options.step;
  if (!(steps < 1e8))
    return cli_fail(message, RG_ERROR_INPUT, "%g steps are too many", steps);
  play->planned = (int)(steps + 1e-6);
  return RG_OK;
}

static rgStatus add_floor(CliPlay* play) {
  rgBodyDef body = rg_body_def();
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgBodyId id;
  body.kind = RG_BODY_STATIC;
  body.pose.position.z = rg_figure_floor(play->figure);
  body.name = "floor";
  shape.group = FLOOR;
  return rg_world_add_body(play->world, &body, &shape, 1, &id);
}

static rgStatus add_balls(CliPlay* play, rgVec3 figure) {
  rgMaterial bounces = rg_material_default();
  int material = 0;
  bounces.restitution = BALL_RESTITUTION;
  rgStatus status = rg_world_add_material(play->world, &bounces, &material);
  if (status == RG_OK)
    status = rg_world_set_pair_material(play->world, material, 0, &bounces);
  for (int i = 0; i < play->def.throw_count && status == RG_OK; i++) {
    CliThrow* it = &play->def.throws[i];
    rgBodyDef body = rg_body_def();
    rgShapeDef shape = rg_shape_def(RG_SHAPE_SPHERE);
    char name[32];
    shape.radius = ball_radius(it);
    shape.group = BALL;
    shape.material = material;
    snprintf(name, sizeof name, "ball %d", i + 1);
    body.name = name;
    body.mass = it->mass;
    body.pose.position = rg_vec3(figure.x + AWAY, figure.y + i * SPACING,
                                 rg_figure_floor(play->figure) + shape.radius);
    it->thrown = false;
    status = rg_world_add_body(play->world, &body, &shape, 1, &it->ball);
  }
  return status;
}

static rgStatus make_world(CliPlay* play, rgMessage* message) {
  rgWorldDef def = rg_world_def();
  def.options = play->def.options;
  rgStatus status = rg_world_create(&def, &play->world, message);
  if (status != RG_OK)
    return status;
  rgCharacterDef* character = &play->def.character;
  character->from = play->def.from;
  character->group = FIGURE;
  character->mask = character->root == RG_ROOT_PATH ? BALL : BALL | FLOOR;
  character->prefix = NULL;
  status = add_floor(play);
  if (status == RG_OK)
    status = rg_character_create(play->world, play->figure, character, &play->character);
  rgVec3 at = {0, 0, 0};
  if (status == RG_OK)
    at = rg_body_pose(play->world, rg_character_body(play->character, 0)).position;
  if (status == RG_OK)
    status = add_balls(play, at);
  if (status == RG_OK && play->def.ghost)
    status = rg_character_add_ghost(play->character, rg_vec3(0, -BESIDE, 0), "recorded ");
  return status == RG_OK ? RG_OK : world_failed(play, status, message);
}

rgStatus cli_play_open(CliPlay* play, const rgClip* clip, const CliPlayDef* def,
                       rgMessage* message) {
  *play = (CliPlay){.def = *def};
  qsort(play->def.throws, (size_t)play->def.throw_count, sizeof *play->def.throws, compare_throws);
  rgStatus status = rg_figure_create(clip, &def->figure, &play->figure, message);
  if (status == RG_OK)
    status = choose_times(play, message);
  if (status == RG_OK)
    status = check_throws(play, message);
  if (status == RG_OK) {
    play->deviation = calloc((size_t)play->planned + 1, sizeof *play->deviation);
    status = play->deviation ? make_world(play, message)
                             : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  }
  if (status != RG_OK)
    cli_play_close(play);
  return status;
}

void cli_play_close(CliPlay* play) {
  rg_character_destroy(play->character);
  rg_world_destroy(play->world);
  rg_figure_destroy(play->figure);
  free(play->deviation);
  *play = (CliPlay){0};
}

// --- stepping ----------------------------------------------------------------------------------

// Puts a ball on the parabola that leads to its target.
static rgStatus throw_ball(CliPlay* play, CliThrow* it) {
  rgBodyMotion* motion = malloc((size_t)rg_figure_link_count(play->figure) * sizeof *motion);
  if (!motion)
    return RG_ERROR_MEMORY;
  rg_figure_motion(play->figure, it->time, motion);
  int link = rg_figure_find_link(play->figure, it->link);
  rgVec3 center = rg_body_mass(play->world, rg_character_body(play->character, link)).center;
  rgVec3 target = rg_vec3_add(rg_pose_apply(motion[link].pose, center), play->def.character.offset);
  free(motion);
  double angle = it->heading * RG_PI / 180, left = it->time - rg_character_time(play->character);
  rgVec3 g = play->def.options.gravity;
  rgVec3 hit = rg_vec3(it->speed * rg_cos(angle), it->speed * rg_sin(angle), 0);
  rgTwist velocity = {rg_vec3_axpy(hit, -left, g), {0, 0, 0}};
  rgPose pose = {{0, 0, 0}, {1, 0, 0, 0}};
  pose.position = rg_vec3_axpy(rg_vec3_axpy(target, -left, hit), 0.5 * left * left, g);
  it->thrown = true;
  rgStatus status = rg_body_set_pose(play->world, it->ball, pose);
  return status == RG_OK ? rg_body_set_velocity(play->world, it->ball, velocity) : status;
}

static double joint_gap(const CliPlay* play) {
  return rg_world_certificate(play->world)->joint_error;
}

rgStatus cli_play_step(CliPlay* play, rgMessage* message) {
  double now = rg_character_time(play->character), cpu = cli_cpu_clock();
  rgStatus status = RG_OK;
  for (int i = 0; i < play->def.throw_count && status == RG_OK; i++)
    if (!play->def.throws[i].thrown && now >= play->def.throws[i].time - FLIGHT)
      status = throw_ball(play, &play->def.throws[i]);
  rgCertificate certificate = {0};
  if (status == RG_OK)
    status = rg_character_drive(play->character);
  if (status == RG_OK)
    status = rg_world_step(play->world, &certificate);
  play->cpu += cli_cpu_clock() - cpu;
  if (status != RG_OK)
    return world_failed(play, status, message);
  play->not_met += !certificate.met;
  play->largest_gap = fmax(play->largest_gap, joint_gap(play));
  play->deviation[play->steps++] = rg_character_deviation(play->character, -1);
  return RG_OK;
}

// --- what came of it ---------------------------------------------------------------------------

// The first step that ends at or after a time of the clip.
static int step_at(const CliPlay* play, double time) {
  double step = ceil((time - play->def.from) / play->def.options.step) - 1;
  return (int)fmin(fmax(step, 0), play->steps);
}

static double largest_in(const CliPlay* play, int from, int to) {
  double largest = 0;
  for (int i = from; i < to; i++)
    largest = fmax(largest, play->deviation[i]);
  return largest;
}

CliReaction cli_play_reaction(const CliPlay* play, int index) {
  const CliThrow* throws = play->def.throws;
  double step = play->def.options.step, hit = throws[index].time;
  double last = index > 0 ? throws[index - 1].time + SETTLED : play->def.from;
  int end = index + 1 < play->def.throw_count ? step_at(play, throws[index + 1].time - TOUCH)
                                              : play->steps;
  int first = step_at(play, hit - TOUCH), settled = step_at(play, hit + SETTLED);
  CliReaction reaction = {.before = largest_in(play, step_at(play, last), first),
                          .peak = largest_in(play, first, end),
                          .back = (double)NAN,
                          .after = (double)NAN};
  if (settled < end)
    reaction.after = largest_in(play, settled, end);
  int back = end;
  while (back > first && play->deviation[back - 1] <= BACK * reaction.peak)
    back--;
  if (back < end)
    reaction.back = play->def.from + (back + 1) * step - hit;
  return reaction;
}

double cli_play_largest(const CliPlay* play) { return largest_in(play, 0, play->steps); }

double cli_play_speed(const CliPlay* play) {
  return play->cpu > 0 ? play->steps * play->def.options.step / play->cpu : 0;
}
