// scene_reference.c - docs/scene.md and docs/scene.schema.json.
#include "io/scene/scene_types.h"

static const char introduction[] =
    "# Scene files\n"
    "\n"
    "<!-- Generated from the tables of the program by `rigor list scene`. Do not edit. -->\n"
    "\n"
    "A scene is one JSON object (RFC 8259) that describes bodies, materials, joints, forces and "
    "how\n"
    "to simulate them. `rigor check FILE` reports errors and suspicious values, `rigor run FILE`\n"
    "simulates the scene, and editors with JSON Schema support complete and check its keys with\n"
    "`scene.schema.json`.\n"
    "\n"
    "```json\n"
    "{\n"
    "  \"rigor\": 1,\n"
    "  \"title\": \"A ball meets a stack\",\n"
    "  \"time\": 3,\n"
    "  \"options\": {\"step\": 0.002},\n"
    "  \"materials\": [\n"
    "    {\"name\": \"wood\", \"mu\": 0.4},\n"
    "    {\"name\": \"rubber\", \"mu\": 0.9, \"restitution\": 0.7}\n"
    "  ],\n"
    "  \"bodies\": [\n"
    "    {\n"
    "      \"name\": \"floor\",\n"
    "      \"kind\": \"static\",\n"
    "      \"shapes\": [{\"shape\": \"halfspace\", \"material\": \"wood\"}]\n"
    "    },\n"
    "    {\n"
    "      \"name\": \"box\",\n"
    "      \"position\": [0, 0, 0.1],\n"
    "      \"shapes\": [{\"shape\": \"box\", \"half\": [0.1, 0.1, 0.1], \"material\": \"wood\"}],\n"
    "      \"repeat\": {\"count\": [1, 1, 5], \"spacing\": [0, 0, 0.2]}\n"
    "    },\n"
    "    {\n"
    "      \"name\": \"ball\",\n"
    "      \"position\": [-2, 0, 0.7],\n"
    "      \"velocity\": [6, 0, 1],\n"
    "      \"mass\": 2,\n"
    "      \"shapes\": [{\"shape\": \"sphere\", \"radius\": 0.12, \"material\": \"rubber\"}]\n"
    "    }\n"
    "  ]\n"
    "}\n"
    "```\n"
    "\n"
    "Units are SI: metres, kilograms, seconds, newtons, radians. The simulation contains no\n"
    "built-in length, mass or time, so a scene in other consistent units (gravity, densities and\n"
    "options included) moves in the same way.\n"
    "\n"
    "- **Frames.** z points up by default (gravity). Positions and orientations are those of\n"
    "  the body's frame; its centre of mass may be elsewhere. Velocities are those of the\n"
    "  centre of mass, in world axes.\n"
    "- **Orientation.** A unit quaternion `[w, x, y, z]` that rotates body axes into world\n"
    "  axes, or `{\"axis\": [0, 0, 1], \"degrees\": 30}`.\n"
    "- **Strict.** Unknown or duplicate keys, comments, trailing commas, unknown names and\n"
    "  numbers out of range are errors, reported with file, line, column and path.\n"
    "- **Files.** The path of a hull's or mesh's OFF file is relative to the scene file; numbers\n"
    "  in it have the syntax of JSON.\n"
    "\n"
    "## Presets\n"
    "\n"
    "| preset | summary |\n"
    "| --- | --- |\n";

size_t rg_scene_reference(char* text, size_t capacity) {
  rgText out = {.text = text, .capacity = capacity};
  rg_text_add(&out, introduction);
  for (int i = 0; rg_preset_name(i); i++)
    rg_text_format(&out, "| `%s` | %s |\n", rg_preset_name(i), rg_preset_summary(i));
  rg_text_add(&out, "\n## Shapes\n\n| shape | summary |\n| --- | --- |\n");
  for (int i = 0; i < RG_SHAPE_KIND_COUNT; i++)
    rg_text_format(&out, "| `%s` | %s |\n", rg_shape_kind_name((rgShapeKind)i),
                   rg_shape_kind_summary((rgShapeKind)i));
  rg_text_add(&out, "\n## Objects\n");
  rg_schema_reference(&out, &rg_scene_object);
  return rg_text_end(&out);
}

size_t rg_scene_schema(char* text, size_t capacity) {
  rgText out = {.text = text, .capacity = capacity};
  rg_schema_json(&out, &rg_scene_object, "Rigor scene");
  return rg_text_end(&out);
}
