// file.h - whole files in and out, with messages that name the path and the reason.
#ifndef IO_TEXT_FILE_H
#define IO_TEXT_FILE_H

#include <rigor/base.h>
#include <stdio.h>

// Reads all of a file (or of a pipe) into memory from `allocator`; a zero follows the last byte.
// The memory has *size bytes. A file of more than 1 GiB is refused.
rgStatus rg_file_read(const char* path, const rgAllocator* allocator, char** text, size_t* length,
                      size_t* size, rgMessage* message);
// The same for a file that another file names: only a regular one is read, no device and no pipe,
// which may wait for ever or never end.
rgStatus rg_file_read_regular(const char* path, const rgAllocator* allocator, char** text,
                              size_t* length, size_t* size, rgMessage* message);

// Appends all of a file to a stream.
rgStatus rg_file_copy(const char* path, FILE* to, rgMessage* message);

// Writes a file; an existing one is replaced when the new one is whole.
rgStatus rg_file_write(const char* path, const char* text, size_t length, rgMessage* message);

#endif
