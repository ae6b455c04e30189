/* taut materials: what a material of a scene can hold. */
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

/* As in a scene file, but for quotes and brackets. */
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

/* In ratio units; stiffnesses of physical units have no upper end. */
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

int command_materials(int argc, char **argv)
{
    bool json = false;
    const option options[] = {
        {.name = "--json", .help = "print a JSON array with one object a parameter", .flag = &json},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .about = "Lists what the material of a scene can hold: key, default, range, meaning and unit. The ranges of\n"
                 "stiffnesses are those of ratio units; in physical units they have no upper end, and \"rigid\" is\n"
                 "infinite. The units of stiffnesses are those of physical units.",
        .example = "taut materials\n"
                   "  taut materials --json",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    for (int i = 0; i < taut_parameter_count(); i++) {
        if (json) fputs(i ? ",\n " : "[", stdout);
        (json ? print_json : print_text)(taut_parameter_at(i));
    }
    if (json) printf("]\n");
    return 0;
}
