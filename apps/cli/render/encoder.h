// encoder.h - a video made of pictures by ffmpeg.
#ifndef CLI_ENCODER_H
#define CLI_ENCODER_H

#include "cli/system/program.h"

typedef struct CliEncoder {
  CliProgram program;
  char file[CLI_PATH_MAX]; // the video, in the folder
  char log[CLI_PATH_MAX];
} CliEncoder;

// Starts the program. The ending (".mp4", ".webm") says which format; files are made in `folder`.
rgStatus cli_encoder_open(CliEncoder* encoder, const char* program, const char* folder,
                          const char* ending, double rate, rgMessage* message);
// Takes a picture (PNG).
rgStatus cli_encoder_add(CliEncoder* encoder, const void* picture, size_t size, rgMessage* message);
// The video is whole then.
rgStatus cli_encoder_finish(CliEncoder* encoder, rgMessage* message);
void cli_encoder_close(CliEncoder* encoder);

#endif
