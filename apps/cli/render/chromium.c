// chromium.c - Chromium without a window, told what to do over a pipe.
//
// The DevTools protocol over a pipe (--remote-debugging-pipe): the browser reads calls from its file
// descriptor 3 and writes answers to 4, each a JSON object that ends with a zero byte. An answer begins
// with the number of its call; all else that comes are events, which are passed over.
#include "cli/render/chromium.h"

#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/text/json.h"
#include "cli/text/text.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double PATIENCE = 120; // [s] a machine that others use may stand still for a minute
static const double FAREWELL = 5;   // [s] in which the browser ends by itself

// -------------------------------------------------------------------------------------------------
// Messages
// -------------------------------------------------------------------------------------------------

static rgStatus fail_ended(const CliChromium* browser, rgMessage* message) {
  char last[CLI_TEXT_MAX / 2];
  cli_program_last(browser->log, last, sizeof last);
  return cli_fail(message, RG_ERROR_IO, "Chromium ended unexpectedly%s%s", last[0] ? ": " : "",
                  last);
}

static rgStatus send_text(CliChromium* browser, const char* text, size_t size, rgMessage* message) {
  while (size > 0) {
    ssize_t sent = write(browser->program.to, text, size);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return fail_ended(browser, message);
    text += sent;
    size -= (size_t)sent;
  }
  return RG_OK;
}

static bool make_room(CliChromium* browser) {
  enum { PIECE = 1 << 16 };
  if (browser->capacity - browser->used >= PIECE)
    return true;
  size_t capacity = 2 * browser->capacity + PIECE;
  char* buffer = realloc(browser->buffer, capacity);
  if (!buffer)
    return false;
  browser->buffer = buffer;
  browser->capacity = capacity;
  return true;
}

// Reads what has come, waiting a little.
static rgStatus receive(CliChromium* browser, rgMessage* message) {
  struct pollfd wanted = {.fd = browser->program.from, .events = POLLIN};
  if (!make_room(browser))
    return cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  if (poll(&wanted, 1, 100) <= 0)
    return RG_OK;
  ssize_t got = read(browser->program.from, browser->buffer + browser->used,
                     browser->capacity - browser->used);
  if (got < 0 && errno == EINTR)
    return RG_OK;
  if (got <= 0)
    return fail_ended(browser, message);
  browser->used += (size_t)got;
  return RG_OK;
}

// The first message that is whole, or NULL.
static char* first_message(const CliChromium* browser) {
  return browser->used > 0 && memchr(browser->buffer, '\0', browser->used) ? browser->buffer : NULL;
}

static void drop_message(CliChromium* browser) {
  size_t length = strlen(browser->buffer) + 1;
  browser->used -= length;
  memmove(browser->buffer, browser->buffer + length, browser->used);
}

// Waits for the answer to the last call, which is then the first message.
static rgStatus await(CliChromium* browser, rgMessage* message) {
  char start[32];
  int length = snprintf(start, sizeof start, "{\"id\":%d,", browser->calls);
  double begun = cli_wall_clock();
  for (;;) {
    const char* text;
    while ((text = first_message(browser))) {
      if (strncmp(text, start, (size_t)length) == 0)
        return RG_OK;
      drop_message(browser);
    }
    rgStatus status = receive(browser, message);
    if (status != RG_OK)
      return status;
    if (cli_interrupted())
      return cli_fail(message, RG_ERROR_IO, "interrupted");
    if (cli_wall_clock() - begun > PATIENCE)
      return cli_fail(message, RG_ERROR_IO, "Chromium does not answer");
  }
}

// The text of the first member with that name in the answer; NULL when there is none. To be freed.
static char* text_in(const char* answer, const char* name) {
  char key[64];
  int length = snprintf(key, sizeof key, "\"%s\":\"", name);
  const char* at = strstr(answer, key);
  if (!at)
    return NULL;
  at += length;
  size_t end = 0, used = 0;
  while (at[end] && at[end] != '"')
    end += at[end] == '\\' && at[end + 1] ? 2 : 1;
  char* text = malloc(end + 1);
  for (size_t i = 0; text && i < end; ++i) {
    bool escaped = at[i] == '\\' && i + 1 < end;
    i += escaped;
    text[used++] = escaped && at[i] == 'n' ? '\n' : at[i];
  }
  if (text)
    text[used] = '\0';
  return text;
}

// Calls a method; the answer is the first message then.
static rgStatus call(CliChromium* browser, const char* method, const char* parameters,
                     rgMessage* message) {
  char* text = NULL;
  size_t size = 0;
  FILE* stream = open_memstream(&text, &size);
  if (!stream)
    return cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  if (first_message(browser))
    drop_message(browser); // the last answer
  fprintf(stream, "{\"id\":%d,\"method\":\"%s\",\"params\":%s", ++browser->calls, method,
          parameters);
  if (browser->session[0])
    fprintf(stream, ",\"sessionId\":\"%s\"", browser->session);
  fputc('}', stream);
  rgStatus status = fclose(stream) == 0 ? send_text(browser, text, size + 1, message)
                                        : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  free(text);
  if (status == RG_OK)
    status = await(browser, message);
  if (status != RG_OK || !strstr(browser->buffer, "\"error\":{\"code\""))
    return status;
  char* why = text_in(browser->buffer, "message");
  status = cli_fail(message, RG_ERROR_IO, "Chromium refuses %s: %s", method, why ? why : "");
  free(why);
  return status;
}

