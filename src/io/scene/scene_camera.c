// scene_camera.c - how a scene wants to be looked at. Programs that draw read it; the physics does not.
#include "io/scene/scene_types.h"

#include "math/vec.h"

#define AT(member) .offset = offsetof(rgSceneCamera, member)

// clang-format off
static const rgSchemaField fields[] = {
    {.key = "at", .type = RG_FIELD_TUPLE, AT(at), .count = 3, .planar = true, .keep = true, .needed = RG_VARIANT_ALL,
     .unit = "m",
     .help = "the point that the camera looks at: the middle of the picture"},
    {.key = "from", .type = RG_FIELD_TUPLE, AT(from), .count = 3, .keep = true, .unit = "m",
     .help = "position of the camera, in world coordinates; needed in 3D scenes, not allowed in 2D ones. The "
             "angle of view is fixed: to see more, move it away from `at`"},
    {.key = "height", .type = RG_FIELD_REAL, AT(height), .range = &rg_range_positive, .keep = true, .unit = "m",
     .help = "length along y that fits into the height of the picture, at least; needed in 2D scenes, not allowed "
             "in 3D ones. To see more, make it larger"},
};
// clang-format on

static void defaults(void* item, const void* context) {
  (void)context;
  ((rgSceneCamera*)item)->height = 1;
}

static bool finish(rgReader* reader, const rgJsonNode* node, void* item) {
  const rgSceneCamera* camera = item;
  const char *wanted = reader->planar ? "height" : "from",
             *other = reader->planar ? "from" : "height";
  int dimension = reader->planar ? 2 : 3;
  if (rg_json_member(node, other))
    return rg_reader_fail(reader, node, "has \"%s\", must have \"%s\" in a scene of dimension %d",
                          other, wanted, dimension);
  if (!rg_json_member(node, wanted))
    return rg_reader_fail(reader, node, "has no \"%s\"; a scene of dimension %d needs it", wanted,
                          dimension);
  if (!reader->planar && v3_norm(v3_sub(camera->from, camera->at)) == 0)
    return rg_reader_fail(reader, node, "has \"from\" equal to \"at\", must look somewhere");
  return true;
}

const rgSchemaObject rg_scene_camera_object = {
    .name = "camera",
    .label = "a camera",
    .size = sizeof(rgSceneCamera),
    .head = true,
    .fields = fields,
    .field_count = (int)(sizeof fields / sizeof *fields),
    .defaults = defaults,
    .finish = finish,
    .help = "How the browser page looks at the scene when it is opened. Without it, the page finds "
            "a place "
            "from which it sees all that moves. The simulation does not depend on it.",
};
