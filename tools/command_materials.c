/* taut materials: the parameters of a material in a scene, and the presets. */
#include "arguments.h"
#include "commands.h"
#include "info.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const COMMAND = "taut materials";

enum { LONGEST = 64 };

/* Scene files have degrees in place of radians. */
static bool is_angle(const taut_parameter *p) { return strncmp(p->unit, "rad", 3) == 0; }

static void write_number(double value, char text[LONGEST])
{
    if (isinf(value)) snprintf(text, LONGEST, "none");
    else snprintf(text, LONGEST, "%.6g", value);
}

static void write_choice(const char *choices, int number, char text[LONGEST])
{
    while (number-- > 0) choices += strcspn(choices, "|") + 1;
    snprintf(text, LONGEST, "%.*s", (int)strcspn(choices, "|"), choices);
}

/* Writes the default as in a scene file, but without quotes and brackets. */
static void write_default(const taut_parameter *p, char text[LONGEST])
{
    const taut_material usual = taut_default_material();
    const char *at = (const char *)&usual + p->offset;
    float number[3];
    int whole;
    bool on;
    size_t length = 0;
    text[0] = 0;
    switch (p->type) {
    case TAUT_PARAMETER_BOOL:
        memcpy(&on, at, sizeof on);
        snprintf(text, LONGEST, on ? "true" : "false");
        return;
    case TAUT_PARAMETER_INT:
        memcpy(&whole, at, sizeof whole);
        snprintf(text, LONGEST, "%d", whole);
        return;
    case TAUT_PARAMETER_CHOICE:
        memcpy(&whole, at, sizeof whole);
        write_choice(p->choices, whole, text);
        return;
    case TAUT_PARAMETER_FLOAT:
    case TAUT_PARAMETER_STIFFNESS:
    case TAUT_PARAMETER_VECTOR:
    case TAUT_PARAMETER_INTERVAL:
        break;
    }
    memcpy(number, at, p->size);
    for (size_t i = 0; i < p->size / sizeof *number; i++) {
        char part[LONGEST];
        bool no_limit = p->type == TAUT_PARAMETER_INTERVAL && i == 0 && (double)number[i] == p->low;
        write_number(no_limit ? INFINITY : (double)number[i], part);
        length += (size_t)snprintf(text + length, LONGEST - length, "%s%.20s", i ? ", " : "", part);
    }
}

/* Writes the range in ratio units; in physical units stiffnesses have no upper end. */
static void write_range(const taut_parameter *p, char text[LONGEST])
{
    const char *least = p->low_open ? "above" : "from";
    double high = p->high[TAUT_RATIO];
    if (p->type == TAUT_PARAMETER_BOOL) snprintf(text, LONGEST, "true or false");
    else if (p->choices) snprintf(text, LONGEST, "%s", p->choices);
    else if (p->type == TAUT_PARAMETER_INTERVAL && isinf(p->low)) snprintf(text, LONGEST, "around %g", p->rest);
    else if (p->type == TAUT_PARAMETER_INTERVAL) snprintf(text, LONGEST, "from %g, around %g", p->low, p->rest);
    else if (isinf(p->low)) snprintf(text, LONGEST, "any");
    else if (isinf(high)) snprintf(text, LONGEST, "%s %g", least, p->low);
    else snprintf(text, LONGEST, "%s %g %s %g", least, p->low, p->high_open ? "and below" : "to", high);
}

static void print_text(const taut_parameter *p)
{
    char usual[LONGEST], range[LONGEST];
    write_default(p, usual);
    write_range(p, range);
    printf("%-20s %-11s %-24s %s", p->key, usual, range, p->meaning);
    if (is_angle(p)) printf(" (degrees%s)", p->unit + strlen("rad"));
    else if (*p->unit) printf(" (%s)", p->unit);
    putchar('\n');
}

static const char *type_name(taut_parameter_type type)
{
    static const char *const name[] = {
        [TAUT_PARAMETER_FLOAT] = "float",   [TAUT_PARAMETER_STIFFNESS] = "stiffness",
        [TAUT_PARAMETER_VECTOR] = "vector", [TAUT_PARAMETER_INTERVAL] = "interval",
        [TAUT_PARAMETER_INT] = "int",       [TAUT_PARAMETER_BOOL] = "bool",
        [TAUT_PARAMETER_CHOICE] = "choice",
    };
    return name[type];
}

static void member(info_json *object, const char *key, const char *text)
{
    info_key(object, key);
    info_string(text);
}

