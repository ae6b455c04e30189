/* Materials of scenes. Keys and ranges are those of the table of parameters (taut_parameter_at). This file adds what
 * only scene files have: presets, words for infinite values, degrees, stiffnesses that are left out. */
#include "io/scene_material.h"
#include "base/exact.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- One value ------------------------------------------------------------------------------- */

/* One end of an interval: a number from low to high, or "none" for no limit there. */
static bool read_end(const tio_check *check, const tio_json *value, tio_range range, double none, float *end)
{
    if (tio_is_word(value, "none")) {
        *end = (float)none;
        return true;
    }
    if (!tio_expect_number_or(check, value, "none")) return false;
    const tio_key key = {.name = "end", .kind = TIO_FLOAT, .range = range};
    return tio_read_value(check, value, &key, end);
}

/* The two ends of an interval that contains the rest value. */
static bool read_interval(const tio_check *check, const tio_json *value, const taut_parameter *p, float interval[2])
{
    if (!tio_expect(check, value, TIO_JSON_ARRAY)) return false;
    if (value->count != 2) return tio_fail_at(check, value, "must have 2 entries, got %d", value->count);
    const tio_json *low = value->first, *high = low->next;
    if (low->type == TIO_JSON_NUMBER && high->type == TIO_JSON_NUMBER && low->number > high->number)
        return tio_fail_at(check, value, "must have the smaller number first, got %g and %g", low->number,
                           high->number);
    const tio_range below = {fmax(p->low, -TIO_MOST), p->rest, false}, above = {p->rest, TIO_MOST, false};
    return read_end(check, low, below, p->low, &interval[0]) && read_end(check, high, above, INFINITY, &interval[1]);
}

/* A number below a bound; the bound itself is not allowed. */
static bool read_below(const tio_check *check, const tio_json *value, const taut_parameter *p, double high, float *out)
{
    const tio_key key = {.name = p->key, .kind = TIO_FLOAT, .range = TIO_ANY};
    float number = 0;
    if (!tio_read_value(check, value, &key, &number)) return false;
    bool high_enough = p->low_open ? (double)number > p->low : (double)number >= p->low;
    if (!high_enough || !((double)number < high))
        return tio_fail_at(check, value, "must be in %c%g,%g), got %.9g", p->low_open ? '(' : '[', p->low, high,
                           (double)number);
    *out = number;
    return true;
}

static tio_kind kind_of(taut_parameter_type type)
{
    switch (type) {
    case TAUT_PARAMETER_FLOAT:
        return TIO_FLOAT;
    case TAUT_PARAMETER_STIFFNESS:
        return TIO_STIFFNESS;
    case TAUT_PARAMETER_VECTOR:
        return TIO_VECTOR;
    case TAUT_PARAMETER_INT:
        return TIO_INT;
    case TAUT_PARAMETER_BOOL:
        return TIO_BOOL;
    case TAUT_PARAMETER_CHOICE:
        return TIO_CHOICE;
    case TAUT_PARAMETER_INTERVAL:
        break;
    }
    return TIO_VALUE;
}

static bool read_parameter(const tio_check *check, const tio_json *value, const taut_parameter *p,
                           taut_material *material)
{
    void *target = (char *)material + p->offset;
    double high = p->high[material->units];
    if (p->type == TAUT_PARAMETER_INTERVAL) {
        float *interval = target;
        if (!read_interval(check, value, p, interval)) return false;
        for (int i = 0; i < 2; i++)
            if (strncmp(p->unit, "rad", 3) == 0) interval[i] *= (float)(TT_PI / 180);
        return true;
    }
    if (p->high_open && !isinf(high)) return read_below(check, value, p, high, target);
    const tio_key key = {
        .name = p->key,
        .kind = kind_of(p->type),
        .range = {fmax(p->low, -TIO_MOST), p->high_open ? fmin(high, TIO_MOST) : high, p->low_open && !isinf(p->low)},
        .choices = p->choices,
    };
    return tio_read_value(check, value, &key, target);
}

/* ---- Objects --------------------------------------------------------------------------------- */

enum { MOST_KEYS = 32, LONGEST_KEY = 48 };

static const taut_parameter *parameter_of(const char *path)
{
    for (int i = 0; i < taut_parameter_count(); i++)
        if (strcmp(taut_parameter_at(i)->key, path) == 0) return taut_parameter_at(i);
    return NULL;
}

