// stand_page.c - an answer of `rigor stand` as a picture, alone or in a page.
//
// Where the assembly stands: the force between each pair of bodies that touch, as an arrow through its
// centre of pressure, the point of the plane of contact about which it has no moment across the normal,
//
//     p = point + n x moment / (n . force).
//
// It points the way in which the load goes, along gravity. Where it falls: the bodies, and the same
// after a small part of the motion that proves it.
#include "cli/stand/stand.h"
#include "cli/text/drawing.h"
#include "cli/text/page.h"
#include "cli/text/text.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <string.h>

enum { WIDTH = 760, HEIGHT = 480, MARGIN = 24, SHAPES = 20000, ROWS = 200 };
static const double GROUND = 0.45;   // half the side of the square of the ground, of the diagonal
static const double LARGEST = 1.1;   // length of the largest force, of the size of a body
static const double SMALLEST = 2e-3; // of the largest force: less is not drawn
static const double MOVED = 0.2;     // largest displacement that is drawn, of the size of a body

static const char* const UNIQUE = "#14532d";
static const char* const FREE = "#c2410c";

static bool ends_in(const char* path, const char* ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

bool cli_stand_page_takes(const char* path) {
  return ends_in(path, ".svg") || ends_in(path, ".html");
}

// --- sizes ---------------------------------------------------------------------------------------

// The size of a body [m] by its moments of inertia: the diagonal of a box with these.
static double size_of(const rgWorld* world, rgBodyId id) {
  rgMassProperties mass = rg_body_mass(world, id);
  double trace = mass.inertia.m[0][0] + mass.inertia.m[1][1] + mass.inertia.m[2][2];
  return mass.mass > 0 ? sqrt(12 * 0.5 * trace / mass.mass) : 0;
}

// Mean over the bodies that move [m].
static double body_size(const rgWorld* world) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < rg_world_body_count(world); ++i) {
    rgBodyId id = rg_world_body(world, i);
    if (rg_body_kind(world, id) != RG_BODY_DYNAMIC)
      continue;
    sum += size_of(world, id);
    count++;
  }
  return count > 0 ? sum / count : 1;
}

// --- arrows --------------------------------------------------------------------------------------

static void write_arrow(const CliDrawing* drawing, rgVec3 from, rgVec3 to, const char* colour,
                        FILE* stream) {
  double x[2], y[2];
  cli_drawing_place(drawing, from, &x[0], &y[0]);
  cli_drawing_place(drawing, to, &x[1], &y[1]);
  double dx = x[1] - x[0], dy = y[1] - y[0], length = sqrt(dx * dx + dy * dy);
  double head = fmin(7, 0.45 * length);
  if (!(length > 0.5))
    return;
  dx /= length, dy /= length;
  // On a light rim, to be seen on every body.
  for (int pass = 0; pass < 2; ++pass)
    fprintf(stream,
            "<path d=\"M%.1f %.1fL%.1f %.1fM%.1f %.1fL%.1f %.1fL%.1f %.1f\" fill=\"none\" "
            "stroke=\"%s\" stroke-width=\"%.1f\"/>\n",
            x[0], y[0], x[1], y[1], x[1] - head * (dx + 0.5 * dy), y[1] - head * (dy - 0.5 * dx),
            x[1], y[1], x[1] - head * (dx - 0.5 * dy), y[1] - head * (dy + 0.5 * dx),
            pass ? colour : "#fff", (length > 16 ? 1.8 : 1.0) + (pass ? 0 : 1.6));
}

static void write_forces(const CliStand* stand, const CliDrawing* drawing, double size,
                         FILE* stream) {
  const CliDistribution* all = &stand->distribution;
  rgVec3 gravity = rg_world_options(stand->assembly.world)->gravity;
  double largest = 0;
  for (int i = 0; i < all->pair_count; ++i)
    largest = fmax(largest, rg_vec3_norm(all->pairs[i].force));
  for (int i = 0; i < all->pair_count; ++i) {
    const CliPairForce* pair = &all->pairs[i];
    double force = rg_vec3_norm(pair->force), normal = rg_vec3_dot(pair->force, pair->normal);
    if (!(force > SMALLEST * largest))
      continue;
    rgVec3 at = pair->point;
    if (fabs(normal) > 0.05 * force)
      at = rg_vec3_add(at, rg_vec3_scale(rg_vec3_cross(pair->normal, pair->moment), 1 / normal));
    double sign = rg_vec3_dot(pair->force, gravity) < 0 ? -1 : 1;
    rgVec3 half = rg_vec3_scale(pair->force, sign * 0.5 * LARGEST * size / largest);
    write_arrow(drawing, rg_vec3_sub(at, half), rg_vec3_add(at, half),
                all->known && pair->unique_force && pair->unique_moment ? UNIQUE : FREE, stream);
  }
}