static void print_json(const taut_parameter *p)
{
    info_json object = {0};
    char usual[LONGEST], range[LONGEST], unit[LONGEST];
    write_default(p, usual);
    write_range(p, range);
    snprintf(unit, LONGEST, "%s%s", is_angle(p) ? "degrees" : "", is_angle(p) ? p->unit + strlen("rad") : p->unit);
    putchar('{');
    member(&object, "key", p->key);
    member(&object, "member", p->name);
    member(&object, "type", type_name(p->type));
    member(&object, "default", usual);
    member(&object, "range", range);
    member(&object, "unit", unit);
    member(&object, "meaning", p->meaning);
    member(&object, "choices", p->choices ? p->choices : "");
    info_number(&object, "low", p->low);
    info_number(&object, "rest", p->rest);
    info_number(&object, "high", p->high[TAUT_PHYSICAL]);
    info_integer(&object, "low_open", p->low_open);
    info_integer(&object, "high_open", p->high_open);
    putchar('}');
}

/* ---- Presets ---- */

/* Writes a modulus as in a scene file, where INFINITY is "rigid". */
static void write_modulus(double value, char text[LONGEST])
{
    if (isinf(value)) snprintf(text, LONGEST, "rigid");
    else snprintf(text, LONGEST, "%g", value);
}

static void print_preset_text(const taut_preset *preset, const taut_material *m)
{
    char last[LONGEST];
    write_modulus(preset->solid ? (double)m->strain.volume : (double)m->bend.stiffness, last);
    printf("%-9s %-7g %-9g %-9g %-9g %-9s %s\n", preset->name, (double)m->density, (double)m->strain.xx,
           (double)m->strain.yy, (double)m->strain.xy, last, preset->meaning);
}

static void print_preset_json(const taut_preset *preset, const taut_material *m)
{
    info_json object = {0};
    putchar('{');
    member(&object, "name", preset->name);
    member(&object, "meaning", preset->meaning);
    member(&object, "source", preset->source);
    info_integer(&object, "solid", preset->solid);
    info_number(&object, "density", (double)m->density);
    info_number(&object, "strain.xx", (double)m->strain.xx);
    info_number(&object, "strain.yy", (double)m->strain.yy);
    info_number(&object, "strain.xy", (double)m->strain.xy);
    info_number(&object, "strain.volume", (double)m->strain.volume);
    info_number(&object, "bend.stiffness", (double)m->bend.stiffness);
    putchar('}');
}

static void print_presets(bool json)
{
    for (int solid = 0; solid < 2 && !json; solid++)
        for (int i = 0, first = true; i < taut_preset_count(); i++) {
            taut_material m;
            const taut_preset *preset = taut_preset_at(i);
            if (preset->solid != solid || !taut_preset_material(preset->name, &m)) continue;
            if (first)
                printf(solid ? "\nsolid     kg/m^3  along Pa  across Pa shear Pa  volume Pa\n"
                             : "fabric    kg/m^2  warp N/m  weft N/m  shear N/m bend N m\n");
            print_preset_text(preset, &m);
            first = false;
        }
    for (int i = 0; i < taut_preset_count() && json; i++) {
        taut_material m;
        taut_preset_material(taut_preset_at(i)->name, &m);
        fputs(i ? ",\n " : "[", stdout);
        print_preset_json(taut_preset_at(i), &m);
    }
    printf(json ? "]\n" : "\nCloth without a material gets the preset " TAUT_DEFAULT_CLOTH ".\n");
}

/* ---- The command ---- */

int command_materials(int argc, char **argv)
{
    bool json = false, presets = false;
    const option options[] = {
        {.name = "--presets", .help = "list materials that have a name, in place of parameters", .flag = &presets},
        {.name = "--json", .help = "print a JSON array with one object a parameter or preset", .flag = &json},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .about = "Lists the parameters of a material in a scene: key, default, range, meaning and unit. The ranges of\n"
                 "stiffnesses are those of ratio units; in physical units they have no upper end, and \"rigid\" is\n"
                 "infinite. The units of stiffnesses are those of physical units. The defaults are those without a\n"
                 "preset. Cloth without a material gets the preset " TAUT_DEFAULT_CLOTH ".",
        .example = "taut materials\n"
                   "  taut materials --presets\n"
                   "  taut materials --json",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    if (presets) {
        print_presets(json);
        return 0;
    }
    for (int i = 0; i < taut_parameter_count(); i++) {
        if (json) fputs(i ? ",\n " : "[", stdout);
        (json ? print_json : print_text)(taut_parameter_at(i));
    }
    if (json) printf("]\n");
    return 0;
}
