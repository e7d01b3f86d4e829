// output.h - files that are never half written: a file is written beside its place under another
// name, and takes its place when it is whole. Until then what was there before stays as it was.
//
//     rgOutput* output;
//     if (rg_output_open("state.bin", &output, &message) == RG_OK) {
//       fwrite(state, 1, size, rg_output_stream(output));
//       rg_output_commit(output, &message);
//     }
//
// Links are followed, and the permissions of an existing file are kept. What is no regular file
// (/dev/stdout, a pipe) cannot be replaced and is written directly.
#ifndef RIGOR_OUTPUT_H
#define RIGOR_OUTPUT_H

#include "base.h"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgOutput rgOutput; // opaque

// RG_ERROR_IO, with the path and the reason in the message, when the file could not be written.
RG_API rgStatus rg_output_open(const char* path, rgOutput** output, rgMessage* message);
RG_API FILE* rg_output_stream(rgOutput* output);
// Puts the file in its place if everything could be written, and removes it otherwise. The output
// is freed in both cases.
RG_API rgStatus rg_output_commit(rgOutput* output, rgMessage* message);
RG_API void rg_output_abandon(rgOutput* output); // removes and frees it; NULL is allowed

#ifdef __cplusplus
}
#endif
#endif
