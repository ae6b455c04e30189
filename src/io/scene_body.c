/* The bodies of a scene: each entry of the file is one model and one or more bodies, its copies. */
#include "base/error.h"
#include "io/scene.h"
#include "io/scene_material.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 100, MOST_BODIES = 1000000 };

/* A body as written. */
typedef struct body_text {
    const tio_json *name, *mesh, *transform, *material, *pins, *render_mesh, *copies, *color, *unit;
    const tio_json *stiffness_scale, *masses, *levels, *coarse, *training;
    float warp_axis[3];
    taut_body_def def; /* complete except for its place */
} body_text;

typedef struct copies {
    const tio_json *counts, *colors;
    int count[3];
    float spacing[3];
} copies;

static bool read_text(const tio_check *check, const tio_json *object, body_text *text)
{
    static const tio_key keys[] = {
        {"name", TIO_VALUE, offsetof(body_text, name), {0, 0, false}, NULL, false},
        {"mesh", TIO_VALUE, offsetof(body_text, mesh), {0, 0, false}, NULL, true},
        {"unit", TIO_VALUE, offsetof(body_text, unit), {0, 0, false}, NULL, false},
        {"render_mesh", TIO_VALUE, offsetof(body_text, render_mesh), {0, 0, false}, NULL, false},
        {"transform", TIO_VALUE, offsetof(body_text, transform), {0, 0, false}, NULL, false},
        {"velocity", TIO_VECTOR, offsetof(body_text, def.velocity), TIO_RATE, NULL, false},
        {"imperfection", TIO_FLOAT, offsetof(body_text, def.imperfection), {0, 1, false}, NULL, false},
        {"group", TIO_BITS, offsetof(body_text, def.group), {0, 0, false}, NULL, false},
        {"mask", TIO_BITS, offsetof(body_text, def.mask), {0, 0, false}, NULL, false},
        {"warp_axis", TIO_VECTOR, offsetof(body_text, warp_axis), {-TIO_MOST, TIO_MOST, false}, NULL, false},
        {"material", TIO_VALUE, offsetof(body_text, material), {0, 0, false}, NULL, false},
        {"levels", TIO_VALUE, offsetof(body_text, levels), {0, 0, false}, NULL, false},
        {"coarse", TIO_VALUE, offsetof(body_text, coarse), {0, 0, false}, NULL, false},
        {"training", TIO_VALUE, offsetof(body_text, training), {0, 0, false}, NULL, false},
        {"stiffness_scale", TIO_VALUE, offsetof(body_text, stiffness_scale), {0, 0, false}, NULL, false},
        {"masses", TIO_VALUE, offsetof(body_text, masses), {0, 0, false}, NULL, false},
        {"pins", TIO_VALUE, offsetof(body_text, pins), {0, 0, false}, NULL, false},
        {"copies", TIO_VALUE, offsetof(body_text, copies), {0, 0, false}, NULL, false},
        {"color", TIO_VALUE, offsetof(body_text, color), {0, 0, false}, NULL, false},
    };
    return tio_read_object(check, object, keys, TIO_COUNT(keys), text);
}

/* ---- Copies --------------------------------------------------------------------------------- */

static bool read_copies(const tio_check *check, const tio_json *object, copies *read)
{
    static const tio_key keys[] = {
        {"count", TIO_VALUE, offsetof(copies, counts), {0, 0, false}, NULL, true},
        {"spacing", TIO_VECTOR, offsetof(copies, spacing), {-TIO_MOST, TIO_MOST, false}, NULL, true},
        {"colors", TIO_VALUE, offsetof(copies, colors), {0, 0, false}, NULL, false},
    };
    static const tio_key count_key = {.kind = TIO_INT, .range = {1, MOST_BODIES, false}};
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), read)) return false;
    if (read->counts->type != TIO_JSON_ARRAY || read->counts->count != 3)
        return tio_fail_at(check, read->counts, "must be an array of 3 numbers");
    int64_t total = 1;
    const tio_json *item = read->counts->first;
    for (int i = 0; i < 3; i++, item = item->next) {
        if (!tio_read_value(check, item, &count_key, &read->count[i])) return false;
        total *= read->count[i];
        if (total > MOST_BODIES) return tio_fail_at(check, read->counts, "makes more than %d bodies", MOST_BODIES);
    }
    if (!read->colors) return true;
    if (!tio_expect(check, read->colors, TIO_JSON_ARRAY)) return false;
    return read->colors->count > 0 || tio_fail_at(check, read->colors, "must have at least one colour");
}