// A method whose last parameter is a text; `start` has what comes before it.
static rgStatus call_with_text(CliChromium* browser, const char* method, const char* start,
                               const char* text, rgMessage* message) {
  char* parameters = NULL;
  size_t size = 0;
  FILE* stream = open_memstream(&parameters, &size);
  if (!stream)
    return cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  fputs(start, stream);
  cli_json_string(stream, text, false);
  fputc('}', stream);
  rgStatus status = fclose(stream) == 0 ? call(browser, method, parameters, message)
                                        : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  free(parameters);
  return status;
}

rgStatus cli_chromium_ask(CliChromium* browser, const char* expression, char** text,
                          rgMessage* message) {
  *text = NULL;
  rgStatus status = call_with_text(
      browser, "Runtime.evaluate",
      "{\"awaitPromise\":true,\"returnByValue\":true,\"expression\":", expression, message);
  if (status != RG_OK)
    return status;
  if (strstr(browser->buffer, "\"exceptionDetails\"")) {
    char* why = text_in(browser->buffer, "description");
    status = cli_fail(message, RG_ERROR_IO, "the page failed: %s", why ? why : browser->buffer);
    free(why);
    return status;
  }
  *text = text_in(browser->buffer, "value");
  return *text ? RG_OK : cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
}

// -------------------------------------------------------------------------------------------------
// The browser
// -------------------------------------------------------------------------------------------------

// As root Chromium has no sandbox; the page is our own. Drawn by the processor, so that pictures are the
// same on every machine.
rgStatus cli_chromium_start(CliChromium* browser, const char* program, const char* folder,
                            rgMessage* message) {
  *browser = (CliChromium){.program = {0, -1, -1}};
  char profile[CLI_PATH_MAX + 32];
  snprintf(profile, sizeof profile, "--user-data-dir=%s/profile", folder);
  snprintf(browser->log, sizeof browser->log, "%.4000s/chromium.log", folder);
  const char* arguments[] = {program,
                             "--headless",
                             "--remote-debugging-pipe",
                             profile,
                             "--use-angle=swiftshader",
                             "--enable-unsafe-swiftshader",
                             "--no-first-run",
                             "--no-default-browser-check",
                             "--disable-extensions",
                             "--disable-background-networking",
                             "--disable-dev-shm-usage",
                             "--hide-scrollbars",
                             "--mute-audio",
                             geteuid() == 0 ? "--no-sandbox" : NULL,
                             NULL};
  return cli_program_start(&browser->program, (char* const*)(void*)arguments, 3, 4, browser->log,
                           message);
}

static rgStatus attach(CliChromium* browser, rgMessage* message) {
  rgStatus status = call(browser, "Target.createTarget", "{\"url\":\"about:blank\"}", message);
  char* target = status == RG_OK ? text_in(browser->buffer, "targetId") : NULL;
  char parameters[256];
  snprintf(parameters, sizeof parameters, "{\"targetId\":\"%.160s\",\"flatten\":true}",
           target ? target : "");
  free(target);
  if (status == RG_OK)
    status = call(browser, "Target.attachToTarget", parameters, message);
  char* session = status == RG_OK ? text_in(browser->buffer, "sessionId") : NULL;
  snprintf(browser->session, sizeof browser->session, "%s", session ? session : "");
  free(session);
  return status;
}

static void url_of(const char* path, char* url, size_t size) {
  static const char plain[] = "/-_.~ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  size_t used = (size_t)snprintf(url, size, "file://");
  for (; *path && used + 4 < size; ++path)
    used += (size_t)snprintf(url + used, size - used, strchr(plain, *path) ? "%c" : "%%%02X",
                             (unsigned char)*path);
}

static rgStatus add_script(CliChromium* browser, const char* script, rgMessage* message) {
  return call_with_text(browser, "Page.addScriptToEvaluateOnNewDocument", "{\"source\":", script,
                        message);
}

rgStatus cli_chromium_open(CliChromium* browser, const char* file, int width, int height,
                           const char* script, rgMessage* message) {
  char url[3 * CLI_PATH_MAX], size[128];
  rgStatus status = attach(browser, message);
  snprintf(size, sizeof size,
           "{\"width\":%d,\"height\":%d,\"deviceScaleFactor\":1,\"mobile\":false}", width, height);
  if (status == RG_OK)
    status = call(browser, "Emulation.setDeviceMetricsOverride", size, message);
  if (status == RG_OK)
    status =
        call(browser, "Emulation.setEmulatedMedia",
             "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"light\"}]}", message);
  if (status == RG_OK)
    status = call(browser, "Page.enable", "{}", message);
  if (status == RG_OK)
    status = add_script(browser, script, message);
  url_of(file, url, sizeof url);
  if (status == RG_OK)
    status = call_with_text(browser, "Page.navigate", "{\"url\":", url, message);
  return status;
}

void cli_chromium_close(CliChromium* browser) {
  static const char farewell[] = "{\"id\":1000000000,\"method\":\"Browser.close\"}";
  if (browser->program.process > 0 && browser->program.to >= 0) {
    rgMessage ignored;
    if (send_text(browser, farewell, sizeof farewell, &ignored) == RG_OK)
      cli_program_wait(&browser->program, FAREWELL);
  }
  cli_program_end(&browser->program);
  free(browser->buffer);
  browser->buffer = NULL;
}
