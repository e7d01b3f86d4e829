// status.c - names of status codes, messages, version.
#include "base/message.h"

#include <rigor/util.h>

#include <stdarg.h>
#include <stdio.h>

static const char* const names[RG_STATUS_COUNT] = {
    [RG_OK] = "ok",
    [RG_ERROR_INPUT] = "input",
    [RG_ERROR_MEMORY] = "memory",
    [RG_ERROR_IO] = "io",
    [RG_ERROR_NOT_FOUND] = "not-found",
    [RG_ERROR_UNSUPPORTED] = "unsupported",
    [RG_NOT_CONVERGED] = "not-converged",
    [RG_CANCELLED] = "cancelled",
    [RG_NO_SOLUTION] = "no-solution",
};

const char* rg_status_name(rgStatus status) {
  return (unsigned)status < RG_STATUS_COUNT ? names[status] : "unknown";
}

const char* rg_version(void) { return RIGOR_VERSION; }

rgStatus rg_fail(rgMessage* message, rgStatus status, const char* format, ...) {
  if (message) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text, sizeof message->text, format, arguments);
    va_end(arguments);
    rg_utf8_clean(message->text); // what it quotes may come from anywhere
  }
  return status;
}
