// old.c - models as MuJoCo 2.2.2 reads them.
//
// Debian's MuJoCo is older than some of the models. Everything that this leaves out has no part in
// mass, place or joints: looks, sizes of memory, settings of newer solvers. Two things have, and are
// said in docs/bench.md: `dampratio` of servos, and geoms whose mesh is missing.
#include "bench/robots/old.h"

#include "io/text/xml.h"
#include "math/vec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Writer {
  FILE* out;
  rgPool pool;
  char folder[2048];      // of the model, with its slash
  char mesh_folder[4096]; // absolute, with its slash
  char suffix[64], prefix[64];
  const char* key;
  rgXmlElement *root, *attached;
  rgMessage message;
  bool bare, failed;
} Writer;

static bool is(const rgXmlElement* e, const char* name) { return strcmp(e->name, name) == 0; }

static bool among(const char* word, const char* list) {
  size_t length = strlen(word);
  for (const char* at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
      return true;
  return false;
}

static const char* text_of(const rgXmlElement* e, const char* name) {
  const rgXmlAttribute* a = rg_xml_attribute(e, name);
  return a ? a->value : "";
}

static rgXmlElement* parse_file(Writer* w, const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", w->folder, name);
  FILE* file = fopen(path, "rb");
  rgXmlElement* root = NULL;
  if (!file) {
    snprintf(w->message.text, sizeof w->message.text, "cannot read %.400s", path);
  } else {
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char* text = malloc((size_t)length + 1);
    if (text && fread(text, 1, (size_t)length, file) == (size_t)length)
      rg_xml_parse(text, (size_t)length, rg_pool_text(&w->pool, path), &w->pool, &root,
                   &w->message);
    free(text);
    fclose(file);
  }
  w->failed = w->failed || !root;
  return root;
}

static void expand(Writer* w, rgXmlElement* element) {
  rgXmlElement** link = &element->child;
  while (*link && !w->failed) {
    rgXmlElement* e = *link;
    if (!is(e, "include")) {
      expand(w, e);
      link = &e->next;
      continue;
    }
    rgXmlElement* root = parse_file(w, text_of(e, "file"));
    if (!root)
      return;
    rgXmlElement** end = link;
    *link = root->child;
    for (; *end; end = &(*end)->next)
      (*end)->parent = e->parent;
    *end = e->next;
  }
}

static bool missing_mesh(const Writer* w, const rgXmlElement* mesh) {
  char path[8192];
  snprintf(path, sizeof path, "%s%s", w->mesh_folder, text_of(mesh, "file"));
  return text_of(mesh, "file")[0] && access(path, R_OK) != 0;
}

static bool shows_missing(const Writer* w, const rgXmlElement* geom) {
  const char* name = text_of(geom, "mesh");
  for (const rgXmlElement* s = w->root->child; s && name[0]; s = s->next)
    for (const rgXmlElement* e = is(s, "asset") ? s->child : NULL; e; e = e->next) {
      const char* file = strrchr(text_of(e, "file"), '/');
      file = file ? file + 1 : text_of(e, "file");
      size_t stem = strcspn(file, ".");
      bool named = strcmp(text_of(e, "name"), name) == 0 ||
                   (!text_of(e, "name")[0] && strlen(name) == stem && !strncmp(file, name, stem));
      if (is(e, "mesh") && named)
        return missing_mesh(w, e);
    }
  return false;
}

static const char dropped_elements[] =
    "texture material light camera visual statistic size sensor custom model skin";
static const char dropped_attributes[] =
    "material rgba user ls_iterations memory assetdir dampratio inheritrange discardvisual "
    "eulerdamp "
    "texturedir integrator meshdir iterations solver autoreset";
static const char name_attributes[] =
    "name joint body1 body2 geom1 geom2 joint1 joint2 site tendon actuator";

static void write_attributes(Writer* w, const rgXmlElement* e, bool placed) {
  bool inside = w->suffix[0] || w->prefix[0];
  for (int i = 0; i < e->attribute_count; i++) {
    const rgXmlAttribute* a = &e->attributes[i];
    if (w->bare && among(a->name, "range limited frictionloss forcerange forcelimited"))
      continue;
    if (among(a->name, dropped_attributes) || (placed && among(a->name, "pos quat euler")))
      continue;
    bool renamed = inside && among(a->name, name_attributes);
    fprintf(w->out, " %s=\"%s%s%s\"", a->name, renamed ? w->prefix : "", a->value,
            renamed ? w->suffix : "");
  }
}

static rgPose pose_of(const rgXmlElement* e) {
  rgPose pose = pose_identity();
  double a[3];
  if (sscanf(text_of(e, "pos"), "%lf %lf %lf", &a[0], &a[1], &a[2]) == 3)
    pose.position = v3(a[0], a[1], a[2]);
  if (sscanf(text_of(e, "euler"), "%lf %lf %lf", &a[0], &a[1], &a[2]) == 3)
    for (int i = 0; i < 3; i++) {
      double half = a[i] * acos(-1.0) / 360;
      rgQuat turn = {cos(half), i == 0 ? sin(half) : 0, i == 1 ? sin(half) : 0,
                     i == 2 ? sin(half) : 0};
      pose.orientation = quat_mul(pose.orientation, turn);
    }
  return pose;
}

static void write_children(Writer* w, const rgXmlElement* e, const rgPose* frame);

static void write_element(Writer* w, const rgXmlElement* e, const rgPose* frame) {
  bool drop = among(e->name, dropped_elements) || (is(e, "mesh") && missing_mesh(w, e)) ||
              (is(e, "geom") && shows_missing(w, e)) || (is(e, "keyframe") && w->key) ||
              is(e, "flag") || (w->bare && among(e->name, "equality contact keyframe"));
  if (drop)
    return;
  bool placed = frame && is(e, "body");
  fprintf(w->out, "<%s", e->name);
  write_attributes(w, e, placed);
  if (placed) {
    rgPose pose = pose_mul(*frame, pose_of(e));
    fprintf(w->out, " pos=\"%.17g %.17g %.17g\" quat=\"%.17g %.17g %.17g %.17g\"", pose.position.x,
            pose.position.y, pose.position.z, pose.orientation.w, pose.orientation.x,
            pose.orientation.y, pose.orientation.z);
  }
  fprintf(w->out, ">");
  write_children(w, e, NULL);
  fprintf(w->out, "</%s>\n", e->name);
}

static const rgXmlElement* find_body(const rgXmlElement* element, const char* name) {
  for (const rgXmlElement* e = element->child; e; e = e->next)
    if (is(e, "body") && strcmp(text_of(e, "name"), name) == 0)
      return e;
  return NULL;
}

static void write_attached(Writer* w, const rgXmlElement* e, const rgPose* frame) {
  for (const rgXmlElement* s = w->root->child; s && !w->attached; s = s->next)
    for (const rgXmlElement* a = is(s, "asset") ? s->child : NULL; a; a = a->next)
      if (is(a, "model"))
        w->attached = parse_file(w, text_of(a, "file"));
  const rgXmlElement* worldbody = w->attached ? rg_xml_child(w->attached, "worldbody") : NULL;
  const rgXmlElement* body = worldbody ? find_body(worldbody, text_of(e, "body")) : NULL;
  if (!body)
    return;
  snprintf(w->prefix, sizeof w->prefix, "%s", text_of(e, "prefix"));
  write_element(w, body, frame);
  w->prefix[0] = 0;
}

static void write_copies(Writer* w, const rgXmlElement* e, rgPose frame, bool sections) {
  int count = atoi(text_of(e, "count"));
  rgPose step = pose_of(e);
  for (int i = 0; i < count; i++) {
    snprintf(w->suffix, sizeof w->suffix, "%s%0*d", text_of(e, "sep"),
             snprintf(NULL, 0, "%d", count), i);
    if (!sections)
      write_children(w, e, &frame);
    for (const rgXmlElement* s = sections && w->attached ? w->attached->child : NULL; s;
         s = s->next) {
      snprintf(w->prefix, sizeof w->prefix, "_");
      if (among(s->name, "contact tendon actuator equality"))
        write_element(w, s, NULL);
    }
    w->prefix[0] = 0;
    frame = pose_mul(frame, step);
  }
  w->suffix[0] = 0;
}

static void write_children(Writer* w, const rgXmlElement* e, const rgPose* frame) {
  for (const rgXmlElement* c = e->child; c; c = c->next) {
    rgPose at = frame ? *frame : pose_identity();
    if (is(c, "replicate")) {
      write_copies(w, c, at, false);
    } else if (is(c, "attach")) {
      write_attached(w, c, &at);
    } else if (is(c, "frame") && !is(e, "default")) {
      at = pose_mul(at, pose_of(c));
      write_children(w, c, &at);
    } else {
      write_element(w, c, frame);
    }
  }
}

// Classes, and what refers to names, of a model that is attached in copies.
static void write_rest_of_attached(Writer* w) {
  for (const rgXmlElement* s = w->attached->child; s; s = s->next)
    if (is(s, "default"))
      write_element(w, s, NULL);
  for (const rgXmlElement* s = w->root->child; s; s = s->next)
    for (const rgXmlElement* c = is(s, "worldbody") ? s->child : NULL; c; c = c->next)
      if (is(c, "replicate") && rg_xml_child(c, "frame"))
        write_copies(w, c, pose_identity(), true);
}

static void find_mesh_folder(Writer* w) {
  const char* folder = "";
  for (const rgXmlElement* e = w->root->child; e; e = e->next)
    if (is(e, "compiler"))
      folder = text_of(e, "meshdir")[0]    ? text_of(e, "meshdir")
               : text_of(e, "assetdir")[0] ? text_of(e, "assetdir")
                                           : folder;
  snprintf(w->mesh_folder, sizeof w->mesh_folder, "%s%s%s", w->folder, folder,
           folder[0] ? "/" : "");
}

static void write_model(Writer* w, const char* name) {
  w->root = parse_file(w, name);
  if (!w->root)
    return;
  expand(w, w->root);
  find_mesh_folder(w);
  fprintf(w->out, "<mujoco>\n<size nconmax=\"1000\" njmax=\"3000\"/>\n");
  write_children(w, w->root, NULL);
  fprintf(w->out, "<compiler meshdir=\"%s\" autolimits=\"true\" exactmeshinertia=\"true\"/>\n",
          w->mesh_folder);
  if (w->attached)
    write_rest_of_attached(w);
  if (w->bare)
    fprintf(w->out, "<option><flag contact=\"disable\"/></option>\n");
  if (w->key)
    fprintf(w->out, "<keyframe>%s</keyframe>\n", w->key);
  fprintf(w->out, "</mujoco>\n");
}

bool old_write(const char* path, const char* to, const char* key, bool bare, char* message,
               size_t size) {
  Writer w = {
      .out = fopen(to, "w"), .pool = {rg_allocator_default(), NULL}, .key = key, .bare = bare};
  const char* slash = strrchr(path, '/');
  snprintf(w.folder, sizeof w.folder, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
  if (!w.out) {
    snprintf(message, size, "cannot write %s", to);
    return false;
  }
  write_model(&w, slash ? slash + 1 : path);
  fclose(w.out);
  rg_pool_free(&w.pool);
  snprintf(message, size, "%s", w.message.text);
  return !w.failed;
}

// Bodies are numbered as MuJoCo does: each before its children, the world being 0.
static bool read_stated(const rgXmlElement* e, Stated* stated, int count, int* body) {
  for (const rgXmlElement* c = e->child; c; c = c->next) {
    if (!is(c, "body"))
      continue;
    if (++*body >= count)
      return false;
    Stated* own = &stated[*body];
    double* v = own->values;
    const rgXmlElement* inertial = rg_xml_child(c, "inertial");
    own->mass = inertial != NULL;
    own->full = inertial && sscanf(text_of(inertial, "fullinertia"), "%lf %lf %lf %lf %lf %lf",
                                   &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]) == 6;
    if (!read_stated(c, stated, count, body))
      return false;
  }
  return true;
}

bool old_stated_masses(const char* file, Stated* stated, int count) {
  Writer w = {.pool = {rg_allocator_default(), NULL}};
  int body = 0;
  rgXmlElement* root = parse_file(&w, file);
  for (const rgXmlElement* s = root ? root->child : NULL; s; s = s->next)
    if (is(s, "worldbody") && !read_stated(s, stated, count, &body))
      w.failed = true;
  rg_pool_free(&w.pool);
  return !w.failed && body == count - 1;
}