static int total_of(const copies *c) { return c->count[0] * c->count[1] * c->count[2]; }

/* Counts the bodies that all entries make. */
static bool count_bodies(const tio_check *check, const tio_json *array, int *count)
{
    for (const tio_json *item = array->first; item; item = item->next) {
        copies read = {.count = {1, 1, 1}};
        const tio_json *object = tio_json_member(item, "copies");
        if (object && !read_copies(check, object, &read)) return false;
        *count += total_of(&read);
        if (*count > MOST_BODIES) return tio_fail_at(check, item, "makes more than %d bodies", MOST_BODIES);
    }
    return true;
}

/* ---- Names ---------------------------------------------------------------------------------- */

/* Names become parts of file names. */
static bool check_name(const tio_check *check, const tio_json *value)
{
    if (!tio_expect(check, value, TIO_JSON_STRING)) return false;
    if (value->count < 1 || value->count > LONGEST_NAME)
        return tio_fail_at(check, value, "must have 1 to %d bytes, got %d", LONGEST_NAME, value->count);
    for (const char *c = value->string; *c; c++)
        if ((unsigned char)*c < 0x20 || strchr("/\\:\x7f", *c))
            return tio_fail_at(check, value, "must not contain / \\ : or control characters");
    return true;
}

/* NAME or body7, and _3 for a copy. */
static const char *make_name(const tio_check *check, const body_text *text, int item, int copy)
{
    size_t size = LONGEST_NAME + 24;
    char *name = TT_TAKE(check->memory, char, size), number[16] = "", ending[16] = "";
    if (!name) {
        tt_no_memory(check->error);
        return NULL;
    }
    snprintf(number, sizeof number, "body%d", item);
    if (text->copies) snprintf(ending, sizeof ending, "_%d", copy);
    snprintf(name, size, "%s%s", text->name ? text->name->string : number, ending);
    return name;
}

typedef struct named {
    const char *name;
    int item;
} named;

static int compare_names(const void *a, const void *b)
{
    const named *p = a, *q = b;
    int order = strcmp(p->name, q->name);
    return order ? order : p->item < q->item ? -1 : 1;
}

static bool fail_same_name(const tio_check *check, const tio_json *array, const named *first, const named *second)
{
    const tio_json *object = tio_json_item(array, second->item), *name = tio_json_member(object, "name");
    if (!name)
        return tio_fail_at(check, object, "needs a name: bodies[%d] is called \"%s\"", first->item,
                           tio_show(second->name).text);
    return tio_fail_at(check, name, "is \"%s\" like that of bodies[%d]", tio_show(second->name).text, first->item);
}

static bool check_names_differ(const tio_check *check, const tio_json *array, const tio_scene *s)
{
    tt_scope moment;
    bool ok = true;
    tt_scope_open(&moment, NULL);
    named *sorted = TT_TAKE(&moment, named, s->scene.nbodies);
    if (!sorted) return tt_no_memory(check->error);
    for (int i = 0; i < s->scene.nbodies; i++) sorted[i] = (named){s->scene.body[i].name, s->part[i].item};
    qsort(sorted, (size_t)s->scene.nbodies, sizeof *sorted, compare_names);
    for (int i = 1; i < s->scene.nbodies && ok; i++)
        if (!strcmp(sorted[i - 1].name, sorted[i].name)) ok = fail_same_name(check, array, &sorted[i - 1], &sorted[i]);
    tt_scope_close(&moment);
    return ok;
}

/* ---- Mesh and model ------------------------------------------------------------------------- */

