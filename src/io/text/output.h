// output.h - files that are never half written: what the library itself needs beside the interface.
#ifndef IO_TEXT_OUTPUT_H
#define IO_TEXT_OUTPUT_H

#include <rigor/util.h>

// The name that the file has before it is in its place.
const char* rg_output_beside(const rgOutput* output);

// Puts the file in its place while it is still open, for what grows during a run: from then on the
// stream writes to the file in its place. Nothing remains to be committed; rg_output_commit then
// closes the stream, rg_output_abandon too, and both leave the file where it is.
rgStatus rg_output_place(rgOutput* output, rgMessage* message);

#endif
