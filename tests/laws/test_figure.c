#include "support/builder.h"
#include "test.h"
#include <rigor/character.h>

static int compare_numbers(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

TEST(explore) {
  static const char* clips[] = {"data/mocap/124_01.bvh", "data/mocap/143_22.bvh"};
  for (int c = 0; c < 2; c++) {
    rgClip* clip;
    rgMessage message = {""};
    REQUIRE_INT(rg_clip_read(test_shared(clips[c]), &clip, &message), RG_OK);
    rgFigureDef def = rg_figure_def();
    if (getenv("MASS"))
      def.mass = atof(getenv("MASS"));
    rgFigure* figure;
    rgStatus status = rg_figure_create(clip, &def, &figure, &message);
    printf("%s\n", message.text);
    REQUIRE_INT(status, RG_OK);
    int links = rg_figure_link_count(figure);
    printf("links %d start %g end %g floor %g height %g\n", links, rg_figure_start(figure),
           rg_figure_end(figure), rg_figure_floor(figure), rg_figure_height(figure));
    double total = 0;
    rgWorld* world = build_world("default");
    rgCharacterDef cd = rg_character_def();
    cd.from = rg_figure_start(figure);
    rgCharacter* character;
    status = rg_character_create(world, figure, &cd, &character);
    printf("%s\n", rg_world_message(world));
    REQUIRE_INT(status, RG_OK);
    // instant torques
    rgWorld* model = build_world("default");
    rgCharacter* m;
    REQUIRE_INT(rg_character_create(model, figure, &cd, &m), RG_OK);
    rgInverse* inverse;
    REQUIRE_INT(rg_inverse_create(model, RG_INVERSE_TREE, &inverse), RG_OK);
    static rgBodyMotion motion[64];
    static rgInverseJoint joints[64];
    static double tau[64][4000];
    int n = 0;
    for (double t = rg_figure_start(figure); t <= rg_figure_end(figure); t += 1.0 / 120, n++) {
      rg_figure_motion(figure, t, motion);
      REQUIRE_INT(rg_inverse_motion(inverse, motion, NULL, joints, NULL), RG_OK);
      for (int i = 1; i < links; i++)
        tau[i][n] =
            v3_norm(v3(joints[i - 1].force[0], joints[i - 1].force[1], joints[i - 1].force[2]));
    }
    for (int i = 0; i < links; i++) {
      rgFigureLink link;
      rg_figure_link(figure, i, &link);
      total += link.mass;
      rgShapeDef shape;
      rg_figure_shape(figure, i, 0, &shape);
      qsort(tau[i], (size_t)n, sizeof(double), compare_numbers);
      printf("%2d %-15s parent %2d mass %6.3f r %.3f shapes %d center %g | %6.1f / %6.1f\n", i,
             link.name, link.parent, link.mass, shape.radius, link.shape_count,
             v3_norm(rg_body_mass(model, rg_character_body(m, i)).center), tau[i][(int)(0.95 * n)],
             tau[i][n - 1]);
    }
    printf("total %g\n", total);
    double t0 = (double)clock() / CLOCKS_PER_SEC;
    int steps = (int)((rg_figure_end(figure) - rg_figure_start(figure)) * 240);
    double worst = 0;
    int notmet = 0;
    for (int k = 0; k < steps; k++) {
      rgCertificate cert;
      REQUIRE_INT(rg_character_drive(character), RG_OK);
      status = rg_world_step(world, &cert);
      notmet += !cert.met;
      if (status != RG_OK) {
        printf("%s\n", rg_world_message(world));
        break;
      }
      worst = fmax(worst, rg_character_deviation(character, -1));
      if (k % 120 == 0)
        printf("t %g deviation %g met %d it %d\n", rg_character_time(character),
               rg_character_deviation(character, -1), cert.met, cert.iterations);
    }
    double t1 = (double)clock() / CLOCKS_PER_SEC;
    printf("worst deviation %g notmet %d  speed %g x\n", worst, notmet, steps / 240.0 / (t1 - t0));
  }
}