/* The content of an entry, shared by its copies. */
typedef struct entry {
    const tio_json *object;
    int item;
    body_text text;
    copies copies;
    tio_transform transform;
    float unit;
    tt_scope moment;
    float *stiffness, *mass; /* one per vertex, 0 = none: of pins at the start, and from "masses" */
} entry;

static bool read_pins(const tio_check *check, const tio_scene *s, const entry *e, tio_selection *selection,
                      tio_scene_part *part)
{
    tio_pins_context context = {e->transform, e->unit, s->scene.fps};
    part->pins = TT_TAKE(check->memory, tio_pins, 1);
    if (!part->pins) return tt_no_memory(check->error);
    if (!tio_read_pins(check, e->text.pins, selection, &context, part->pins)) return false;
    tio_pins_start(part->pins, e->stiffness);
    return true;
}

/* Reads all keys that select vertices. */
static bool read_selections(const tio_check *check, const tio_scene *s, entry *e, taut_mesh_file *file,
                            tio_scene_part *part)
{
    tio_selection selection;
    const body_text *text = &e->text;
    e->stiffness = TT_TAKE(&e->moment, float, file->mesh.nvertices);
    e->mass = TT_TAKE(&e->moment, float, file->mesh.nvertices);
    if (!e->stiffness || !e->mass) return tt_no_memory(check->error);
    bool ok = tio_selection_open(&selection, check, file, &e->transform) &&
              (!text->pins || read_pins(check, s, e, &selection, part)) &&
              (!text->masses || tio_read_masses(check, text->masses, &selection, e->mass)) &&
              (!text->stiffness_scale || tio_read_scales(check, text->stiffness_scale, &selection, &file->mesh));
    tio_selection_close(&selection);
    /* Pins that hold go into the mesh, where tethers find them. Pins that pull are set once the body exists. */
    for (int v = 0; ok && v < file->mesh.nvertices; v++)
        if (e->stiffness[v] == 1) ok = taut_mesh_pin(&file->mesh, v, check->error);
    return ok;
}

static bool weigh(const tio_check *check, entry *e, const taut_material *material, taut_scene_body *body)
{
    const taut_mesh *mesh = &body->file.mesh;
    double *mass = TT_TAKE(&e->moment, double, mesh->nvertices);
    if (!mass) return tt_no_memory(check->error);
    if (!taut_mesh_masses(mesh, material, mass, check->error)) return false;
    for (int v = 0; v < mesh->nvertices; v++) body->mass += e->mass[v] > 0 ? (double)e->mass[v] : mass[v];
    return true;
}

static bool read_levels(const tio_check *check, const tio_json *value, int *levels)
{
    static const tio_key key = {.name = "levels", .kind = TIO_INT, .range = {0, TAUT_MOST_LEVELS, false}};
    if (!value) return true;
    if (tio_is_word(value, "auto")) {
        *levels = TAUT_LEVELS_AUTO;
        return true;
    }
    return tio_expect_number_or(check, value, "auto") && tio_read_value(check, value, &key, levels);
}

static void tell(float done, void *user)
{
    const tio_scene *s = user;
    s->options.progress(s->scene.nbodies - 1, done, s->options.progress_user);
}

static bool compile(const tio_check *check, tio_scene *s, const entry *e, const taut_material *material,
                    const tio_coarse *coarse, taut_scene_body *body)
{
    taut_model_options options = taut_default_model_options();
    taut_error cause;
    taut_training *training = NULL;
    const tio_json *trained = s->options.untrained ? NULL : e->text.training;
    if (trained && !tio_read_training(check, trained, &training)) return false;
    options.levels = body->levels;
    options.coarse = coarse->mesh, options.ncoarse = coarse->count;
    options.training = training;
    options.threads = s->options.threads;
    if (s->options.progress) options.progress = tell, options.progress_user = s;
    memcpy(options.axis, body->warp_axis, sizeof options.axis);
    body->model = taut_model_build(&body->file.mesh, material, &options, &cause);
    taut_training_free(training);
    if (!body->model) return tio_fail_because(check, cause.code == TAUT_BAD_TRAINING ? trained : e->object, &cause);
    if (coarse->count == 0 || body->levels == 0 || taut_model_levels(body->model) > 0) return true;
    return tio_fail_at(check, e->text.coarse,
                       "would do nothing: coarser meshes enforce limits of stretch, and the material has none");
}