/* Whether parameters begin with this path and a dot: "strain" of "strain.xx". */
static bool is_group(const char *path)
{
    size_t length = strlen(path);
    for (int i = 0; i < taut_parameter_count(); i++) {
        const char *key = taut_parameter_at(i)->key;
        if (strncmp(key, path, length) == 0 && key[length] == '.') return true;
    }
    return false;
}

/* Fails at an unknown key and suggests the nearest key. Possible keys are the parameters that begin with `prefix`, up
 * to the next dot. The parameters of a group follow each other. */
static bool fail_unknown(const tio_check *check, const tio_json *member, const char *prefix)
{
    char name[MOST_KEYS][LONGEST_KEY];
    tio_key keys[MOST_KEYS + 1];
    size_t skip = strlen(prefix);
    int count = 0;
    for (int i = 0; i < taut_parameter_count() && count < MOST_KEYS; i++) {
        const char *key = taut_parameter_at(i)->key;
        if (strncmp(key, prefix, skip) != 0) continue;
        snprintf(name[count], LONGEST_KEY, "%.*s", (int)strcspn(key + skip, "."), key + skip);
        if (count == 0 || strcmp(name[count], name[count - 1]) != 0) count++;
    }
    for (int i = 0; i < count; i++) keys[i] = (tio_key){.name = name[i]};
    if (skip == 0) keys[count++] = (tio_key){.name = "preset"};
    return tio_fail_unknown(check, member, keys, count);
}

static bool read_object(const tio_check *check, const tio_json *object, const char *prefix, taut_material *material)
{
    if (!tio_expect(check, object, TIO_JSON_OBJECT)) return false;
    for (const tio_json *member = object->first; member; member = member->next) {
        char path[LONGEST_KEY], group[LONGEST_KEY + 1];
        snprintf(path, sizeof path, "%s%s", prefix, member->key);
        snprintf(group, sizeof group, "%s.", path);
        const taut_parameter *p = strchr(member->key, '.') ? NULL : parameter_of(path);
        if (p) {
            if (!read_parameter(check, member, p, material)) return false;
        } else if (is_group(path)) {
            if (!read_object(check, member, group, material)) return false;
        } else if (*prefix || strcmp(member->key, "preset") != 0) {
            return fail_unknown(check, member, prefix);
        }
    }
    return true;
}

/* ---- Materials ------------------------------------------------------------------------------- */

static void leave_out_stiffness(taut_material *material)
{
    for (int i = 0; i < taut_parameter_count(); i++) {
        const taut_parameter *p = taut_parameter_at(i);
        if (p->type == TAUT_PARAMETER_STIFFNESS) memset((char *)material + p->offset, 0, p->size);
    }
}

static bool read_preset(const tio_check *check, const tio_json *value, taut_material *material)
{
    enum { MOST = 64 };
    const char *names[MOST];
    int count = taut_preset_count();
    if (!tio_expect(check, value, TIO_JSON_STRING)) return false;
    if (taut_preset_material(value->string, material)) return true;
    for (int i = 0; i < count && i < MOST; i++) names[i] = taut_preset_at(i)->name;
    const char *meant = tio_nearest(value->string, names, count < MOST ? count : MOST, sizeof *names);
    if (meant)
        return tio_fail_at(check, value, "is no preset: \"%s\"; did you mean \"%s\"?", tio_show(value->string).text,
                           meant);
    return tio_fail_at(check, value, "is no preset: \"%s\"; `taut materials --presets` lists them",
                       tio_show(value->string).text);
}

/* The material that the fields of the object change, in the units that the object asks for. */
static bool read_base(const tio_check *check, const tio_json *object, taut_material *material)
{
    const tio_json *preset = tio_json_member(object, "preset"), *units = tio_json_member(object, "units");
    *material = taut_default_material();
    if (preset && !read_preset(check, preset, material)) return false;
    taut_units base_units = material->units;
    if (!preset && tio_json_member(object, "elastic")) leave_out_stiffness(material);
    if (units && !read_parameter(check, units, parameter_of("units"), material)) return false;
    if (material->units == base_units) return true;
    if (preset)
        return tio_fail_at(check, units, "must be \"%s\" like those of the preset \"%s\"",
                           base_units == TAUT_PHYSICAL ? "physical" : "ratio", preset->string);
    leave_out_stiffness(material);
    return true;
}

bool tio_read_material(const tio_check *check, const tio_json *object, taut_material *material)
{
    taut_material read;
    if (!tio_expect(check, object, TIO_JSON_OBJECT) || !read_base(check, object, &read) ||
        !read_object(check, object, "", &read))
        return false;
    *material = read;
    return true;
}
