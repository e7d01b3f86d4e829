// rest_report.c - the poses of a part: table, JSON, and a page with a picture of each.
//
// A picture is a parallel projection of the hull as it lies, from the front, the right and above. The
// hull is convex, so that the faces that look towards the eye cover each other nowhere.
#include "cli/rest/rest.h"
#include "cli/text/text.h"

#include <rigor/vec_math.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURE = 180, PICTURE_MARGIN = 12, PICTURES_MAX = 40 };

static const CliRest* rest_of(const CliEnsemble* ensemble) { return ensemble->context; }

const char* cli_rest_pose(const void* context, int index) {
  static const char* const elsewhere = "elsewhere";
  static _Thread_local char text[32];
  const CliRest* rest = context;
  if (index >= rest->stable_count)
    return elsewhere;
  snprintf(text, sizeof text, "face %d", rest->stable[index]);
  return text;
}

static double share_of(const CliTallied* pose, int index) {
  int64_t runs = pose->moments.count + pose->missing;
  return runs > 0 ? (double)pose->classes[index] / (double)runs : 0;
}

void cli_rest_print(const CliEnsemble* ensemble, const CliTallied* tallied) {
  const CliRest* rest = rest_of(ensemble);
  CliStyle style = cli_style(stdout);
  char text[CLI_TEXT_MAX];
  printf("%s%s%s: %d faces, %d of them stable\n", style.bold, rest->name, style.plain,
         rest->face_count, rest->stable_count);
  printf("%s  %-10s  %8s  %14.3g %% interval  %12s  %10s  %10s  %s%s\n", style.dim, "pose", "share",
         100 * ensemble->confidence, "quasi-static", "height", "margin", "face down, its normal",
         style.plain);
  for (int i = 0; i <= rest->stable_count; ++i) {
    rgInterval interval = cli_tally_class(ensemble, &tallied[0], i);
    bool last = i == rest->stable_count;
    if (last && tallied[0].classes[i] == 0)
      continue;
    printf("  %-10s  %6.2f %%  %8.2f .. %6.2f %%  ", cli_rest_pose(rest, i),
           100 * share_of(&tallied[0], i), 100 * interval.lower, 100 * interval.upper);
    if (!last) {
      const rgRestingFace* face = &rest->faces[rest->stable[i]];
      printf("%12.2f %%  %8.4g m  %8.4g m  %.3f %.3f %.3f", 100 * face->likelihood, face->height,
             face->margin, face->normal.x, face->normal.y, face->normal.z);
    }
    printf("\n");
  }
  if (rest->remark[0])
    printf("%s\n", rest->remark);
  cli_ensemble_sentence(ensemble, text, sizeof text);
  bool good = cli_ensemble_exit(ensemble) == CLI_EXIT_OK;
  printf("\n%s%s%s\n", good ? style.good : style.bad, text, style.plain);
  if (ensemble->trouble_run >= 0)
    printf("run %" PRId64 ": %s\n", ensemble->trouble_run, ensemble->trouble.text);
  if (ensemble->until_met)
    printf("The intervals are narrow enough after %" PRId64 " runs.\n", ensemble->limit);
  else if (ensemble->until.column >= 0)
    printf("The intervals are NOT as narrow as asked for.\n");
}

void cli_rest_json(const CliEnsemble* ensemble, const CliTallied* tallied, CliJson* json) {
  const CliRest* rest = rest_of(ensemble);
  cli_json_open(json, "poses", '[');
  for (int i = 0; i < rest->stable_count; ++i) {
    const rgRestingFace* face = &rest->faces[rest->stable[i]];
    rgInterval interval = cli_tally_class(ensemble, &tallied[0], i);
    cli_json_open(json, NULL, '{');
    cli_json_count(json, "face", rest->stable[i]);
    cli_json_open(json, "normal", '[');
    cli_json_real(json, NULL, face->normal.x);
    cli_json_real(json, NULL, face->normal.y);
    cli_json_real(json, NULL, face->normal.z);
    cli_json_close(json, ']');
    cli_json_real(json, "height", face->height);
    cli_json_real(json, "margin", face->margin);
    cli_json_real(json, "quasi_static", face->likelihood);
    cli_json_count(json, "hits", tallied[0].classes[i]);
    cli_json_real(json, "share", share_of(&tallied[0], i));
    cli_json_real(json, "lower", interval.lower);
    cli_json_real(json, "upper", interval.upper);
    cli_json_close(json, '}');
  }
  cli_json_close(json, ']');
  cli_json_count(json, "elsewhere", tallied[0].classes[rest->stable_count]);
}

// --- pictures ------------------------------------------------------------------------------------

typedef struct Eye {
  rgVec3 right, up, toward; // in the frame of the part as it lies
} Eye;