static bool build_model(const tio_check *check, tio_scene *s, entry *e, taut_scene_body *body,
                        tio_scene_part *part)
{
    taut_material read;
    const body_text *text = &e->text;
    if (text->material && !tio_read_material(check, text->material, &read)) return false;
    body->has_material = text->material && text->material->first;
    const taut_material *material = body->has_material ? &read : NULL;
    body->levels = taut_default_model_options().levels;
    if (!read_levels(check, text->levels, &body->levels)) return false;
    if (text->transform && !tio_read_transform(check, text->transform, &e->transform)) return false;
    if (!tio_read_mesh(check, text->mesh, e->unit, &body->file)) return false;
    tio_scale_mesh(&body->file.mesh, e->transform.scale);
    if (!read_selections(check, s, e, &body->file, part)) return false;
    memcpy(body->warp_axis, text->warp_axis, sizeof body->warp_axis);
    tio_coarse coarse = {.count = 0};
    bool ok = (!text->coarse || tio_read_coarse(check, text->coarse, e->unit, e->transform.scale, &body->file.mesh,
                                                &coarse)) &&
              compile(check, s, e, material, &coarse, body) && weigh(check, e, material, body);
    tio_coarse_free(&coarse);
    return ok;
}

/* Builds the mesh that is shown in place of the simulated one. */
static bool build_render_mesh(const tio_check *check, const entry *e, const taut_mesh *simulated, tio_scene_part *part)
{
    taut_error cause;
    const tio_json *value = e->text.render_mesh;
    if (!value) return true;
    if (!tio_read_mesh(check, value, e->unit, &part->drawn)) return false;
    tio_scale_mesh(&part->drawn.mesh, e->transform.scale);
    part->embedding = taut_embedding_build(simulated, part->drawn.mesh.x, part->drawn.mesh.nvertices, &cause);
    return part->embedding || tio_fail_because(check, value, &cause);
}

/* ---- Bodies --------------------------------------------------------------------------------- */

static bool add_to_world(const tio_check *check, const entry *e, taut_scene *scene, taut_scene_body *body,
                         const tio_scene_part *part)
{
    taut_world *world = scene->world;
    taut_body_def def = e->text.def;
    taut_error cause;
    for (int i = 0; i < 3; i++) def.position[i] = e->transform.position[i] + part->offset[i];
    memcpy(def.rotation, e->transform.rotation, sizeof def.rotation);
    memcpy(def.origin, scene->origin, sizeof def.origin);
    body->imperfection = def.imperfection;
    body->body = taut_world_add_body(world, body->model, &def, &cause);
    if (body->body < 0) return tio_fail_because(check, e->object, &cause);
    for (int v = 0; v < body->file.mesh.nvertices; v++) {
        bool soft = e->stiffness[v] > 0 && e->stiffness[v] < 1;
        if (soft && !taut_body_pin(world, body->body, v, NULL, e->stiffness[v], &cause))
            return tio_fail_because(check, e->object, &cause);
        if (e->mass[v] > 0 && !taut_body_set_mass(world, body->body, v, e->mass[v], &cause))
            return tio_fail_because(check, e->object, &cause);
    }
    return true;
}

static bool show(const tio_check *check, tio_scene *s, int number)
{
    taut_scene_body *body = &s->scene.body[number];
    const tio_scene_part *part = &s->part[number];
    const taut_mesh_file *file = part->embedding ? &part->drawn : &body->file;
    float *start = TT_TAKE(check->memory, float, 3 * (size_t)file->mesh.nvertices);
    if (!start) return tt_no_memory(check->error);
    body->shown = (taut_cache_object){.name = body->name,
                                      .nvertices = file->mesh.nvertices,
                                      .rest = start,
                                      .npolygons = file->npolygons,
                                      .polygon_start = file->polygon_start,
                                      .polygon = file->polygon,
                                      .ntets = file->mesh.ntets,
                                      .tet = file->mesh.tet,
                                      .uv = file->polygon_uv};
    taut_scene_show(&s->scene, number, start);
    return true;
}

