// message.h - filling an rgMessage.
#ifndef BASE_MESSAGE_H
#define BASE_MESSAGE_H

#include <rigor/base.h>

#if defined(__GNUC__)
#define RG_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))
#else
#define RG_PRINTF(format_index, first)
#endif

// Formats into `message` (does nothing if it is NULL) and returns `status`, so that a failing
// function can end with `return rg_fail(message, RG_ERROR_INPUT, "...")`.
rgStatus rg_fail(rgMessage* message, rgStatus status, const char* format, ...) RG_PRINTF(3, 4);

#endif
