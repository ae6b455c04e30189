#include "io/scene_pins.h"
#include "base/error.h"
#include "io/scene_follow.h"

#include <math.h>
#include <string.h>

/* A pin as written. */
typedef struct pin_text {
    tio_selectors selectors;
    float stiffness;
    double from, until, fps;
    const tio_json *keys, *about, *follow, *follow_vertices, *interpolation;
} pin_text;

enum { OTHER_KEYS = 9 };

static bool read_text(const tio_check *check, const tio_json *object, pin_text *text)
{
    const tio_key other_keys[OTHER_KEYS] = {
        {"stiffness", TIO_FLOAT, offsetof(pin_text, stiffness), {0, 1, true}, NULL, false},
        {"from", TIO_DOUBLE, offsetof(pin_text, from), {0, 1e9, false}, NULL, false},
        {"until", TIO_DOUBLE, offsetof(pin_text, until), {0, 1e9, true}, NULL, false},
        {"keys", TIO_VALUE, offsetof(pin_text, keys), {0, 0, false}, NULL, false},
        {"interpolation", TIO_VALUE, offsetof(pin_text, interpolation), {0, 0, false}, NULL, false},
        {"about", TIO_VALUE, offsetof(pin_text, about), {0, 0, false}, NULL, false},
        {"follow", TIO_VALUE, offsetof(pin_text, follow), {0, 0, false}, NULL, false},
        {"follow_vertices", TIO_VALUE, offsetof(pin_text, follow_vertices), {0, 0, false}, NULL, false},
        {"fps", TIO_DOUBLE, offsetof(pin_text, fps), TIO_FPS, NULL, false},
    };
    tio_key keys[TIO_SELECTORS + OTHER_KEYS];
    tio_selector_keys(offsetof(pin_text, selectors), keys);
    memcpy(keys + TIO_SELECTORS, other_keys, sizeof other_keys);
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), text)) return false;
    if (text->until <= text->from)
        return tio_fail_at(check, tio_json_member(object, "until"), "must be above \"from\", %.9g, got %.9g",
                           text->from, text->until);
    if (text->keys && text->follow) return tio_fail_at(check, object, "must not have both \"keys\" and \"follow\"");
    const struct {
        const tio_json *value;
        const char *needs;
        bool there;
    } dependent[] = {{text->interpolation, "keys", text->keys != NULL},
                     {text->about, "keys", text->keys != NULL},
                     {text->follow_vertices, "follow", text->follow != NULL},
                     {tio_json_member(object, "fps"), "follow", text->follow != NULL}};
    for (int i = 0; i < TIO_COUNT(dependent); i++)
        if (dependent[i].value && !dependent[i].there)
            return tio_fail_at(check, dependent[i].value, "means nothing without \"%s\"", dependent[i].needs);
    return true;
}

/* ---- Keys ---- */

vec3 tio_middle(const float *xyz, int count)
{
    double low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = high[i] = xyz[i];
        for (int k = 1; k < count; k++) {
            double x = xyz[3 * (size_t)k + (size_t)i];
            low[i] = x < low[i] ? x : low[i];
            high[i] = x > high[i] ? x : high[i];
        }
    }
    return (vec3){0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])};
}

static bool read_keys(const tio_check *check, const pin_text *text, tio_pin *pin)
{
    static const tio_key way_key = {.kind = TIO_CHOICE, .choices = TIO_INTERPOLATIONS};
    static const tio_key about_key = {.kind = TIO_VECTOR, .range = {-TIO_MOST, TIO_MOST, false}};
    int smooth = 0;
    float about[3];
    if (text->interpolation && !tio_read_value(check, text->interpolation, &way_key, &smooth)) return false;
    if (text->about && !tio_read_value(check, text->about, &about_key, about)) return false;
    pin->has_about = text->about != NULL;
    pin->about = text->about ? vec_of(about) : tio_middle(pin->start, pin->nvertices);
    return tio_read_motion(check, text->keys, smooth == 1, &pin->motion);
}

/* ---- Following ---- */

