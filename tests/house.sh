#!/usr/bin/env bash
# tests/house.sh [ROOT]: limits of size, and names that lead to their module.
#
#   - A struct of the library (src/, include/) has at most 40 members; RG_ARRAY(type, name) is two, a
#     nested struct or union with a name is one, the members of one without a name count each.
#   - A folder of src/, include/ or apps/ holds at most 25 files.
#   - A function of src/ or apps/ has at most 60 lines, from its opening to its closing brace.
#   - A function of src/ that other files can call is named after the place where it is defined:
#     rg_<place>_..., where the place is the module's folder, the folder inside it, or the file: its
#     name, in the singular or the plural, or its first words (cpg of cpg_model.c). The name of another
#     module is no such place, so that rg_joint_... leads to joint and nowhere else, but for functions
#     of the public headers, which are named after their object. Other exceptions are in the tables
#     below. A word of the table WORDS leads to one folder: no function outside it begins with that
#     word.
#   - src/ prefetches what it reads by base/prefetch.h, so that the compiler cannot remove it.
#
# Offenders are printed as file:line: reason. Status 0 when there are none.
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"

exec python3 - <<'PYTHON'
import os
import re
import sys

MEMBERS, FILES, LINES = 40, 25, 60
MODULES = sorted(os.listdir("src"))

# Objects of the public interface, and the one module that implements them: rg_<object>_<verb>.
OBJECTS = {
    "allocate": "base", "allocator": "base", "release": "base", "reserve": "base",
    "body": "world", "option": "world", "options": "world", "preset": "world",
    "snapshot": "world",
    "stepper": "step", "stabilizer": "step",
    "solver": "solve", "lcp": "solve",
    "clip": "io", "channel": "io",
    "contact": "problem", "row": "problem", "local": "problem", "stage": "problem",
}
# Things of one folder that are not named after it or their file, each leading to that folder alone:
# rg_<word>_<verb>.
WORDS = [
    ("h5", "io/text"), ("guess", "io/text"),
    ("reader", "io/schema"), ("read", "io/schema"), ("write", "io/schema"), ("range", "io/schema"),
    ("text_matrix", "io/problem"), ("text_vector", "io/problem"), ("text_mixed", "io/problem"),
    ("text_relay", "io/problem"),
    ("triplets", "problem"), ("mass", "problem"), ("direction", "problem"), ("incidence", "problem"),
    ("polygon", "problem"), ("cone", "problem"),
    ("islands", "step"),
    ("name_table", "world/books"), ("contact_links", "world/books"),
]
# Single functions: those without an object, and those whose object lies in another module, because
# only there all they need is known.
FUNCTIONS = {
    "rg_version": "base", "rg_fail": "base", "rg_carve": "base",
    "rg_sin": "math", "rg_cos": "math", "rg_atan2": "math",
    "rg_exp": "math", "rg_log": "math", "rg_pow": "math", "rg_gamma": "math",
    "rg_stop_default": "solve", "rg_cone_option_name": "world",
    "rg_world_step": "step", "rg_world_check": "step", "rg_options_combine": "step",
    "rg_world_island_count": "step", "rg_world_island": "step", "rg_world_body_islands": "step",
    "rg_world_stepper": "step", "rg_world_island_report": "step", "rg_world_island_is_plain": "step",
    "rg_world_row_joint": "step",
    "rg_rollout": "articulated", "rg_world_root_count": "articulated", "rg_world_root": "articulated",
    "rg_world_position_count": "articulated", "rg_world_rate_count": "articulated",
    "rg_world_get_configuration": "articulated", "rg_world_set_configuration": "articulated",
    "rg_world_get_controls": "articulated", "rg_world_set_controls": "articulated",
    "rg_world_has_loads": "step", "rg_world_contact_loads": "step", "rg_world_joint_loads": "step",
    "rg_world_body_loads": "step", "rg_body_contact_force": "step",
    "rg_shape_view": "world", "rg_shape_corners": "world", "rg_shape_bounds": "world",
    "rg_force_state": "world", "rg_shape_distance": "world",
    "rg_joint_load": "step", "rg_body_normal_force": "step",
    "rg_world_add_sensor": "sensor", "rg_world_sensor_count": "sensor",
    "rg_world_find_sensor": "sensor", "rg_world_sensor": "sensor",
    "rg_world_sensor_value_count": "sensor", "rg_world_sensor_values": "sensor",
    "rg_world_measure": "sensor",
}


def public_functions():
    names = set()
    for folder, _, files in os.walk("include"):
        for file in files:
            with open(os.path.join(folder, file), encoding="utf-8") as text:
                names.update(re.findall(r"\b(rg_\w+)\s*\(", text.read()))
    return names


PUBLIC = public_functions()


