"""Checks the reference of scene files and their schema against each other and against the reader.

scene_docs.py examples SOURCE FOLDER   writes every example of docs/scenes.md, made a whole scene, to FOLDER
scene_docs.py keys SOURCE TAUT         every key of the reader is in page and schema, and no other
scene_docs.py covered SOURCE FOLDER    every key of every object of the schema is in an example
scene_docs.py valid SOURCE FOLDER      the examples agree with the schema
scene_docs.py spoil FOLDER TO          writes spoiled examples, each with one mistake, to TO
scene_docs.py invalid SOURCE FOLDER    the schema refuses every file in FOLDER
"""
import copy
import glob
import json
import os
import re
import subprocess
import sys

SHEET = '{"generator": "sheet", "nx": 17, "ny": 17, "width": 1, "height": 1}'
WRAPPERS = {
    "scene": "%s",
    "base.json": "%s",
    "body": '{"bodies": [%s]}',
    "mesh": '{"bodies": [{"mesh": %s}]}',
    "material": '{"bodies": [{"mesh": ' + SHEET + ', "material": %s}]}',
    "pin": '{"bodies": [{"mesh": ' + SHEET + ', "pins": [%s]}]}',
    "collider": '{"bodies": [], "colliders": [%s]}',
    "attachment": '{"bodies": [{"name": "a", "mesh": ' + SHEET + '}, {"name": "b", "mesh": ' + SHEET + '}], '
                  '"colliders": [{"name": "c", "shape": "plane"}], "attachments": [%s]}',
}

# Well-formed but wrong values: ranges, choices, keys that are missing or do not go together.
WRONG = [
    ("scene", "{}"), ("scene", "[]"), ("scene", '{"bodies": {}}'), ("scene", '{"bodies": [{}]}'),
    ("scene", '{"bodies": [], "fps": 0}'), ("scene", '{"bodies": [], "frames": 2.5}'),
    ("scene", '{"bodies": [], "gravity": [0, -9]}'), ("scene", '{"bodies": [], "origin": [0, 1e10, 0]}'), ("scene", '{"bodies": [], "air_density": -1}'),
    ("scene", '{"bodies": [], "solver": {"substeps": 0}}'), ("scene", '{"bodies": [], "solver": {"steps": 1001}}'),
    ("scene", '{"bodies": [], "unit": "ft"}'), ("scene", '{"bodies": [], "output": ""}'),
    ("scene", '{"bodies": [], "camera": {"eye": [0, 0, 1]}}'), ("scene", '{"bodies": [], "wind": {}}'),
    ("scene", '{"bodies": [], "camera": {"eye": [0, 0, 1], "target": [0, 0, 0], "fov": 180}}'),
    ("scene", '{"bodies": [], "wind": {"velocity": [0, 0, 0], "gust": 2}}'), ("scene", '{"include": []}'),
    ("body", '{"mesh": ' + SHEET + ', "color": "red"}'), ("body", '{"mesh": ' + SHEET + ', "name": "a/b"}'),
    ("body", '{"mesh": ' + SHEET + ', "name": ""}'), ("body", '{"mesh": ' + SHEET + ', "transform": {"scale": 0}}'),
    ("body", '{"mesh": ' + SHEET + ', "transform": {"rotation": [1, 2]}}'),
    ("body", '{"mesh": ' + SHEET + ', "copies": {"count": [2, 1, 1]}}'),
    ("body", '{"mesh": ' + SHEET + ', "copies": {"count": [0, 1, 1], "spacing": [1, 1, 1]}}'),
    ("body", '{"mesh": ' + SHEET + ', "masses": [{"vertex": 0, "mass": 0}]}'),
    ("body", '{"mesh": ' + SHEET + ', "stiffness_scale": [{"all": true, "scale": -1}]}'),
    ("mesh", "{}"), ("mesh", "7"), ("mesh", '{"generator": "cube"}'), ("mesh", '{"generator": "chain", "n": 5}'),
    ("mesh", '{"generator": "chain", "n": 5, "length": 1, "width": 1}'),
    ("mesh", '{"generator": "merge", "parts": []}'),
    ("mesh", '{"generator": "irregular", "nx": 3, "ny": 3, "width": 1, "height": 1, "jitter": 0.5, "seed": 1}'),
    ("material", '{"strain": {"xx": 1.5}}'), ("material", '{"edge": -0.1}'), ("material", '{"tether": "rigid"}'),
    ("material", '{"density": 0}'), ("material", '{"tether_slack": 0.5}'), ("material", '{"preset": "tweed"}'),
    ("material", '{"units": "ratio", "preset": "silk"}'), ("material", '{"bend": {"model": "dihedrl"}}'),
    ("material", '{"units": "physical", "edge": "hard"}'), ("material", '{"strain": {"rest": [1, 0, 1]}}'),
    ("material", '{"elastic": {"poisson": 1}}'), ("material", '{"elastic": {"poisson": -1}}'),
    ("material", '{"elastic": {"young": -1}}'), ("material", '{"elastic": {"stretch": 1}}'),
    ("material", '{"bend": {"stiffness": 2}}'), ("material", '{"damping": {"bend": -2}}'),
    ("pin", "{}"), ("pin", '{"vertex": 0, "all": true}'), ("pin", '{"vertex": -1}'), ("pin", '{"all": false}'),
    ("pin", '{"vertex": 0, "stiffness": 0}'), ("pin", '{"box": {"min": [0, 0, 0]}}'), ("pin", '{"vertices": []}'),
    ("pin", '{"vertex": 0, "keys": []}'), ("pin", '{"vertex": 0, "keys": [{}]}'),
    ("pin", '{"vertex": 0, "keys": [{"time": 0, "scale": 0}]}'), ("pin", '{"vertex": 0, "about": [0, 0, 0]}'),
    ("pin", '{"vertex": 0, "keys": [{"time": 0}], "follow": "walk.pc2"}'), ("pin", '{"vertex": 0, "fps": 25}'),
    ("pin", '{"vertex": 0, "keys": [{"time": 0}], "interpolation": "cubic"}'), ("pin", '{"vertex": 0, "until": 0}'),
    ("collider", "{}"), ("collider", '{"shape": "cube"}'), ("collider", '{"shape": "plane", "radius": 1}'),
    ("collider", '{"shape": "plane", "group": -1}'), ("collider", '{"shape": "plane", "mask": 4294967296}'),
    ("body", '{"mesh": ' + SHEET + ', "group": 0.5}'), ("body", '{"mesh": ' + SHEET + ', "mask": "all"}'),
    ("attachment", '{}'), ("attachment", '{"body": "a", "collider": "c"}'),
    ("attachment", '{"body": "a", "all": true}'), ("attachment", '{"body": "a", "all": true, "to": "b", "collider": "c"}'),
    ("attachment", '{"body": "a", "all": true, "collider": "c", "seam": {"all": true}}'),
    ("attachment", '{"body": "a", "all": true, "to": "b", "seam": {}}'), ("attachment", '{"all": true, "to": "b"}'),
    ("attachment", '{"body": "a", "all": true, "to": "b", "slack": -1}'),
    ("attachment", '{"body": "a", "all": true, "to": "b", "speed": 0}'),
    ("attachment", '{"body": "a", "all": true, "to": "b", "strength": 0}'),
    ("scene", '{"bodies": [], "contacts": [{"body": "a", "to": "b"}]}'), ("scene", '{"bodies": [], "contacts": {}}'),
    ("collider", '{"shape": "sphere", "radius": 1}'), ("collider", '{"shape": "plane", "friction": -1}'),
    ("collider", '{"shape": "capsule", "a": [0, 0, 0], "b": [1, 0, 0], "radius": 0}'),
    ("collider", '{"shape": "box", "center": [0, 0, 0]}'), ("collider", '{"shape": "plane", "thickness": -1}'),
    ("collider", '{"shape": "box", "center": [0, 0, 0], "size": [1, -1, 1]}'), ("collider", '{"shape": "hull"}'),
    ("collider", '{"shape": "mesh"}'), ("collider", '{"shape": "field", "mesh": "a.obj", "cell": 0}'),
     ("collider", '{"shape": "mesh", "points": [[0, 0, 0]]}'),
    ("collider", '{"shape": "tapered", "a": [0, 0, 0], "b": [1, 0, 0], "radius": 1}'),
    ("collider", '{"shape": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}'),
]


