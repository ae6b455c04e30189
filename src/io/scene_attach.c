/* The attachments of a scene: vertices held to colliders and bodies, and seams. */
#include "base/error.h"
#include "io/scene.h"

#include <string.h>

/* An entry as written. */
typedef struct attachment_text {
    tio_selectors selectors;
    const char *body, *collider, *to;
    const tio_json *seam;
    float slack, backstop, speed, strength;
} attachment_text;

enum { OTHER_KEYS = 8 };

static bool read_text(const tio_check *check, const tio_json *object, attachment_text *text)
{
    const tio_key other_keys[OTHER_KEYS] = {
        {"body", TIO_STRING, offsetof(attachment_text, body), {0, 0, false}, NULL, true},
        {"collider", TIO_STRING, offsetof(attachment_text, collider), {0, 0, false}, NULL, false},
        {"to", TIO_STRING, offsetof(attachment_text, to), {0, 0, false}, NULL, false},
        {"seam", TIO_VALUE, offsetof(attachment_text, seam), {0, 0, false}, NULL, false},
        {"slack", TIO_FLOAT, offsetof(attachment_text, slack), TIO_NOT_NEGATIVE, NULL, false},
        {"backstop", TIO_FLOAT, offsetof(attachment_text, backstop), TIO_NOT_NEGATIVE, NULL, false},
        {"speed", TIO_FLOAT, offsetof(attachment_text, speed), TIO_POSITIVE, NULL, false},
        {"strength", TIO_FLOAT, offsetof(attachment_text, strength), TIO_POSITIVE, NULL, false},
    };
    tio_key keys[TIO_SELECTORS + OTHER_KEYS];
    tio_selector_keys(offsetof(attachment_text, selectors), keys);
    memcpy(keys + TIO_SELECTORS, other_keys, sizeof other_keys);
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), text)) return false;
    if (!text->collider == !text->to) return tio_fail_at(check, object, "needs either \"collider\" or \"to\"");
    const tio_json *backstop = tio_json_member(object, "backstop");
    if (text->seam && !text->to) return tio_fail_at(check, text->seam, "means nothing without \"to\"");
    if (backstop && !text->to) return tio_fail_at(check, backstop, "means nothing without \"to\"");
    if (backstop && !tio_json_member(object, "slack")) text->slack = INFINITY;
    return true;
}

static bool find_collider(const tio_check *check, const tio_scene *s, const tio_json *object, int *id)
{
    const tio_json *value = tio_json_member(object, "collider");
    for (int i = 0; i < s->ncolliders; i++)
        if (s->collider[i].name && !strcmp(s->collider[i].name, value->string)) {
            *id = s->collider[i].id;
            return true;
        }
    return tio_fail_at(check, value, "names \"%s\", which is not the name of a collider", tio_show(value->string).text);
}

/* Selects vertices of a body, by their places in the scene. */
static bool choose(const tio_check *check, const tio_scene *s, int number, const tio_json *object,
                   const tio_selectors *selectors, tio_selection *selection)
{
    const taut_scene_body *body = &s->scene.body[number];
    if (!tio_selection_open(selection, check, &body->file, &TIO_NO_TRANSFORM)) return false;
    taut_body_positions_from(s->scene.world, body->body, s->scene.origin, selection->place);
    return tio_select(selection, object, selectors);
}

static bool choose_seam(const tio_check *check, const tio_scene *s, int number, const tio_json *object,
                        tio_selection *selection)
{
    tio_selectors selectors = {0};
    tio_key keys[TIO_SELECTORS];
    tio_selector_keys(0, keys);
    return tio_read_object(check, object, keys, TIO_COUNT(keys), &selectors) &&
           choose(check, s, number, object, &selectors, selection);
}

