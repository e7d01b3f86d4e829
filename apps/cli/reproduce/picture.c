// picture.c - the scene of an experiment where it begins, as a drawing.
#include "cli/reproduce/reproduce.h"
#include "cli/text/drawing.h"
#include "cli/text/page.h"

enum { SHAPES = 512, WIDTH = 640, HEIGHT = 300, MARGIN = 16 };
static const double GROUND = 0.75; // of the diagonal of the scene

static void write_drawing(CliDrawing* drawing, const char* title, FILE* stream) {
  cli_drawing_fit(drawing, WIDTH, HEIGHT, MARGIN);
  fprintf(stream,
          "<figure>\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\" viewBox=\"0 0 %.0f "
          "%.0f\" width=\"%.0f\" height=\"%.0f\" "
          "role=\"img\">\n",
          drawing->width, drawing->height, drawing->width, drawing->height);
  cli_drawing_write(drawing, drawing, CLI_DRAWN_PLAIN, stream);
  fprintf(stream, "</svg>\n<figcaption>");
  cli_page_escape(stream, title);
  fprintf(stream, "</figcaption>\n</figure>\n");
}

void reproduction_picture(const Experiment* experiment, FILE* stream) {
  ExperimentReport report = {0};
  rgScene* scene = experiment->scene ? experiment_scene(&report, experiment) : NULL;
  rgWorld* world = scene ? experiment_world(&report, scene) : NULL;
  CliDrawing drawing = {0};
  if (world && cli_drawing_make(world, SHAPES, GROUND, &drawing) && drawing.count > 0)
    write_drawing(&drawing, rg_scene_title(scene), stream);
  cli_drawing_free(&drawing);
  rg_world_destroy(world);
  rg_scene_free(scene);
}