def blank(text):
    """The text without comments, literals and preprocessor lines; every line keeps its number."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group())
    literal = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    text = re.sub(r"//[^\n]*|/\*.*?\*/|" + literal, spaces, text, flags=re.S)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", spaces, text, flags=re.M)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def closing(text, start):
    """Position of the brace that closes the one at `start`."""
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return match.start()
    return len(text)


def outer_blocks(text):
    """(what stands before it, position of {, position of }) of each block of the file itself."""
    at = begin = 0
    while (start := text.find("{", at)) >= 0:
        end = closing(text, start)
        head = re.split(r"[;}]", text[begin:start])[-1]
        if re.fullmatch(r"\s*extern\s*", head):  # extern "C" {
            at = begin = start + 1
            continue
        yield head, start, end
        at = begin = end + 1


def function_name(head):
    """Name of the function that `head` opens, or None."""
    head = re.sub(r"__attribute__\s*\(\(.*?\)\)|_Alignas\s*\([^()]*\)", " ", head)
    match = re.match(r"[\w\s*]*?\b(\w+)\s*\(", head)
    if match is None or not head.rstrip().endswith(")") or "=" in head:
        return None
    return match.group(1)


def top_level(text, separator):
    """Splits at a separator outside all brackets."""
    parts, depth, begin = [], 0, 0
    for i, letter in enumerate(text):
        depth += letter in "({["
        depth -= letter in ")}]"
        if letter == separator and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return parts + [text[begin:]]


def member_count(body):
    count = 0
    for member in top_level(body, ";"):
        member = member.strip()
        if not member or member.startswith("_Static_assert"):
            continue
        nested = re.match(r"(?:const\s+|volatile\s+)*(?:struct|union|enum)\b[^{;]*\{", member)
        if member.startswith("RG_ARRAY"):
            count += 2
        elif nested and closing(member, nested.end() - 1) == len(member) - 1:
            count += member_count(member[nested.end():-1])
        else:
            count += len(top_level(member, ","))
    return count


def struct_name(text, match, end):
    after = re.match(r"\s*(?:__attribute__\s*\(\(.*?\)\)\s*)?\**(\w+)", text[end + 1:])
    return match.group(1) or (after.group(1) if after else "without a name")


def check_structs(path, text):
    for match in re.finditer(r"\b(?:struct|union)\b(?:\s+_Alignas\s*\([^()]*\))?\s*(\w+)?\s*\{", text):
        end = closing(text, match.end() - 1)
        count = member_count(text[match.end():end])
        if count > MEMBERS:
            name = struct_name(text, match, end)
            yield line_of(text, match.start()), f"struct {name} has {count} members, more than {MEMBERS}"


def check_functions(path, text):
    for head, start, end in outer_blocks(text):
        name = function_name(head)
        lines = line_of(text, end) - line_of(text, start) + 1
        if name and lines > LINES:
            yield line_of(text, start), f"{name} has {lines} lines, more than {LINES}"


def begins_with(name, place):
    return name == "rg_" + place or name.startswith("rg_" + place + "_")


def foreign_word(name, folder):
    """(word, its folder) of the table that `name` begins with though it is defined elsewhere."""
    for word, home in WORDS:
        if begins_with(name, word) and folder != home and FUNCTIONS.get(name) != folder.split("/")[0]:
            return word, home
    return None


def leads_home(name, path):
    parts = path.split("/")[1:]
    module, stem, folder = parts[0], parts[-1].rsplit(".", 1)[0], "/".join(parts[:-1])
    if FUNCTIONS.get(name) == module:
        return True
    words = stem.split("_")
    first_words = ["_".join(words[:i]) for i in range(1, len(words))]
    places = parts[:-1] + [stem, stem + "s", stem.removesuffix("s")] + first_words
    places = [place for place in places if name in PUBLIC or place == module or place not in MODULES]
    places += [word for word, home in OBJECTS.items() if home == module]
    places += [word for word, home in WORDS if home == folder]
    return any(begins_with(name, place) for place in places)


def check_names(path, text):
    folder = "/".join(path.split("/")[1:-1])
    for head, start, end in outer_blocks(text):
        name = function_name(head)
        if name is None:
            continue
        foreign = foreign_word(name, folder)
        called_elsewhere = not re.search(r"\bstatic\b|INLINE\b", head)
        if foreign:
            yield line_of(text, start), f"{name}: rg_{foreign[0]}_ leads to src/{foreign[1]}, not here"
        elif called_elsewhere and not leads_home(name, path):
            yield line_of(text, start), f"{name} does not lead to {path}"
        used.update(word for word, home in WORDS if home == folder and begins_with(name, word))


def check_prefetches(path, text):
    """Prefetches for writing stand in loops that do more, which no compiler removes."""
    for match in re.finditer(r"__builtin_prefetch\([^;]*;", text):
        if path != "src/base/prefetch.h" and not match.group().endswith(", 1);"):
            yield line_of(text, match.start()), "a prefetch that may be lost, use rg_prefetch_line"


def check_words():
    """Each word of the table stands there once, is no other place, and is in use."""
    words = [word for word, _ in WORDS]
    for word, home in WORDS:
        if words.count(word) > 1 or word in OBJECTS or word in MODULES:
            yield f"the word {word} leads to more than one place"
        elif not os.path.isdir("src/" + home):
            yield f"the word {word} leads to src/{home}, which is no folder"
        elif word not in used:
            yield f"the word {word} leads to src/{home}, where no function has it"


def files_of(tops):
    for top in tops:
        for folder, folders, names in os.walk(top):
            folders.sort()
            yield folder, sorted(names)


offences, seen, used = 0, 0, set()
for folder, names in files_of(["include", "src", "apps"]):
    if len(names) > FILES:
        print(f"{folder}: {len(names)} files, more than {FILES}")
        offences += 1
    for path in (f"{folder}/{name}" for name in names if name.endswith((".c", ".h"))):
        with open(path, encoding="utf-8") as file:
            text = blank(file.read())
        seen += 1
        found = []
        if not path.startswith("apps/"):
            found += check_structs(path, text)
        if not path.startswith("include/"):
            found += check_functions(path, text)
        if path.startswith("src/"):
            found += check_names(path, text)
            found += check_prefetches(path, text)
        for line, reason in sorted(found):
            print(f"{path}:{line}: {reason}")
        offences += len(found)
for reason in check_words():
    print(f"tests/house.sh: {reason}")
    offences += 1

print(f"{seen} files, {offences} offences")
sys.exit(offences > 0)
PYTHON
