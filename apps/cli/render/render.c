// render.c - `rigor render`: pictures and videos of a run, drawn by the page in Chromium.
//
// The page is that of 'rigor view' with the run inside it. Time is set, not played: every picture is that
// of its own instant, however long it takes to draw.
#include "cli/render/chromium.h"
#include "cli/render/encoder.h"
#include "cli/render/simulate.h"
#include "cli/run/progress.h"
#include "cli/system/clock.h"
#include "cli/system/files.h"
#include "cli/system/folder.h"
#include "cli/system/interrupt.h"
#include "cli/view/page.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct RenderValues {
  const char* output;
  double time; // [s] negative: the end
  const char* size;
  double rate; // [1/s]
  const char *page, *preset, *run, *browser;
} RenderValues;

#define AT(member) .offset = offsetof(RenderValues, member)

// clang-format off
static const CliOption options[] = {
    {.name = "output", .letter = 'o', .type = CLI_TEXT, .value = "FILE", AT(output),
     .help = "a picture (.png) or a video (.mp4, .webm); must be given"},
    {.name = "time", .type = CLI_REAL, .value = "T", AT(time), .range = {0, HUGE_VAL, false},
     .help = "instant of a picture, end of a video [s]. Default: the end of the run; of a scene, the "
             "time that it names"},
    {.name = "size", .type = CLI_TEXT, .value = "WxH", AT(size),
     .help = "width and height [pixels]. Default: 1280x720"},
    {.name = "fps", .type = CLI_REAL, .value = "F", AT(rate), .range = {0, 1000, true},
     .help = "pictures per second of a video, which shows the run at its own speed [1/s]. Default: 30"},
    {.name = "preset", .type = CLI_TEXT, .value = "NAME", AT(preset),
     .help = "a named set of options for a scene ('rigor list presets')"},
    {.name = "run", .type = CLI_TEXT, .value = "FILE", AT(run),
     .help = "a trajectory of the scene, written by 'rigor run -o FILE'; not needed when the "
             "trajectory itself is named"},
    {.name = "page", .type = CLI_TEXT, .value = "FILE", AT(page),
     .help = "the empty page that 'make page' has made. Default: the one beside this command or "
             "among its installed files"},
    {.name = "browser", .type = CLI_TEXT, .value = "FILE", AT(browser),
     .help = "Chromium. Default: the one that PATH leads to"},
    {0},
};
// clang-format on

// The picture alone, without what a user needs around it.
static const char BARE[] =
    "const bare = new CSSStyleSheet();"
    "bare.replaceSync('header, #panel, #below, #error, dialog { display: none !important }"
    "  body { display: block !important }"
    "  main, #frame { position: fixed !important; inset: 0 !important }');"
    "document.adoptedStyleSheets = [bare];";

// Everything that a picture needs.
typedef struct Render {
  const RenderValues* values;
  CliGiven given;
  const char* ending; // of the output
  int width, height;  // [pixels]
  char* page;
  char chromium[CLI_PATH_MAX], ffmpeg[CLI_PATH_MAX];
  char folder[CLI_PATH_MAX]; // "" when there is none
  int64_t not_met;
  CliChromium browser;
  CliEncoder encoder;
} Render;

static int fail(const rgMessage* message) {
  if (!cli_interrupted())
    cli_complain(&cli_render, "%s", message->text);
  return CLI_EXIT_FAILED;
}

// --- before anything is drawn ------------------------------------------------------------------

static bool is_video(const Render* render) { return strcmp(render->ending, ".png") != 0; }

static int check_output(Render* render) {
  static const char* const endings[] = {".png", ".mp4", ".webm"};
  const char* output = render->values->output;
  if (!output)
    return cli_complain(&cli_render, "name a file with -o: FILE.png, FILE.mp4 or FILE.webm");
  for (int i = 0; i < 3; ++i)
    if (cli_ends_with(output, endings[i]))
      render->ending = endings[i];
  if (!render->ending)
    return cli_complain(&cli_render, "--output is '%s', must end in .png, .mp4 or .webm", output);
  return CLI_EXIT_OK;
}