static rgVec3 unit_vector(rgVec3 v) { return rg_vec3_scale(v, 1 / rg_vec3_norm(v)); }

// An eye that sees the face below: its normal points down in the picture.
static Eye eye_of(rgVec3 normal) {
  rgVec3 z = rg_vec3_neg(normal), x, y;
  rg_vec3_frame(z, &x, &y);
  rgVec3 seen = unit_vector(rg_vec3(0.45, -1, 0.45));
  rgVec3 toward = rg_vec3_add(rg_vec3_add(rg_vec3_scale(x, seen.x), rg_vec3_scale(y, seen.y)),
                              rg_vec3_scale(z, seen.z));
  rgVec3 right = unit_vector(rg_vec3_cross(z, toward));
  return (Eye){right, rg_vec3_cross(toward, right), toward};
}

static void draw_part(const CliRest* rest, rgVec3 normal, FILE* stream) {
  Eye eye = eye_of(normal);
  double scale = (PICTURE / 2.0 - PICTURE_MARGIN) / rest->size;
  fprintf(stream,
          "<svg class=\"scene\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
          "height=\"%d\" viewBox=\"0 0 %d %d\">\n",
          PICTURE, PICTURE, PICTURE, PICTURE);
  for (int t = 0; t < rest->triangle_count; ++t) {
    const rgVec3* corner = rest->triangles + 3 * t;
    rgVec3 area =
        rg_vec3_cross(rg_vec3_sub(corner[1], corner[0]), rg_vec3_sub(corner[2], corner[0]));
    double size = rg_vec3_norm(area), facing = rg_vec3_dot(area, eye.toward);
    if (!(size > 0) || facing <= 0)
      continue;
    // Light falls from above and from the left.
    double light = 0.55 + 0.25 * rg_vec3_dot(area, rg_vec3_neg(normal)) / size -
                   0.2 * rg_vec3_dot(area, eye.right) / size;
    int grey = (int)(60 + 170 * (light < 0 ? 0 : light > 1 ? 1 : light));
    fprintf(stream, "<polygon points=\"");
    for (int k = 0; k < 3; ++k) {
      rgVec3 at = rg_vec3_sub(corner[k], rest->mass.center);
      fprintf(stream, "%.1f,%.1f ", PICTURE / 2.0 + scale * rg_vec3_dot(at, eye.right),
              PICTURE / 2.0 - scale * rg_vec3_dot(at, eye.up));
    }
    fprintf(stream, "\" fill=\"rgb(%d,%d,%d)\" stroke=\"rgb(%d,%d,%d)\" stroke-width=\"0.6\"/>\n",
            grey, grey, grey < 235 ? grey + 20 : 255, grey, grey, grey < 235 ? grey + 20 : 255);
  }
  fprintf(stream, "</svg>\n");
}

static void add_pictures(const CliRest* rest, const CliTallied* pose, const CliEnsemble* ensemble,
                         CliPage* page) {
  FILE* stream = page->stream;
  cli_page_heading(page, "Poses");
  fprintf(stream, "<div style=\"display:flex;flex-wrap:wrap;gap:.5rem\">\n");
  for (int i = 0; i < rest->stable_count && i < PICTURES_MAX; ++i) {
    const rgRestingFace* face = &rest->faces[rest->stable[i]];
    rgInterval interval = cli_tally_class(ensemble, pose, i);
    fprintf(stream, "<figure>\n");
    draw_part(rest, face->normal, stream);
    fprintf(stream,
            "<figcaption>face %d: %.1f %% (%.1f to %.1f)<br>quasi-static %.1f %%</figcaption>\n"
            "</figure>\n",
            rest->stable[i], 100 * share_of(pose, i), 100 * interval.lower, 100 * interval.upper,
            100 * face->likelihood);
  }
  fprintf(stream, "</div>\n");
}

void cli_rest_page(const CliEnsemble* ensemble, const CliTallied* tallied, CliPage* page) {
  const CliRest* rest = rest_of(ensemble);
  char text[CLI_TEXT_MAX];
  snprintf(text, sizeof text,
           "%d faces, %d of them stable. %" PRId64 " drops from %g m in orientations that are "
           "uniform over all, friction %g, restitution %g.",
           rest->face_count, rest->stable_count, cli_ensemble_wanted(ensemble),
           rest->values->height >= 0 ? rest->values->height : rest->size, rest->values->mu,
           rest->values->restitution);
  cli_page_paragraph(page, text);
  if (rest->remark[0])
    cli_page_warning(page, rest->remark);
  add_pictures(rest, &tallied[0], ensemble, page);
  if (rest->stable_count > PICTURES_MAX)
    cli_page_paragraph(page, "Only the likeliest poses are drawn; the table has all.");
}