def finish(problems):
    sys.exit("\n".join(problems) if problems else 0)


def load_schema(source):
    return json.load(open(source + "/docs/scene.schema.json"))


def scenes(folder):
    return {name: json.load(open(name)) for name in sorted(glob.glob(folder + "/*.json"))}


def write_examples(source, folder):
    page = open(source + "/docs/scenes.md").read()
    blocks = re.findall(r"^```(.*)\n((?:.*\n)*?)```$", page, re.M)
    for number, (kind, text) in enumerate(blocks):
        words = kind.split()
        if len(words) != 2 or words[0] != "json" or words[1] not in WRAPPERS:
            sys.exit("a block of the page is marked %r" % kind)
        name = words[1] if words[1].endswith(".json") else "example_%02d_%s.json" % (number, words[1])
        with open(os.path.join(folder, name), "w") as file:
            file.write(WRAPPERS[words[1]] % text)
    if len(blocks) < 30:
        sys.exit("only %d examples" % len(blocks))


def reader_keys(source, taut):
    """The keys of materials, as the tool lists them, and the keys in the tables of the sources: those written
    {"name", ...} and those made by macros."""
    rows = json.loads(subprocess.run([taut, "materials", "--json"], check=True, capture_output=True).stdout)
    keys = {"preset"} | {part for row in rows for part in row["key"].split(".")}
    for name in glob.glob(source + "/src/io/scene*.c"):
        text = open(name).read()
        keys |= set(re.findall(r'\{"([$a-z_]+)",\s', text))
        keys |= set(re.findall(r"\b(?:COUNT|SIZE|ANY|LENGTH)\(([a-z_]+)\)", text)) - {"name"}
        keys |= set(re.findall(r'\bPLACE\("([a-z_]+)"', text))
    return keys