static int check_size(Render* render) {
  enum { SIZE_MIN = 16, SIZE_MAX_PIXELS = 8192 };
  const char* size = render->values->size ? render->values->size : "1280x720";
  int used = 0, *w = &render->width, *h = &render->height;
  if (sscanf(size, "%5dx%5d%n", w, h, &used) != 2 || size[used] || *w < SIZE_MIN || *h < SIZE_MIN ||
      *w > SIZE_MAX_PIXELS || *h > SIZE_MAX_PIXELS)
    return cli_complain(&cli_render, "--size is '%s', must be like 1280x720, from %d to %d", size,
                        SIZE_MIN, SIZE_MAX_PIXELS);
  if (is_video(render) && (*w % 2 != 0 || *h % 2 != 0))
    return cli_complain(&cli_render, "--size is '%s'; a video needs even numbers", size);
  return CLI_EXIT_OK;
}

static int find_programs(Render* render) {
  static const char* const browsers[] = {"chromium", "chromium-browser", "google-chrome", NULL};
  static const char* const encoders[] = {"ffmpeg", NULL};
  if (render->values->browser)
    snprintf(render->chromium, sizeof render->chromium, "%s", render->values->browser);
  else if (!cli_program_find(browsers, render->chromium)) {
    cli_complain(&cli_render, "Chromium draws the pictures and is not there; on Debian: apt-get "
                              "install chromium. --browser FILE names one");
    return CLI_EXIT_FAILED;
  }
  if (!is_video(render) || cli_program_find(encoders, render->ffmpeg))
    return CLI_EXIT_OK;
  cli_complain(&cli_render, "ffmpeg makes the video and is not there; on Debian: apt-get install "
                            "ffmpeg. Pictures (.png) do not need it");
  return CLI_EXIT_FAILED;
}

static int check_files(const Render* render) {
  rgMessage message = {0};
  CliUses uses = {0};
  cli_given_uses(&render->given, &uses);
  cli_uses_read(&uses, "the empty page", render->page);
  cli_uses_write(&uses, "--output", render->values->output);
  return cli_uses_clash(&uses, &message) ? cli_complain(&cli_render, "%s", message.text)
                                         : CLI_EXIT_OK;
}

static int check(Render* render) {
  int exit_code = check_output(render);
  if (exit_code == CLI_EXIT_OK)
    exit_code = check_size(render);
  if (exit_code == CLI_EXIT_OK)
    exit_code = find_programs(render);
  if (exit_code == CLI_EXIT_OK)
    exit_code = cli_given_open(&render->given);
  return exit_code == CLI_EXIT_OK ? check_files(render) : exit_code;
}

// A scene without a run is simulated.
static int make_run(Render* render) {
  CliGiven* given = &render->given;
  if (given->run.table)
    return CLI_EXIT_OK;
  rgMessage message = {0};
  double named = render->values->time, end = named < 0 ? rg_scene_time(given->scene) : named;
  double rate = is_video(render) ? render->values->rate : end > 0 ? 1 / end : 1;
  rgStatus status =
      cli_simulate(given->scene, end, rate, &given->run.table, &render->not_met, &message);
  return status == RG_OK ? CLI_EXIT_OK : fail(&message);
}

// --- the page ----------------------------------------------------------------------------------

static rgStatus ask(Render* render, const char* expression, char** text, rgMessage* message) {
  rgStatus status = cli_chromium_ask(&render->browser, expression, text, message);
  if (status == RG_OK && (*text)[0] == '!') { // so the expressions below begin what is wrong
    snprintf(message->text, sizeof message->text, "the page says: %s", *text + 1);
    free(*text);
    *text = NULL;
    status = RG_ERROR_IO;
  }
  return status;
}

static rgStatus await_page(Render* render, rgMessage* message) {
  static const char expression[] =
      "(() => { const error = document.querySelector('#error');"
      "  if (error && !error.hidden) return '!' + error.innerText;"
      "  return document.body?.dataset.ready ? 'ready' : 'not yet'; })()";
  const double patience = 120; // [s] for a large scene on a busy machine
  double start = cli_wall_clock();
  for (;;) {
    char* text;
    rgStatus status = ask(render, expression, &text, message);
    bool ready = status == RG_OK && strcmp(text, "ready") == 0;
    free(text);
    if (status != RG_OK || ready)
      return status;
    if (cli_wall_clock() - start > patience) {
      snprintf(message->text, sizeof message->text, "the page does not get ready");
      return RG_ERROR_IO;
    }
    nanosleep(&(struct timespec){0, 20000000}, NULL);
  }
}

