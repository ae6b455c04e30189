#include "io/scene_pins.h"
#include "base/error.h"
#include "mesh/topology.h"

#include <string.h>

/* What selectors look at, and what they fill. */
typedef struct selection {
    const tio_check *check;
    const taut_mesh_file *file;
    tt_scope memory;
    float *place;          /* 3 per vertex, in the world */
    unsigned char *chosen; /* 1 per vertex */
} selection;

typedef bool selector(selection *s, const tio_json *value);

static bool choose_vertex(selection *s, const tio_json *value)
{
    int vertex = 0;
    const tio_key key = {.kind = TIO_INT, .range = {0, s->file->mesh.nvertices - 1, false}};
    if (!tio_read_value(s->check, value, &key, &vertex)) return false;
    s->chosen[vertex] = 1;
    return true;
}

static bool choose_vertices(selection *s, const tio_json *value)
{
    if (!tio_expect(s->check, value, TIO_JSON_ARRAY)) return false;
    for (const tio_json *item = value->first; item; item = item->next)
        if (!choose_vertex(s, item)) return false;
    return true;
}

static bool choose_group(selection *s, const tio_json *value)
{
    if (!tio_expect(s->check, value, TIO_JSON_STRING)) return false;
    for (int i = 0; i < s->file->ngroups; i++) {
        const taut_vertex_group *group = &s->file->group[i];
        if (strcmp(group->name, value->string) != 0) continue;
        for (int j = 0; j < group->nvertices; j++) s->chosen[group->vertex[j]] = 1;
        return true;
    }
    return tio_fail_at(s->check, value, "names \"%s\", which is not a group of the mesh", tio_show(value->string).text);
}

static bool choose_box(selection *s, const tio_json *value)
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

static bool choose_sphere(selection *s, const tio_json *value)
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

/* A switch that can only be on: leaving it out is how it is off. */
static bool expect_true(selection *s, const tio_json *value)
{
    if (value->type == TIO_JSON_BOOL && value->boolean) return true;
    return tio_fail_at(s->check, value, "must be true");
}

static bool choose_boundary(selection *s, const tio_json *value)
{
    tt_topology topology;
    taut_error cause;
    if (!expect_true(s, value)) return false;
    if (!tt_mesh_check(&s->file->mesh, &cause)) return tio_fail_because(s->check, value, &cause);
    if (!tt_topology_build(&s->memory, &s->file->mesh, &topology)) return tt_no_memory(s->check->error);
    for (int i = 0; i < topology.nedges; i++)
        if (topology.edge[i].ntris == 1) s->chosen[topology.edge[i].a] = s->chosen[topology.edge[i].b] = 1;
    return true;
}

static bool choose_all(selection *s, const tio_json *value)
{
    if (!expect_true(s, value)) return false;
    memset(s->chosen, 1, (size_t)s->file->mesh.nvertices);
    return true;
}

/* sign 1: the highest, -1: the lowest. */
static bool choose_extreme(selection *s, const tio_json *value, double sign)
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

static bool choose_highest(selection *s, const tio_json *value) { return choose_extreme(s, value, 1); }
static bool choose_lowest(selection *s, const tio_json *value) { return choose_extreme(s, value, -1); }

static const struct {
    const char *name;
    selector *choose;
} selectors[] = {
    {"vertex", choose_vertex}, {"vertices", choose_vertices}, {"group", choose_group},
    {"box", choose_box},       {"sphere", choose_sphere},     {"boundary", choose_boundary},
    {"highest", choose_highest}, {"lowest", choose_lowest},   {"all", choose_all},
};
enum { NSELECTORS = TIO_COUNT(selectors) };

typedef struct slot {
    const tio_json *value;
} slot;

typedef struct pin {
    slot slots[NSELECTORS]; /* in the order of the selectors */
    float stiffness;
} pin;

static bool read_pin(selection *s, const tio_json *object, float *stiffness)
{
    pin read = {.stiffness = 1};
    tio_key keys[NSELECTORS + 1] = {{"stiffness", TIO_FLOAT, offsetof(pin, stiffness), {0, 1, true}, NULL, false}};
    for (size_t i = 0; i < NSELECTORS; i++)
        keys[i + 1] = (tio_key){.name = selectors[i].name, .kind = TIO_VALUE,
                                .offset = offsetof(pin, slots) + i * sizeof(slot)};
    if (!tio_read_object(s->check, object, keys, TIO_COUNT(keys), &read)) return false;
    int nvertices = s->file->mesh.nvertices, used = 0, count = 0;
    memset(s->chosen, 0, (size_t)nvertices);
    for (int i = 0; i < NSELECTORS; i++) used += read.slots[i].value != NULL;
    if (used != 1) return tio_fail_at(s->check, object, "must have one way to select vertices, got %d", used);
    for (int i = 0; i < NSELECTORS; i++)
        if (read.slots[i].value && !selectors[i].choose(s, read.slots[i].value)) return false;
    for (int v = 0; v < nvertices; v++) {
        if (!s->chosen[v]) continue;
        stiffness[v] = read.stiffness;
        count++;
    }
    return count > 0 || tio_fail_at(s->check, object, "selects no vertex");
}

static bool read_all(selection *s, const tio_json *array, const tio_transform *transform, float *stiffness)
{
    int nvertices = s->file->mesh.nvertices;
    s->place = TT_TAKE(&s->memory, float, 3 * (size_t)nvertices);
    s->chosen = TT_TAKE(&s->memory, unsigned char, nvertices);
    if (!s->place || !s->chosen) return tt_no_memory(s->check->error);
    for (int v = 0; v < nvertices; v++) tio_place(transform, &s->file->mesh.x[3 * v], &s->place[3 * v]);
    for (const tio_json *item = array->first; item; item = item->next)
        if (!read_pin(s, item, stiffness)) return false;
    return true;
}

bool tio_read_pins(const tio_check *check, const tio_json *array, const taut_mesh_file *file,
                   const tio_transform *transform, float *stiffness)
{
    if (!tio_expect(check, array, TIO_JSON_ARRAY)) return false;
    selection s = {.check = check, .file = file};
    tt_scope_open(&s.memory, NULL);
    bool ok = read_all(&s, array, transform, stiffness);
    tt_scope_close(&s.memory);
    return ok;
}