static bool color_body(const tio_check *check, const entry *e, int copy, float color[3])
{
    tio_palette(e->item, color);
    if (e->copies.colors)
        return tio_read_color(check, tio_json_item(e->copies.colors, copy % e->copies.colors->count), color);
    return !e->text.color || tio_read_color(check, e->text.color, color);
}

/* Takes memory for the places of pins. Most of a thousand copies need none. */
static bool take_places(const tio_check *check, int count, float **places)
{
    *places = count ? TT_TAKE(check->memory, float, 3 * (size_t)count) : NULL;
    return count == 0 || *places || tt_no_memory(check->error);
}

/* Adds copy number `copy` of an entry. The entry's first body is body `first` of the scene. */
static bool add_copy(const tio_check *check, const entry *e, int first, int copy, tio_scene *s)
{
    taut_scene *scene = &s->scene;
    int number = scene->nbodies++;
    taut_scene_body *body = &scene->body[number];
    tio_scene_part *part = &s->part[number];
    *body = scene->body[first];
    *part = s->part[first];
    part->item = e->item;
    part->copy = copy > 0;
    int nx = e->copies.count[0], ny = e->copies.count[1], at[3] = {copy % nx, copy / nx % ny, copy / nx / ny};
    for (int i = 0; i < 3; i++) part->offset[i] = (float)at[i] * e->copies.spacing[i];
    if (!take_places(check, part->embedding ? body->file.mesh.nvertices : 0, &part->carrier) ||
        !take_places(check, part->pins ? part->pins->nstarts : 0, &part->starts))
        return false;
    body->name = make_name(check, &e->text, e->item, copy);
    return body->name && color_body(check, e, copy, body->color) && add_to_world(check, e, scene, body, part) &&
           show(check, s, number);
}

static bool add_entry(const tio_check *check, entry *e, tio_scene *s)
{
    static const tio_key unit_key = {.kind = TIO_CHOICE, .choices = TIO_UNITS};
    int unit = 0, first = s->scene.nbodies;
    e->text.def = taut_default_body_def();
    if (!read_text(check, e->object, &e->text)) return false;
    if (e->text.name && !check_name(check, e->text.name)) return false;
    if (e->text.unit) {
        if (!tio_read_value(check, e->text.unit, &unit_key, &unit)) return false;
        e->unit = tio_unit(unit);
    }
    if (e->text.copies && !read_copies(check, e->text.copies, &e->copies)) return false;
    taut_scene_body *body = &s->scene.body[first];
    tio_scene_part *part = &s->part[first];
    s->scene.nbodies++; /* so that on error the body is freed with the others */
    if (!build_model(check, s, e, body, part) || !build_render_mesh(check, e, &body->file.mesh, part)) return false;
    s->scene.nbodies--;
    for (int copy = 0; copy < total_of(&e->copies); copy++)
        if (!add_copy(check, e, first, copy, s)) return false;
    return true;
}

bool tio_add_bodies(const tio_check *check, const tio_json *array, tio_scene *s)
{
    int count = 0, number = 0;
    if (!tio_expect(check, array, TIO_JSON_ARRAY) || !count_bodies(check, array, &count)) return false;
    s->scene.body = TT_TAKE(check->memory, taut_scene_body, count);
    s->part = TT_TAKE(check->memory, tio_scene_part, count);
    if (!s->scene.body || !s->part) return tt_no_memory(check->error);
    for (const tio_json *object = array->first; object; object = object->next, number++) {
        entry e = {.object = object, .item = number, .copies = {.count = {1, 1, 1}}, .unit = s->unit};
        e.transform = TIO_NO_TRANSFORM;
        tt_scope_open(&e.moment, NULL);
        bool ok = add_entry(check, &e, s);
        tt_scope_close(&e.moment);
        if (!ok) return false;
    }
    return check_names_differ(check, array, s);
}
