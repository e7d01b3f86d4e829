// encoder.c - a video made of pictures by ffmpeg, which reads them from its standard input.
#include "cli/render/encoder.h"

#include "cli/text/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double PATIENCE = 600; // [s] for the pictures that wait inside ffmpeg at the end

// How each kind of video is made. Colours at half resolution are what all programs can play.
static const char* const mp4[] = {"-c:v", "libx264",   "-pix_fmt",   "yuv420p", "-crf",
                                  "18",   "-movflags", "+faststart", NULL};
static const char* const webm[] = {"-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p", "-crf", "24",
                                   "-b:v", "0",          "-row-mt",  "1",       NULL};

rgStatus cli_encoder_open(CliEncoder* encoder, const char* program, const char* folder,
                          const char* ending, double rate, rgMessage* message) {
  enum { ARGUMENTS = 40 };
  *encoder = (CliEncoder){.program = {0, -1, -1}};
  char frames[32];
  snprintf(frames, sizeof frames, "%.10g", rate);
  snprintf(encoder->file, sizeof encoder->file, "%.4000s/video%s", folder, ending);
  snprintf(encoder->log, sizeof encoder->log, "%.4000s/ffmpeg.log", folder);
  const char* const start[] = {program, "-hide_banner", "-loglevel", "error", "-y",
                               "-f",    "image2pipe",   "-c:v",      "png",   "-framerate",
                               frames,  "-i",           "-",         "-an",   NULL};
  const char* const* kind = strcmp(ending, ".webm") == 0 ? webm : mp4;
  const char* arguments[ARGUMENTS];
  int count = 0;
  for (int i = 0; start[i]; ++i)
    arguments[count++] = start[i];
  for (int i = 0; kind[i]; ++i)
    arguments[count++] = kind[i];
  arguments[count++] = encoder->file;
  arguments[count] = NULL;
  return cli_program_start(&encoder->program, (char* const*)(void*)arguments, STDIN_FILENO, -1,
                           encoder->log, message);
}

static rgStatus fail_ended(const CliEncoder* encoder, rgMessage* message) {
  char last[CLI_TEXT_MAX / 2];
  cli_program_last(encoder->log, last, sizeof last);
  return cli_fail(message, RG_ERROR_IO, "ffmpeg failed%s%s", last[0] ? ": " : "", last);
}

rgStatus cli_encoder_add(CliEncoder* encoder, const void* picture, size_t size,
                         rgMessage* message) {
  const char* at = picture;
  while (size > 0) {
    ssize_t sent = write(encoder->program.to, at, size);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return fail_ended(encoder, message);
    at += sent;
    size -= (size_t)sent;
  }
  return RG_OK;
}

rgStatus cli_encoder_finish(CliEncoder* encoder, rgMessage* message) {
  close(encoder->program.to);
  encoder->program.to = -1;
  return cli_program_wait(&encoder->program, PATIENCE) == 0 ? RG_OK : fail_ended(encoder, message);
}

void cli_encoder_close(CliEncoder* encoder) { cli_program_end(&encoder->program); }
