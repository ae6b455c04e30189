"""Writes the docs of material parameters and presets from the library's tables (src/model/parameters.c, presets.c).

usage: update-parameters.py TAUT ROOT           writes docs/scene.schema.json and the tables in docs/scenes.md and
                                                docs/fabrics.md
       update-parameters.py TAUT ROOT --check   fails if these files differ from what it would write

TAUT is the built tool, whose `materials --json` prints the tables; ROOT is the project's folder."""
import json
import subprocess
import sys

BEGIN, END = "<!-- scripts/update-parameters.py: begin -->\n", "<!-- scripts/update-parameters.py: end -->\n"
WIDTH = 120


def format_json(value, indent=0, before=0):
    """Writes a value in one line if it fits, otherwise one line for each member."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or indent + before + len(line) < WIDTH:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        names = [json.dumps(key) + ": " for key in value]
        items = [name + format_json(item, indent + 2, len(name)) for name, item in zip(names, value.values())]
        opening, closing = "{", "}"
    else:
        items = [format_json(item, indent + 2) for item in value]
        opening, closing = "[", "]"
    return opening + "\n" + ",\n".join(inner + item for item in items) + "\n" + " " * indent + closing


def number_schema(row, low="low", high="high"):
    schema = {"type": "integer" if row["type"] == "int" else "number"}
    if row.get(low) is not None:
        schema["exclusiveMinimum" if row["low_open"] and low == "low" else "minimum"] = row[low]
    if row.get(high) is not None:
        schema["exclusiveMaximum" if row["high_open"] and high == "high" else "maximum"] = row[high]
    return schema


def interval_schema(row):
    ends = [number_schema(row, "low", "rest"), number_schema(row, "rest", "high")]
    return {"type": "array", "minItems": 2, "maxItems": 2, "items": [{"anyOf": [end, {"const": "none"}]} for end in ends]}


def default_of(row):
    text = row["default"]
    if row["type"] in ("float", "int", "bool"):
        return json.loads(text)
    if row["type"] == "vector":
        return json.loads("[" + text + "]")
    return text


def property_schema(row):
    schema = {"description": row["meaning"] + (" (" + row["unit"] + ")" if row["unit"] else "")}
    if row["type"] == "stiffness":
        return dict(schema, allOf=[{"$ref": "#/definitions/stiffness"}])
    if row["type"] == "interval":
        return dict(schema, **interval_schema(row))
    if row["type"] == "choice":
        schema["enum"] = row["choices"].split("|")
    elif row["type"] == "bool":
        schema["type"] = "boolean"
    elif row["type"] == "vector":
        schema.update({"type": "array", "items": number_schema(row), "minItems": 3, "maxItems": 3})
    else:
        schema.update(number_schema(row))
    schema["default"] = default_of(row)
    return schema


def put(properties, path, schema):
    for name in path[:-1]:
        properties = properties.setdefault(name, {"properties": {}})["properties"]
    properties[path[-1]] = schema


def update_schema(text, rows, presets):
    schema = json.loads(text)
    definitions = schema["definitions"]
    material = {"preset": definitions["material"]["properties"]["preset"]}
    material["preset"]["enum"] = [preset["name"] for preset in presets]
    ratios = {}
    for row in rows:
        path = row["key"].split(".")
        if len(path) == 2 and path[0] not in material:
            material[path[0]] = {"$ref": "#/definitions/" + path[0]}
            definitions[path[0]]["properties"] = {}
        group = definitions[path[0]]["properties"] if len(path) == 2 else material
        group[path[-1]] = property_schema(row)
        if row["type"] == "stiffness":
            put(ratios, path, {"$ref": "#/definitions/ratio"})
    definitions["material"]["properties"] = material
    definitions["material"]["then"] = {"properties": ratios}
    return format_json(schema) + "\n"


def in_code(words):
    return ", ".join("`%s`" % word for word in words)


def table_row(row):
    interval = "[%s]" if row["type"] in ("interval", "vector") else "%s"
    allowed = in_code('"%s"' % name for name in row["choices"].split("|")) if row["choices"] else row["range"]
    meaning = row["meaning"] + (" (%s)" % row["unit"].replace("^2", "²").replace("^3", "³") if row["unit"] else "")
    return "| `%s` | %s | %s | %s |\n" % (row["key"], interval % row["default"], allowed, meaning)


def put_between(text, table):
    before, rest = text.split(BEGIN)
    return before + BEGIN + table + END + rest.split(END)[1]


def update_page(text, rows, presets):
    table = "| key | default | allowed | meaning (unit) |\n|---|---|---|---|\n" + "".join(map(table_row, rows))
    return put_between(text, table)


def preset_row(preset, keys):
    figures = " | ".join("%g" % preset[key] for key in keys)
    source = preset["source"].replace("^2", "²").replace("^3", "³").replace("uN m", "µN m")
    return "| `%s` | %s | %s | %s |\n" % (preset["name"], preset["meaning"], figures, source)


def update_fabrics(text, rows, presets):
    table = ("| fabric | | kg/m² | warp N/m | weft N/m | shear N/m | bending N m | source |\n|---|---|---|---|---|---|---|---|\n"
             + "".join(preset_row(p, ("density", "strain.xx", "strain.yy", "strain.xy", "bend.stiffness"))
                       for p in presets if not p["solid"])
             + "\n| solid | | kg/m³ | along Pa | across Pa | shear Pa | volume Pa | source |\n|---|---|---|---|---|---|---|---|\n"
             + "".join(preset_row(p, ("density", "strain.xx", "strain.yy", "strain.xy", "strain.volume"))
                       for p in presets if p["solid"]))
    return put_between(text, table)


def listed(taut, *options):
    command = [taut, "materials", "--json", *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


PAGES = (("docs/scene.schema.json", update_schema), ("docs/scenes.md", update_page), ("docs/fabrics.md", update_fabrics))


def main(taut, root, check=None):
    rows, presets = listed(taut), listed(taut, "--presets")
    stale = []
    for name, update in PAGES:
        with open(root + "/" + name, encoding="utf-8") as file:
            old = file.read()
        new = update(old, rows, presets)
        if new != old:
            stale.append(name)
            if not check:
                with open(root + "/" + name, "w", encoding="utf-8") as file:
                    file.write(new)
    if check and stale:
        sys.exit("not as scripts/update-parameters.py writes them: " + ", ".join(stale))


if __name__ == "__main__":
    main(*sys.argv[1:])