// --- the motion ----------------------------------------------------------------------------------

// The largest displacement of a corner of a body's box in a unit of time.
static double speed_of(const rgWorld* world, rgBodyId id, const double* v) {
  double half = 0.5 * size_of(world, id);
  return rg_vec3_norm(rg_vec3(v[0], v[1], v[2])) + half * rg_vec3_norm(rg_vec3(v[3], v[4], v[5]));
}

// Moves the bodies of the world that is drawn along the motion, and notes where centres were and are.
static void move_bodies(const CliStand* stand, rgWorld* world, const CliDrawing* drawing,
                        double size, FILE* stream) {
  const CliIsland* island = &stand->assembly.islands[stand->decides];
  double fastest = 0;
  for (int i = 0; i < island->problem.body_count; ++i)
    if (rg_body_valid(world, island->ids[i]))
      fastest = fmax(fastest, speed_of(world, island->ids[i], stand->motion + 6 * (size_t)i));
  for (int i = 0; i < island->problem.body_count && fastest > 0; ++i) {
    const double* v = stand->motion + 6 * (size_t)i;
    rgBodyId id = island->ids[i];
    if (!rg_body_valid(world, id))
      continue;
    double time = MOVED * size / fastest;
    rgVec3 center = rg_body_center(world, id),
           turn = rg_vec3_scale(rg_vec3(v[3], v[4], v[5]), time),
           moved = rg_vec3_add(center, rg_vec3_scale(rg_vec3(v[0], v[1], v[2]), time));
    rgPose pose = rg_body_pose(world, id);
    double angle = rg_vec3_norm(turn);
    rgQuat rotation = {cos(angle / 2), 0, 0, 0};
    if (angle > 0) {
      rgVec3 axis = rg_vec3_scale(turn, sin(angle / 2) / angle);
      rotation = (rgQuat){cos(angle / 2), axis.x, axis.y, axis.z};
    }
    rgVec3 off = rg_quat_rotate(rotation, rg_vec3_sub(pose.position, center));
    pose.position = rg_vec3_add(moved, off);
    pose.orientation = rg_quat_mul(rotation, pose.orientation);
    rg_body_set_pose(world, id, pose);
    if (stream)
      write_arrow(drawing, center,
                  rg_vec3_add(center, rg_vec3_scale(rg_vec3_sub(moved, center), 2)), "#b3261e",
                  stream);
  }
}

// --- the picture ---------------------------------------------------------------------------------

static void write_svg(const CliStand* stand, rgWorld* world, CliDrawing* drawing, FILE* stream) {
  double size = body_size(world);
  cli_drawing_fit_moving(drawing, WIDTH, HEIGHT, MARGIN, 0.5 * LARGEST * size);
  fprintf(stream,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\" viewBox=\"0 0 %.0f %.0f\" "
          "width=\"%.0f\" height=\"%.0f\" role=\"img\">\n",
          drawing->width, drawing->height, drawing->width, drawing->height);
  bool falls = stand->motion != NULL;
  cli_drawing_write(drawing, drawing, falls ? CLI_DRAWN_FAINT : CLI_DRAWN_SHADED, stream);
  if (falls) {
    CliDrawing after = {0};
    move_bodies(stand, world, drawing, size, stream);
    if (cli_drawing_make(world, SHAPES, GROUND, &after))
      cli_drawing_write(&after, drawing, CLI_DRAWN_DASHED, stream);
    cli_drawing_free(&after);
  } else if (stand->distributed) {
    write_forces(stand, drawing, size, stream);
  }
  fprintf(stream, "</svg>\n");
}

static const char* caption_of(const CliStand* stand) {
  if (stand->motion)
    return "The motion that proves that it falls, magnified: bodies as they are, and dashed where "
           "it "
           "takes them. It opens every contact that it moves; how the assembly falls is another "
           "question.";
  if (!stand->distributed)
    return "The assembly.";
  return "Forces between bodies through their centres of pressure, in the direction in which the "
         "load goes. Green: the same in every equilibrium. Orange: one of many.";
}

// --- the page ------------------------------------------------------------------------------------

static void add_cell(CliPage* page, bool known, bool unique, const char* other) {
  cli_page_cell(page, !known ? "not known" : unique ? "unique" : other, unique ? "good" : "soft");
}