/* The chosen vertex nearest to a place; if several are, the first. -1: there is none except `own`. */
static int nearest_of(const tio_selection *chosen, const float *place, int own)
{
    int found = -1;
    double nearest = INFINITY;
    for (int v = 0; v < chosen->file->mesh.nvertices; v++) {
        vec3 apart = vec_sub(vec_of(&chosen->place[3 * (size_t)v]), vec_of(place));
        if (!chosen->chosen[v] || v == own || !(vec_dot(apart, apart) < nearest)) continue;
        nearest = vec_dot(apart, apart);
        found = v;
    }
    return found;
}

/* Corner 0 becomes the first of a triangle, whose other corners have no weight. */
static bool complete_triangle(const taut_mesh *mesh, taut_attachment_def *def)
{
    for (int slot = 0; slot < 3 * mesh->ntris; slot++) {
        if (mesh->tri[slot] != def->corner[0]) continue;
        for (int k = 1; k < 3; k++) {
            def->corner[k] = mesh->tri[slot / 3 * 3 + (slot + k) % 3];
            def->weight[k] = 0;
        }
        return true;
    }
    return false;
}

/* Finds the place on the other body that holds vertex v. */
static bool find_place(const tio_scene *s, const float *at, const tio_selection *seam, taut_attachment_def *def)
{
    taut_place place;
    const double *o = s->scene.origin, point[3] = {o[0] + (double)at[0], o[1] + (double)at[1], o[2] + (double)at[2]};
    if (seam) {
        def->corner[0] = nearest_of(seam, at, def->body == def->other ? def->vertex : -1);
        if (def->corner[0] < 0) return false;
        return !isfinite(def->backstop) || complete_triangle(&seam->file->mesh, def);
    }
    if (!taut_body_nearest(s->scene.world, def->other, point, &place)) return false;
    memcpy(def->corner, place.corner, sizeof def->corner);
    memcpy(def->weight, place.weight, sizeof def->weight);
    return true;
}

static bool attach_all(const tio_check *check, const tio_scene *s, const tio_json *object, const tio_selection *chosen,
                       const tio_selection *seam, taut_attachment_def *def)
{
    for (int v = 0; v < chosen->file->mesh.nvertices; v++) {
        taut_error cause;
        if (!chosen->chosen[v]) continue;
        def->vertex = v;
        if (def->other >= 0 && !find_place(s, &chosen->place[3 * (size_t)v], seam, def))
            return tio_fail_at(check, object, "finds no place for vertex %d", v);
        if (taut_world_attach(s->scene.world, def, &cause) < 0) return tio_fail_because(check, object, &cause);
    }
    return true;
}

static bool add_entry(const tio_check *check, const tio_scene *s, const tio_json *object)
{
    taut_attachment_def def = taut_default_attachment_def();
    attachment_text text = {
        .slack = def.slack, .backstop = def.backstop, .speed = def.speed, .strength = def.strength};
    tio_selection chosen = {0}, seam = {0};
    int body = 0, other = -1;
    if (!read_text(check, object, &text) || !tio_find_body(check, s, object, "body", &body)) return false;
    if (text.to && !tio_find_body(check, s, object, "to", &other)) return false;
    if (text.collider && !find_collider(check, s, object, &def.collider)) return false;
    def.body = s->scene.body[body].body;
    if (other >= 0) def.other = s->scene.body[other].body;
    def.slack = text.slack, def.backstop = text.backstop, def.speed = text.speed, def.strength = text.strength;
    bool ok = choose(check, s, body, object, &text.selectors, &chosen) &&
              (!text.seam || choose_seam(check, s, other, text.seam, &seam)) &&
              attach_all(check, s, object, &chosen, text.seam ? &seam : NULL, &def);
    tio_selection_close(&chosen);
    tio_selection_close(&seam);
    return ok;
}

bool tio_add_attachments(const tio_check *check, const tio_json *array, const tio_scene *s)
{
    if (!tio_expect(check, array, TIO_JSON_ARRAY)) return false;
    for (const tio_json *item = array->first; item; item = item->next)
        if (!add_entry(check, s, item)) return false;
    return true;
}