// The page pauses and draws no longer by itself. rigorPicture(time) draws an instant with all pixels, as
// the page does when nothing moves, and gives it at the size asked for.
static rgStatus prepare_page(Render* render, double* start, double* end, rgMessage* message) {
  char expression[2048], *text;
  snprintf(expression, sizeof expression,
           "(async () => {"
           "  await rigor.play(false);"
           "  if (!rigor.recording) return '!there is no run in it';"
           "  window.requestAnimationFrame = () => 0;"
           "  const to = Object.assign(document.createElement('canvas'), {width: %d, height: %d});"
           "  const context = to.getContext('2d');"
           "  context.imageSmoothingQuality = 'high';"
           "  window.rigorPicture = async (time) => {"
           "    const poses = rigor.recording.at(time);"
           "    await rigor.engine.place(poses);"
           "    rigor.view.update(poses);"
           "    rigor.overlays.update(poses);"
           "    rigor.view.render(rigor.quality.still);"
           "    context.drawImage(rigor.view.renderer.domElement, 0, 0, to.width, to.height);"
           "    return to.toDataURL('image/png').split(',')[1];"
           "  };"
           "  return rigor.recording.times[0] + ' ' + rigor.recording.end;"
           "})()",
           render->width, render->height);
  rgStatus status = ask(render, expression, &text, message);
  if (status == RG_OK && sscanf(text, "%lf %lf", start, end) != 2) {
    snprintf(message->text, sizeof message->text, "the page has no times");
    status = RG_ERROR_IO;
  }
  free(text);
  return status;
}

// In place: base64 becomes bytes.
static size_t decode(char* text) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  signed char value[256];
  size_t used = 0;
  unsigned bits = 0;
  int count = 0;
  memset(value, -1, sizeof value);
  for (int i = 0; i < 64; ++i)
    value[(unsigned char)digits[i]] = (signed char)i;
  for (const unsigned char* at = (unsigned char*)text; value[*at] >= 0; ++at) {
    bits = (bits << 6 | (unsigned)value[*at]) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      text[used++] = (char)(bits >> count & 255);
    }
  }
  return used;
}

static rgStatus take_picture(Render* render, double time, char** picture, size_t* size,
                             rgMessage* message) {
  static const double ROUNDING = 1e-9; // [s] a time that is met must not fall to the frame before
  char expression[64];
  snprintf(expression, sizeof expression, "rigorPicture(%.17g)", time + ROUNDING);
  rgStatus status = ask(render, expression, picture, message);
  *size = status == RG_OK ? decode(*picture) : 0;
  if (status == RG_OK && *size == 0) {
    snprintf(message->text, sizeof message->text, "the page gives no picture");
    status = RG_ERROR_IO;
  }
  return status;
}

// --- files -------------------------------------------------------------------------------------

static int write_picture(Render* render, double time) {
  rgMessage message = {0};
  char* picture = NULL;
  size_t size;
  rgOutput* output;
  rgStatus status = take_picture(render, time, &picture, &size, &message);
  if (status == RG_OK)
    status = rg_output_open(render->values->output, &output, &message);
  if (status == RG_OK) {
    fwrite(picture, 1, size, rg_output_stream(output));
    status = rg_output_commit(output, &message);
  }
  free(picture);
  return status == RG_OK ? CLI_EXIT_OK : fail(&message);
}

static rgStatus draw_frames(Render* render, double start, double end, rgMessage* message) {
  double rate = render->values->rate;
  int64_t count = 1 + (int64_t)floor(fmax(end - start, 0) * rate + 1e-9);
  CliProgress progress = cli_progress_start(true);
  rgStatus status = RG_OK;
  for (int64_t i = 0; i < count && status == RG_OK && !cli_interrupted(); ++i) {
    double time = start + (double)i / rate, wall = cli_wall_clock();
    char* picture = NULL;
    size_t size;
    if (cli_progress_due(&progress, wall))
      cli_progress_draw(&progress, wall,
                        &(CliProgressState){.what = "draws",
                                            .fraction = (double)i / (double)count,
                                            .simulated = time,
                                            .brief = true});
    status = take_picture(render, time, &picture, &size, message);
    if (status == RG_OK)
      status = cli_encoder_add(&render->encoder, picture, size, message);
    free(picture);
  }
  cli_progress_clear(&progress);
  return status;
}

// The video is made in the folder, and copied when it is whole.
static rgStatus keep_video(const Render* render, rgMessage* message) {
  char piece[1 << 16];
  size_t size;
  rgOutput* output;
  FILE* video = fopen(render->encoder.file, "rb");
  if (!video) {
    snprintf(message->text, sizeof message->text, "ffmpeg has made no video");
    return RG_ERROR_IO;
  }
  rgStatus status = rg_output_open(render->values->output, &output, message);
  if (status == RG_OK) {
    while ((size = fread(piece, 1, sizeof piece, video)) > 0)
      fwrite(piece, 1, size, rg_output_stream(output));
    status = rg_output_commit(output, message);
  }
  fclose(video);
  return status;
}