static bool read_followed(const tio_check *check, const pin_text *text, tio_pin *pin)
{
    int nvertices = pin->follow.nvertices, n = 0;
    if (!text->follow_vertices) {
        int last = pin->vertex[pin->nvertices - 1];
        memcpy(pin->follow_vertex, pin->vertex, (size_t)pin->nvertices * sizeof *pin->vertex);
        if (last < nvertices) return true;
        return tio_fail_at(check, text->follow, "has %d vertices, but vertex %d is to follow it", nvertices, last);
    }
    const tio_json *list = text->follow_vertices;
    const tio_key key = {.kind = TIO_INT, .range = {0, nvertices - 1, false}};
    if (!tio_expect(check, list, TIO_JSON_ARRAY)) return false;
    if (list->count != pin->nvertices)
        return tio_fail_at(check, list, "must have %d numbers, one for each vertex of the pin, got %d", pin->nvertices,
                           list->count);
    for (const tio_json *item = list->first; item; item = item->next)
        if (!tio_read_value(check, item, &key, &pin->follow_vertex[n++])) return false;
    return true;
}

static bool read_follow(const tio_check *check, const pin_text *text, double scene_fps, tio_pin *pin)
{
    pin->follow_vertex = TT_TAKE(check->memory, int, pin->nvertices);
    if (!pin->follow_vertex) return tt_no_memory(check->error);
    if (!tio_read_follow(check, text->follow, text->fps, scene_fps, &pin->follow, &pin->follow_rate)) return false;
    return read_followed(check, text, pin);
}

/* ---- The list ---- */

static bool take_vertices(const tio_check *check, const tio_selection *selection, tio_pin *pin)
{
    pin->vertex = TT_TAKE(check->memory, int, selection->count);
    pin->start = TT_TAKE(check->memory, float, 3 * (size_t)selection->count);
    if (!pin->vertex || !pin->start) return tt_no_memory(check->error);
    for (int v = 0; v < selection->file->mesh.nvertices; v++) {
        if (!selection->chosen[v]) continue;
        memcpy(&pin->start[3 * (size_t)pin->nvertices], &selection->place[3 * (size_t)v], 3 * sizeof *pin->start);
        pin->vertex[pin->nvertices++] = v;
    }
    return true;
}

static bool read_pin(const tio_check *check, const tio_json *object, tio_selection *selection, double fps, tio_pin *pin)
{
    pin_text text = {.stiffness = 1, .until = INFINITY};
    if (!read_text(check, object, &text)) return false;
    if (!tio_select(selection, object, &text.selectors) || !take_vertices(check, selection, pin)) return false;
    pin->stiffness = text.stiffness;
    pin->from = text.from;
    pin->until = text.until;
    pin->first_start = -1;
    if (text.keys) return read_keys(check, &text, pin);
    return !text.follow || read_follow(check, &text, fps, pin);
}

bool tio_read_pins(const tio_check *check, const tio_json *array, tio_selection *selection,
                   const tio_pins_context *context, tio_pins *pins)
{
    if (!tio_expect(check, array, TIO_JSON_ARRAY)) return false;
    pins->transform = context->transform;
    pins->follow_scale = context->unit * context->transform.scale;
    pins->nvertices = selection->file->mesh.nvertices;
    pins->pin = TT_TAKE(check->memory, tio_pin, array->count);
    if (!pins->pin) return tt_no_memory(check->error);
    for (const tio_json *item = array->first; item; item = item->next) {
        tio_pin *pin = &pins->pin[pins->count++];
        if (!read_pin(check, item, selection, context->fps, pin)) return false;
        if (pin->motion.nkeys || pin->follow.nframes || pin->from > 0 || pin->until < INFINITY) pins->busy = true;
        if (pin->motion.nkeys == 0 || !(pin->from > 0)) continue;
        pin->first_start = pins->nstarts;
        if (pin->nvertices > INT32_MAX / 3 - pins->nstarts) return tio_fail_at(check, array, "hold too many vertices");
        pins->nstarts += pin->nvertices;
    }
    if (!pins->busy) return true;
    pins->before = TT_TAKE(check->memory, int, pins->nvertices);
    pins->now = TT_TAKE(check->memory, int, pins->nvertices);
    pins->place = TT_TAKE(check->memory, float, 3 * (size_t)pins->nvertices);
    return (pins->before && pins->now && pins->place) || tt_no_memory(check->error);
}

void tio_pins_free(tio_pins *pins)
{
    for (int i = 0; i < pins->count; i++) taut_animation_free(&pins->pin[i].follow);
}
