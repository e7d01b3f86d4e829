// world.c - a page's scene and world: made from text, stepped, with options by name.
#include "wasm/page.h"

#include "cli/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void close_world(Page* page) {
  rg_world_destroy(page->world);
  rg_scene_free(page->scene);
  page->world = NULL;
  page->scene = NULL;
  page->attractor = page->spring = (rgForceId){0};
}

// Until a scene is opened there is one without bodies: every call finds a world.
PAGE_EXPORT(page_create) Page* page_create(void) {
  static const char EMPTY[] = "{\"rigor\": 1, \"bodies\": []}";
  Page* page = calloc(1, sizeof *page);
  if (page && !page_open(page, EMPTY, (int)sizeof EMPTY - 1, "empty.json")) {
    free(page);
    return NULL;
  }
  return page;
}

PAGE_EXPORT(page_destroy) void page_destroy(Page* page) {
  close_world(page);
  free(page->numbers);
  free(page->shapes);
  free(page);
}

PAGE_EXPORT(page_allocate) void* page_allocate(int size) { return malloc((size_t)size); }
PAGE_EXPORT(page_release) void page_release(void* memory) { free(memory); }

PAGE_EXPORT(page_message) const char* page_message(const Page* page) { return page->message.text; }

PAGE_EXPORT(page_title) const char* page_title(const Page* page) {
  return rg_scene_title(page->scene);
}

double* page_room(Page* page, int count) {
  if (count > page->numbers_capacity || !page->numbers) { // none are asked for in an empty scene
    count = count > 0 ? count : 1;
    double* more = realloc(page->numbers, (size_t)count * sizeof *more);
    if (!more) {
      cli_fail(&page->message, RG_ERROR_MEMORY, "not enough memory");
      return NULL;
    }
    page->numbers = more;
    page->numbers_capacity = count;
  }
  return page->numbers;
}

rgBodyId page_body(const Page* page, int index) {
  int low = 0, high = rg_world_body_count(page->world); // bodies are listed by their index
  while (low < high) {
    int middle = (low + high) / 2;
    if ((int)rg_world_body(page->world, middle).index < index)
      low = middle + 1;
    else
      high = middle;
  }
  rgBodyId found = rg_world_body(page->world, low);
  return found.generation && (int)found.index == index ? found : (rgBodyId){0, 0};
}

bool page_note(Page* page, rgStatus status) {
  if (status != RG_OK)
    snprintf(page->message.text, sizeof page->message.text, "%s", rg_world_message(page->world));
  return status == RG_OK;
}

// The new scene takes the place of the old one only when it is good.
PAGE_EXPORT(page_open)
bool page_open(Page* page, const char* text, int length, const char* name) {
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  rgStatus status = rg_scene_parse(text, (size_t)length, name, &scene, &page->message);
  if (status == RG_OK) {
    rg_scene_options(scene)->threads = 1;
    status = rg_scene_build(scene, NULL, &world, &page->message);
  }
  if (status != RG_OK) {
    rg_scene_free(scene);
    return false;
  }
  close_world(page);
  page->scene = scene;
  page->world = world;
  page->message.text[0] = '\0';
  return true;
}

PAGE_EXPORT(page_step) bool page_step(Page* page, int count) {
  for (int i = 0; i < count; ++i)
    if (!page_note(page, rg_world_step(page->world, NULL)))
      return false;
  return true;
}

PAGE_EXPORT(page_hash) const char* page_hash(Page* page) {
  unsigned long long hash = rg_world_hash(page->world);
  snprintf(page->text, sizeof page->text, "%016llx", hash);
  return page->text;
}

PAGE_EXPORT(page_option_name) const char* page_option_name(int index) {
  const rgOption* option = rg_option(index);
  return option ? option->name : NULL;
}

PAGE_EXPORT(page_option_help) const char* page_option_help(int index) {
  const rgOption* option = rg_option(index);
  return option ? option->help : NULL;
}

PAGE_EXPORT(page_option_choice) const char* page_option_choice(int index, int choice) {
  const rgOption* option = rg_option(index);
  return option && option->names ? option->names(choice) : NULL;
}

PAGE_EXPORT(page_option_value) const char* page_option_value(Page* page, int index) {
  const rgOption* option = rg_option(index);
  if (!option)
    return NULL;
  cli_setting_show(option, rg_world_options(page->world), page->text, sizeof page->text);
  return page->text;
}

// A message about an option begins with its flag, which the page does not have: its name comes there.
static void name_option(Page* page, const rgOption* option) {
  char text[sizeof page->message.text];
  snprintf(text, sizeof text, "%s", page->message.text);
  size_t length = strlen(option->name);
  if (strncmp(text, "--", 2) == 0 && strlen(text) > length + 2)
    snprintf(page->message.text, sizeof text, "%s%s", option->name, text + 2 + length);
  for (char* c = page->message.text; *c && *c != ' '; ++c)
    if (*c == '_')
      *c = ' ';
}

PAGE_EXPORT(page_set_option)
bool page_set_option(Page* page, const char* name, const char* value) {
  int index;
  const rgOption* option = cli_setting_find(name, &index);
  if (!option) {
    cli_fail(&page->message, RG_ERROR_NOT_FOUND, "there is no option '%s'", name);
    return false;
  }
  rgOptions options = *rg_world_options(page->world);
  if (!cli_setting_parse(option, value, &options, &page->message)) {
    name_option(page, option);
    return false;
  }
  return page_note(page, rg_world_set_options(page->world, &options));
}

PAGE_EXPORT(page_preset) const char* page_preset(int index) { return rg_preset_name(index); }

PAGE_EXPORT(page_set_preset) bool page_set_preset(Page* page, const char* name) {
  rgOptions options = *rg_world_options(page->world);
  if (!cli_settings_preset(name, &options)) {
    cli_fail(&page->message, RG_ERROR_NOT_FOUND, "there is no preset '%s'", name);
    return false;
  }
  return page_note(page, rg_world_set_options(page->world, &options));
}
