#include "io/scene_select.h"
#include "base/error.h"

#include <string.h>

typedef bool selector(tio_selection *s, const tio_json *value);

static bool choose_vertex(tio_selection *s, const tio_json *value)
{
    int vertex = 0;
    const tio_key key = {.kind = TIO_INT, .range = {0, s->file->mesh.nvertices - 1, false}};
    if (!tio_read_value(s->check, value, &key, &vertex)) return false;
    s->chosen[vertex] = 1;
    return true;
}

static bool choose_vertices(tio_selection *s, const tio_json *value)
{
    if (!tio_expect(s->check, value, TIO_JSON_ARRAY)) return false;
    for (const tio_json *item = value->first; item; item = item->next)
        if (!choose_vertex(s, item)) return false;
    return true;
}

static bool choose_group(tio_selection *s, const tio_json *value)
{
    if (!tio_expect(s->check, value, TIO_JSON_STRING)) return false;
    bool found = false; /* several groups may have the same name, because parts of a mesh may */
    for (int i = 0; i < s->file->ngroups; i++) {
        const taut_vertex_group *group = &s->file->group[i];
        if (strcmp(group->name, value->string) != 0) continue;
        for (int j = 0; j < group->nvertices; j++) s->chosen[group->vertex[j]] = 1;
        found = true;
    }
    if (found) return true;
    return tio_fail_at(s->check, value, "names \"%s\", which is not a group of the mesh", tio_show(value->string).text);
}

static bool choose_box(tio_selection *s, const tio_json *value)
{
    struct box {
        float min[3], max[3];
    } box;
    const tio_key keys[] = {
        {"min", TIO_VECTOR, offsetof(struct box, min), TIO_ANY, NULL, true},
        {"max", TIO_VECTOR, offsetof(struct box, max), TIO_ANY, NULL, true},
    };
    if (!tio_read_object(s->check, value, keys, TIO_COUNT(keys), &box)) return false;
    for (int v = 0; v < s->file->mesh.nvertices; v++) {
        const float *x = &s->place[3 * v];
        bool inside = true;
        for (int i = 0; i < 3; i++) inside = inside && x[i] >= box.min[i] && x[i] <= box.max[i];
        s->chosen[v] |= inside;
    }
    return true;
}

static bool choose_sphere(tio_selection *s, const tio_json *value)
{
    struct sphere {
        float center[3], radius;
    } sphere;
    const tio_key keys[] = {
        {"center", TIO_VECTOR, offsetof(struct sphere, center), TIO_ANY, NULL, true},
        {"radius", TIO_FLOAT, offsetof(struct sphere, radius), TIO_POSITIVE, NULL, true},
    };
    if (!tio_read_object(s->check, value, keys, TIO_COUNT(keys), &sphere)) return false;
    for (int v = 0; v < s->file->mesh.nvertices; v++) {
        const float *x = &s->place[3 * v];
        double squared = 0;
        for (int i = 0; i < 3; i++) {
            double d = (double)x[i] - (double)sphere.center[i];
            squared += d * d;
        }
        s->chosen[v] |= squared <= (double)sphere.radius * (double)sphere.radius;
    }
    return true;
}

/* A switch that can only be on. It is off when it is left out. */
static bool expect_true(tio_selection *s, const tio_json *value)
{
    if (value->type == TIO_JSON_BOOL && value->boolean) return true;
    return tio_fail_at(s->check, value, "must be true");
}

static bool choose_boundary(tio_selection *s, const tio_json *value)
{
    taut_error cause;
    if (!expect_true(s, value)) return false;
    return taut_mesh_boundary(&s->file->mesh, s->chosen, &cause) || tio_fail_because(s->check, value, &cause);
}

static bool choose_all(tio_selection *s, const tio_json *value)
{
    if (!expect_true(s, value)) return false;
    memset(s->chosen, 1, (size_t)s->file->mesh.nvertices);
    return true;
}

/* sign 1: the highest, -1: the lowest. */
static bool choose_extreme(tio_selection *s, const tio_json *value, double sign)
{
    double depth = 0, top = -(double)TIO_MOST;
    const tio_key key = {.kind = TIO_DOUBLE, .range = TIO_NOT_NEGATIVE};
    if (!tio_read_value(s->check, value, &key, &depth)) return false;
    for (int v = 0; v < s->file->mesh.nvertices; v++) {
        double height = sign * (double)s->place[3 * v + 1];
        if (height > top) top = height;
    }
    for (int v = 0; v < s->file->mesh.nvertices; v++) s->chosen[v] |= sign * (double)s->place[3 * v + 1] >= top - depth;
    return true;
}

static bool choose_highest(tio_selection *s, const tio_json *value) { return choose_extreme(s, value, 1); }
static bool choose_lowest(tio_selection *s, const tio_json *value) { return choose_extreme(s, value, -1); }

static const struct {
    const char *name;
    selector *choose;
} selectors[] = {
    {"vertex", choose_vertex}, {"vertices", choose_vertices}, {"group", choose_group},
    {"box", choose_box},       {"sphere", choose_sphere},     {"boundary", choose_boundary},
    {"highest", choose_highest}, {"lowest", choose_lowest},   {"all", choose_all},
};
_Static_assert(TIO_COUNT(selectors) == TIO_SELECTORS, "the header says how many there are");

/* ---- Objects that select ---- */

void tio_selector_keys(size_t offset, tio_key keys[TIO_SELECTORS])
{
    for (size_t i = 0; i < TIO_SELECTORS; i++) {
        size_t slot = offsetof(tio_selectors, slot) + i * sizeof((tio_selectors){0}.slot[0]);
        keys[i] = (tio_key){.name = selectors[i].name, .kind = TIO_VALUE, .offset = offset + slot};
    }
}

bool tio_selection_open(tio_selection *selection, const tio_check *check, const taut_mesh_file *file,
                        const tio_transform *transform)
{
    int nvertices = file->mesh.nvertices;
    *selection = (tio_selection){.check = check, .file = file};
    tt_scope_open(&selection->memory, NULL);
    selection->place = TT_TAKE(&selection->memory, float, 3 * (size_t)nvertices);
    selection->chosen = TT_TAKE(&selection->memory, unsigned char, nvertices);
    if (!selection->place || !selection->chosen) return tt_no_memory(check->error);
    for (size_t v = 0; v < (size_t)nvertices; v++)
        tio_place(transform, &file->mesh.x[3 * v], &selection->place[3 * v]);
    return true;
}

void tio_selection_close(tio_selection *selection) { tt_scope_close(&selection->memory); }

bool tio_select(tio_selection *s, const tio_json *object, const tio_selectors *read)
{
    int nvertices = s->file->mesh.nvertices, used = 0;
    memset(s->chosen, 0, (size_t)nvertices);
    s->count = 0;
    for (int i = 0; i < TIO_SELECTORS; i++) used += read->slot[i].value != NULL;
    if (used != 1) return tio_fail_at(s->check, object, "must have one way to select vertices, got %d", used);
    for (int i = 0; i < TIO_SELECTORS; i++)
        if (read->slot[i].value && !selectors[i].choose(s, read->slot[i].value)) return false;
    for (int v = 0; v < nvertices; v++) s->count += s->chosen[v];
    return s->count > 0 || tio_fail_at(s->check, object, "selects no vertex");
}