static void add_pairs(CliPage* page, const CliStand* stand) {
  static const char* const headings[] = {"force on", "by", ">normal [N]", "",
                                         ">all [N]", "",   ">least [N]",  ">largest [N]"};
  const CliDistribution* all = &stand->distribution;
  bool ranges = all->pair_count > 0 && !isnan(all->pairs[0].range[0]);
  cli_page_heading(page, "Forces between bodies");
  cli_page_table(page, headings, ranges ? 8 : 6);
  for (int i = 0; i < all->pair_count && i < ROWS; ++i) {
    const CliPairForce* pair = &all->pairs[i];
    char text[80];
    cli_stand_name(stand, pair->a, text, sizeof text);
    cli_page_cell(page, text, "");
    cli_stand_name(stand, pair->b, text, sizeof text);
    cli_page_cell(page, text, "");
    snprintf(text, sizeof text, "%.4g", rg_vec3_dot(pair->force, pair->normal));
    cli_page_cell(page, text, "");
    add_cell(page, all->known, pair->unique_normal, "one of many");
    snprintf(text, sizeof text, "%.4g", rg_vec3_norm(pair->force));
    cli_page_cell(page, text, "");
    add_cell(page, all->known, pair->unique_force, "one of many");
    for (int k = 0; k < 2 && ranges; ++k) {
      snprintf(text, sizeof text, "%.4g", pair->range[k]);
      cli_page_cell(page, isinf(pair->range[k]) ? "no bound" : text, "");
    }
  }
  cli_page_table_end(page);
  if (all->pair_count > ROWS)
    cli_page_paragraph(page, "Only the first 200 pairs are listed; --json has all.");
}

static void add_sentence(CliPage* page, const char* head, void say(const CliStand*, char*, size_t),
                         const CliStand* stand) {
  char text[CLI_TEXT_MAX], whole[CLI_TEXT_MAX + 40];
  say(stand, text, sizeof text);
  snprintf(whole, sizeof whole, "%s: %s.", head, text);
  cli_page_paragraph(page, whole);
}

static void write_page(const CliStand* stand, rgWorld* world, CliDrawing* drawing, FILE* stream) {
  char text[CLI_TEXT_MAX], whole[CLI_TEXT_MAX + 40];
  CliPage page;
  const char* title = rg_scene_title(stand->assembly.scene);
  cli_page_open(&page, stream, title && title[0] ? title : stand->path);
  cli_stand_say_verdict(stand, text, sizeof text);
  snprintf(whole, sizeof whole, "%s: %s.",
           stand->verdict == CLI_STATICS_STANDS  ? "Stands"
           : stand->verdict == CLI_STATICS_MOVES ? "Falls"
                                                 : "Not decided",
           text);
  cli_page_verdict(&page, stand->verdict == CLI_STATICS_STANDS, whole);
  fprintf(stream, "<figure>\n");
  write_svg(stand, world, drawing, stream);
  fprintf(stream, "<figcaption>%s</figcaption>\n</figure>\n", caption_of(stand));
  if (stand->margins) {
    cli_page_heading(&page, "Margins");
    add_sentence(&page, "Friction", cli_stand_say_friction, stand);
  }
  if (stand->margins && stand->verdict == CLI_STATICS_STANDS) {
    add_sentence(&page, "Shaking", cli_stand_say_shaking, stand);
    if (stand->assembly.has_forces)
      add_sentence(&page, "Forces", cli_stand_say_forces, stand);
  }
  if (stand->distributed) {
    add_sentence(&page, "Forces at contacts", cli_stand_say_distribution, stand);
    add_pairs(&page, stand);
  }
  cli_page_close(&page);
}

rgStatus cli_stand_page(const CliStand* stand, const char* path, rgMessage* message) {
  rgWorld* world = NULL; // as the scene has it: that of the assembly has made a step
  rgOutput* output = NULL;
  CliDrawing drawing = {0};
  rgStatus status = rg_scene_build(stand->assembly.scene, NULL, &world, message);
  if (status == RG_OK && !cli_drawing_make(world, SHAPES, GROUND, &drawing))
    status = RG_ERROR_MEMORY;
  if (status == RG_OK)
    status = rg_output_open(path, &output, message);
  if (status == RG_OK) {
    FILE* stream = rg_output_stream(output);
    if (ends_in(path, ".svg"))
      write_svg(stand, world, &drawing, stream);
    else
      write_page(stand, world, &drawing, stream);
    status = rg_output_commit(output, message);
  }
  cli_drawing_free(&drawing);
  rg_world_destroy(world);
  return status;
}