static int write_video(Render* render, double start, double end) {
  rgMessage message = {0};
  rgStatus status = cli_encoder_open(&render->encoder, render->ffmpeg, render->folder,
                                     render->ending, render->values->rate, &message);
  if (status == RG_OK)
    status = draw_frames(render, start, end, &message);
  if (status == RG_OK && cli_interrupted())
    return CLI_EXIT_INTERRUPTED;
  if (status == RG_OK)
    status = cli_encoder_finish(&render->encoder, &message);
  if (status == RG_OK)
    status = keep_video(render, &message);
  return status == RG_OK ? CLI_EXIT_OK : fail(&message);
}

// --- the command -------------------------------------------------------------------------------

static int draw(Render* render) {
  char file[CLI_PATH_MAX];
  if (!cli_folder_make(render->folder)) {
    render->folder[0] = '\0';
    cli_complain(&cli_render, "no temporary folder can be made; TMPDIR says where");
    return CLI_EXIT_FAILED;
  }
  snprintf(file, sizeof file, "%.4000s/run.html", render->folder);
  int exit_code = cli_page_write(&render->given, render->page, file);
  if (exit_code != CLI_EXIT_OK)
    return exit_code;
  rgMessage message = {0};
  double start = 0, end = 0, named = render->values->time;
  rgStatus status =
      cli_chromium_start(&render->browser, render->chromium, render->folder, &message);
  if (status == RG_OK)
    status =
        cli_chromium_open(&render->browser, file, render->width, render->height, BARE, &message);
  if (status == RG_OK)
    status = await_page(render, &message);
  if (status == RG_OK)
    status = prepare_page(render, &start, &end, &message);
  if (status != RG_OK)
    return fail(&message);
  end = named >= 0 && named < end ? named : end;
  return is_video(render) ? write_video(render, start, end) : write_picture(render, end);
}

static void close_all(Render* render) {
  cli_chromium_close(&render->browser);
  cli_encoder_close(&render->encoder);
  if (render->folder[0])
    cli_folder_remove(render->folder);
  free(render->page);
  cli_given_close(&render->given);
}

static int render_command(int argc, char** argv) {
  RenderValues values = {.time = -1, .rate = 30};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_render, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  Render render = {
      .values = &values,
      .given = {.command = &cli_render,
                .parsed = &parsed,
                .preset = values.preset,
                .run_path = values.run},
      .browser = {.program = {0, -1, -1}},
      .encoder = {.program = {0, -1, -1}},
  };
  render.page = values.page ? strdup(values.page) : cli_page_find();
  exit_code = check(&render);
  if (exit_code == CLI_EXIT_OK) {
    cli_interrupt_watch();
    signal(SIGPIPE, SIG_IGN); // a program that has ended is noticed by what a write returns
    exit_code = make_run(&render);
  }
  if (exit_code == CLI_EXIT_OK && !cli_interrupted())
    exit_code = draw(&render);
  close_all(&render);
  if (cli_interrupted())
    return CLI_EXIT_INTERRUPTED;
  if (exit_code == CLI_EXIT_OK && render.not_met > 0) {
    fprintf(stderr, "rigor render: %lld steps did not meet the tolerance; 'rigor run' says more\n",
            (long long)render.not_met);
    return CLI_EXIT_DOUBT;
  }
  return exit_code;
}

const CliCommand cli_render = {
    .name = "render",
    .operands = "SCENE|TRAJECTORY",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "make a picture or a video of a run",
    .details =
        "Draws a run that 'rigor run -o' has written (.csv or .h5), or simulates a scene and "
        "draws that, with the page of 'rigor view' in Chromium without a window. Videos are "
        "made by ffmpeg. Both must be installed.\n"
        "The time of each picture is set, not played. Ctrl-C leaves no file.",
    .examples = "rigor render arch -o arch.png --time 0\ta scene as it starts\n"
                "rigor render run.h5 -o run.mp4\ta video of a recorded run\n"
                "rigor render run.h5 -o run.webm --fps 60 --size 640x360\tanother one",
    .options = options,
    .scenes = true,
    .settings = true,
    .run = render_command,
};