def property_names(schema):
    names = set()
    if isinstance(schema, dict):
        if isinstance(schema.get("properties"), dict):
            names |= set(schema["properties"])
        for value in schema.values():
            names |= property_names(value)
    elif isinstance(schema, list):
        for value in schema:
            names |= property_names(value)
    return names


def check_keys(source, taut):
    reader = reader_keys(source, taut)
    page = open(source + "/docs/scenes.md").read()
    named = {part for name in re.findall(r"`([$a-z_.]+)`", page) for part in name.split(".")}
    named |= set(re.findall(r"^### ([a-z_]+)$", page, re.M))
    schema = property_names(load_schema(source))
    problems = ["%s is not in the schema" % key for key in sorted(reader - schema)]
    problems += ["%s is in the schema only" % key for key in sorted(schema - reader)]
    problems += ["%s is not in the page" % key for key in sorted(reader - named)]
    if len(reader) < 80:
        problems.append("only %d keys were found in the sources" % len(reader))
    finish(problems)


def fits(schema, value):
    kinds = {"object": dict, "array": list, "string": str}
    return "type" not in schema or isinstance(value, kinds.get(schema["type"], (int, float)))


def mark_used(root, schema, value, where, used):
    """Walks through value and schema together. Adds (object of the schema, key) to `used` for every key in use."""
    if "$ref" in schema:
        where = schema["$ref"].split("/")[-1]
        schema = root["definitions"][where]
    if not fits(schema, value):
        return
    for part in schema.get("oneOf", []) + schema.get("allOf", []):
        if "$ref" in part or "items" in part:
            mark_used(root, part, value, where, used)
    if isinstance(value, dict):
        for key in value:
            if key in schema.get("properties", {}):
                used.add((where, key))
                mark_used(root, schema["properties"][key], value[key], where + "." + key, used)
    elif isinstance(value, list) and "items" in schema:
        items = schema["items"]
        for i, item in enumerate(value):
            mark_used(root, items[i] if isinstance(items, list) else items, item, where, used)


def all_keys(root):
    keys = {("scene", key) for key in root["properties"]}
    for name, definition in root["definitions"].items():
        keys |= {(name, key) for key in definition.get("properties", {})}
    return keys


def check_covered(source, folder):
    root = load_schema(source)
    used = set()
    for scene in scenes(folder).values():
        mark_used(root, root, scene, "scene", used)
    # `scaled` takes no single vertex, because one vertex is no whole element.
    missing = all_keys(root) - used - {("scaled", "vertex")}
    finish(["no example has %s of %s" % (key, where) for where, key in sorted(missing)])


def validator(source):
    import jsonschema

    schema = load_schema(source)
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def check_valid(source, folder):
    check = validator(source)
    problems = ["%s: %s" % (name, error.message[:300]) for name, scene in scenes(folder).items()
                for error in check.iter_errors(scene)]
    finish(problems)


def check_invalid(source, folder):
    check = validator(source)
    spoiled = scenes(folder)
    if len(spoiled) < 100:
        sys.exit("only %d spoiled scenes" % len(spoiled))
    finish(["%s is accepted" % name for name, scene in spoiled.items() if check.is_valid(scene)])


def places(value, path=()):
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, path + (key,))


def put(scene, path, value):
    spoiled = copy.deepcopy(scene)
    at = spoiled
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return spoiled


def spoil(folder, to):
    """Writes the scenes of WRONG. Then puts one mistake at a time into the examples: an unknown key in every object,
    text for every number, a number for every text and every boolean."""
    count, seen = 0, set()
    for number, (kind, text) in enumerate(WRONG):
        with open("%s/spoiled_wrong_%02d.json" % (to, number), "w") as file:
            file.write(WRAPPERS[kind] % text)
    for name, scene in scenes(folder).items():
        for path, value in places(scene):
            if path[:1] == ("$schema",) or value in ("rigid", "auto", "none"):  # any text or value
                continue
            if isinstance(value, dict):
                spoiled = put(scene, path + ("unknown_key",), 1)
            elif isinstance(value, bool) or isinstance(value, str):
                spoiled = put(scene, path, 7)
            elif isinstance(value, (int, float)):
                spoiled = put(scene, path, "text")
            else:
                spoiled = put(scene, path, None) if path else None
            like = (tuple(key for key in path if isinstance(key, str)), type(value))
            if like in seen or spoiled is None:
                continue
            seen.add(like)
            with open("%s/spoiled_%03d.json" % (to, count), "w") as file:
                json.dump(spoiled, file)
            count += 1


if __name__ == "__main__":
    jobs = {"examples": write_examples, "keys": check_keys, "covered": check_covered, "valid": check_valid,
            "spoil": spoil, "invalid": check_invalid}
    jobs[sys.argv[1]](*sys.argv[2:])
