/* Memory: any allocation may fail, everything is given back, and a step takes none. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_heap.h"
#include "helpers_world.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

/* ---- Counting every call to the C library's heap ----
 *
 * The linker takes these in place of the C library's own, for the whole process. Sanitizers do the same, so under
 * them only the hook is watched. */
#if defined(__GLIBC__) && !UNDER_SANITIZER
#define COUNTS_CALLS 1

static atomic_long heap_calls;

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

#define INSTEAD __attribute__((visibility("default")))

INSTEAD void *malloc(size_t size)
{
    atomic_fetch_add(&heap_calls, 1);
    return __libc_malloc(size);
}

INSTEAD void *calloc(size_t count, size_t size)
{
    atomic_fetch_add(&heap_calls, 1);
    return __libc_calloc(count, size);
}

INSTEAD void *realloc(void *memory, size_t size)
{
    atomic_fetch_add(&heap_calls, 1);
    return __libc_realloc(memory, size);
}

INSTEAD void *aligned_alloc(size_t alignment, size_t size)
{
    atomic_fetch_add(&heap_calls, 1);
    return __libc_memalign(alignment, size);
}

INSTEAD int posix_memalign(void **memory, size_t alignment, size_t size)
{
    atomic_fetch_add(&heap_calls, 1);
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

INSTEAD void free(void *memory)
{
    atomic_fetch_add(&heap_calls, 1);
    __libc_free(memory);
}

static long calls(void) { return atomic_load(&heap_calls); }
#else
#define COUNTS_CALLS 0
static long calls(void) { return 0; }
#endif

static void heap_calls_are_counted(void **state)
{
    (void)state;
    long before = calls();
    void *volatile memory = malloc(10);
    free(memory);
    memory = aligned_alloc(64, 128);
    free(memory);
    assert_int_equal(calls() - before, COUNTS_CALLS ? 4 : 0);
}

/* ---- Models ---- */

/* A sheet, a beam and a chain in one mesh, with all optional arrays. */
static taut_mesh everything(void)
{
    taut_mesh sheet = hanging_sheet(5), beam, chain, all = {0};
    assert_true(taut_mesh_beam(&beam, 2, 1, 1, 1, 1, 1, NULL));
    assert_true(taut_mesh_chain(&chain, 5, 1, NULL));
    size_t n1 = (size_t)sheet.nvertices, n2 = (size_t)beam.nvertices, n3 = (size_t)chain.nvertices;
    all.nvertices = (int)(n1 + n2 + n3);
    all.ntris = sheet.ntris;
    all.ntets = beam.ntets;
    all.nlines = chain.nlines;
    all.x = calloc(n1 + n2 + n3, 3 * sizeof(float));
    memcpy(all.x, sheet.x, 3 * n1 * sizeof(float));
    memcpy(all.x + 3 * n1, beam.x, 3 * n2 * sizeof(float));
    memcpy(all.x + 3 * (n1 + n2), chain.x, 3 * n3 * sizeof(float));
    all.pinned = calloc(n1 + n2 + n3, 1);
    all.pinned[0] = all.pinned[n1] = all.pinned[n1 + n2] = 1;
    all.tri = sheet.tri, sheet.tri = NULL;
    all.uv = sheet.uv, sheet.uv = NULL;
    all.tet = beam.tet, beam.tet = NULL;
    all.line = chain.line, chain.line = NULL;
    for (int i = 0; i < 4 * all.ntets; i++) all.tet[i] += (int)n1;
    for (int i = 0; i < 2 * all.nlines; i++) all.line[i] += (int)(n1 + n2);
    taut_mesh_free(&sheet);
    taut_mesh_free(&beam);
    taut_mesh_free(&chain);
    return all;
}

static void expect_no_memory(const taut_error *error)
{
    expect_error(error, (wanted){TAUT_NO_MEMORY, -1, "out of memory"});
}

/* Fails each allocation of a build with levels in turn; returns how many there are. */
static int64_t fail_every_build_with(const taut_mesh *mesh, const taut_material *material, int levels)
{
    taut_model_options ordinary = taut_default_model_options();
    ordinary.levels = levels;
    taut_model *plain = taut_model_build(mesh, material, &ordinary, NULL);
    assert_non_null(plain);
    for (int64_t n = 1;; n++) {
        heap h;
        taut_error error = stale();
        taut_model_options options = ordinary;
        heap_open(&h);
        heap_fail(&h, n);
        options.allocator = &h.hook;
        taut_model *model = taut_model_build(mesh, material, &options, &error);
        if (model) {
            assert_true(h.made < n);
            assert_int_equal(error.code, TAUT_OK);
            assert_true(taut_model_hash(model) == taut_model_hash(plain)); /* rubbish in new memory has no effect */
            taut_model_free(model);
        } else {
            expect_no_memory(&error);
            assert_true(h.made >= n);
        }
        assert_int_equal(h.live, 0);
        if (model) {
            taut_model_free(plain);
            return n - 1;
        }
    }
}

static int64_t fail_every_build(const taut_mesh *mesh, const taut_material *material)
{
    return fail_every_build_with(mesh, material, 0);
}

/* The default material with one kind of constraint alone. */
static taut_material only(const char *kind)
{
    taut_material m = taut_default_material();
    const taut_strain none = {.rest = {1, 1, 1}};
    m.strain = none;
    m.bend = (taut_bend){.model = TAUT_BEND_NONE};
    m.tether = m.drag = m.lift = 0;
    if (strcmp(kind, "aero") == 0) m.drag = 1;
    if (strcmp(kind, "distance") == 0) m.edge = 1;
    if (strcmp(kind, "strain_tri") == 0) m.strain.area = 1;
    if (strcmp(kind, "strain_tet") == 0) m.strain.volume = 1;
    if (strcmp(kind, "tether") == 0) m.tether = 1;
    if (strcmp(kind, "elastic_tri") == 0 || strcmp(kind, "elastic_tet") == 0) m.elastic.young = 1;
    if (strcmp(kind, "elastic_bend") == 0) m.elastic.bend = 1;
    if (strcmp(kind, "limit_tri") == 0 || strcmp(kind, "limit_tet") == 0) m.limit.stretch[1] = 1.1f;
    if (strcmp(kind, "limit_axes_tri") == 0 || strcmp(kind, "limit_axes_tet") == 0) m.limit.axis[1][0] = 0.9f;
    if (strcmp(kind, "limit_edge") == 0) m.limit.edge[1] = 1.1f;
    if (strcmp(kind, "limit_bend") == 0) m.limit.bend[1] = 1;
    static const struct {
        const char *kind;
        taut_bend bend;
    } bends[] = {
        {"dihedral", {.model = TAUT_BEND_DIHEDRAL}},
        {"isometric", {.model = TAUT_BEND_ISOMETRIC, .flat = true}},
        {"isometric_curved", {.model = TAUT_BEND_ISOMETRIC}},
        {"triangle_bend", {.model = TAUT_BEND_TRIANGLE}},
        {"triangle_bend_sided", {.model = TAUT_BEND_TRIANGLE, .sided = true}},
        {"midpoint_bend", {.model = TAUT_BEND_TRIANGLE, .creation = TAUT_BEND_MIDPOINT}},
        {"midpoint_bend_sided",
         {.model = TAUT_BEND_TRIANGLE, .creation = TAUT_BEND_MIDPOINT, .sided = true}},
        {"stick", {.model = TAUT_BEND_STICK}},
    };
    for (int i = 0; i < LENGTH(bends); i++)
        if (strcmp(bends[i].kind, kind) == 0) {
            m.bend = bends[i].bend;
            m.bend.stiffness = 0.5f;
        }
    return m;
}

static void every_allocation_of_a_build_may_fail(void **state)
{
    (void)state;
    taut_mesh mesh = everything();
    mesh.x[3 * 12 + 2] = 0.1f; /* a bump: curved bending has something to do */
    for (int kind = 0; kind < taut_kind_count(); kind++) {
        taut_material m = only(taut_kind_name(kind));
        taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
        assert_non_null(model);
        if (taut_model_constraints(model, kind) == 0) fail_msg("no %s constraints", taut_kind_name(kind));
        taut_model_free(model);
        assert_true(fail_every_build(&mesh, &m) > 10);
    }
    taut_material m = taut_default_material();
    m.edge = m.strain.area = 1;
    assert_true(fail_every_build(&mesh, &m) > 10);
    m = physical_cloth();
    assert_true(fail_every_build(&mesh, &m) > 10);
    taut_mesh_free(&mesh);
}

static void simple_meshes_too(void **state)
{
    (void)state;
    taut_mesh sheet = hanging_sheet(40), beam, chain; /* the sheet is of several parts and its lists grow */
    taut_material rope = rope_material();
    assert_true(taut_mesh_beam(&beam, 3, 2, 2, 1, 1, 1, NULL));
    assert_true(taut_mesh_chain(&chain, 10, 1, NULL));
    assert_true(fail_every_build(&sheet, NULL) > 10);
    assert_true(fail_every_build(&beam, NULL) > 10);
    assert_true(fail_every_build(&chain, &rope) > 10);
    taut_mesh_free(&sheet);
    taut_mesh_free(&beam);
    taut_mesh_free(&chain);
}

static void levels_too(void **state)
{
    (void)state;
    taut_mesh beam, sheet = hanging_sheet(8);
    assert_true(fail_every_build_with(&sheet, NULL, 1) > fail_every_build_with(&sheet, NULL, 0));
    taut_mesh_free(&sheet);
    taut_material m = taut_default_material();
    m.limit.stretch[1] = 1.1f;
    assert_true(taut_mesh_beam(&beam, 6, 4, 4, 1.5f, 1, 1, NULL));
    assert_true(fail_every_build_with(&beam, &m, 1) > fail_every_build_with(&beam, &m, 0));
    taut_mesh_free(&beam);
}

/* ---- Worlds ---- */

static taut_world_def def_on(heap *h, int threads)
{
    taut_world_def def = taut_default_world_def();
    def.threads = threads;
    def.substeps = 2;
    def.allocator = &h->hook;
    return def;
}

static void every_allocation_of_a_world_may_fail(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads++)
        for (int64_t n = 1;; n++) {
            heap h;
            taut_error error = stale();
            heap_open(&h);
            heap_fail(&h, n);
            taut_world_def def = def_on(&h, threads);
            taut_world *world = taut_world_create(&def, &error);
            if (!world) expect_no_memory(&error);
            else assert_true(h.made < n && n > 1);
            if (world) step_times(world, 1);
            taut_world_free(world);
            assert_int_equal(h.live, 0);
            if (world) break;
        }
}

/* A world with its heap, and one of the same contents that never ran out of memory. */
typedef struct pair {
    heap heap;
    taut_model *model[3];
    taut_world *world, *twin;
} pair;

static int open_pair(void **state)
{
    pair *p = calloc(1, sizeof *p);
    taut_material cloth = physical_cloth(), rope = rope_material();
    cloth.contact = TAUT_CONTACT_OFF; /* bodies that touch have tests of their own */
    heap_open(&p->heap);
    p->model[0] = sheet_model(6, &cloth);
    p->model[1] = beam_model(3, 1, 1, NULL);
    p->model[2] = chain_model(8, 1, &rope);
    taut_world_def def = def_on(&p->heap, 2);
    p->world = taut_world_create(&def, NULL);
    def.allocator = NULL;
    p->twin = taut_world_create(&def, NULL);
    assert_true(p->world && p->twin);
    *state = p;
    return 0;
}

static int close_pair(void **state)
{
    pair *p = *state;
    taut_world_free(p->world);
    taut_world_free(p->twin);
    assert_int_equal(p->heap.live, 0);
    for (int i = 0; i < LENGTH(p->model); i++) taut_model_free(p->model[i]);
    free(p);
    return 0;
}

static void expect_equal_steps(pair *p)
{
    heap_fail(&p->heap, 0);
    step_times(p->world, 2);
    step_times(p->twin, 2);
    assert_true(taut_world_hash(p->world) == taut_world_hash(p->twin));
}

static void every_allocation_of_a_body_may_fail(void **state)
{
    pair *p = *state;
    for (int i = 0; i < 40; i++) { /* so many that the list grows */
        const taut_model *model = p->model[i % LENGTH(p->model)];
        int failures = 0;
        for (int body = -1; body < 0; failures++) {
            taut_error error = stale();
            uint64_t hash = taut_world_hash(p->world);
            heap_fail(&p->heap, failures + 1);
            body = taut_world_add_body(p->world, model, NULL, &error);
            if (body >= 0) {
                assert_int_equal(body, i);
                assert_int_equal(error.code, TAUT_OK);
                break;
            }
            expect_no_memory(&error);
            assert_true(taut_world_hash(p->world) == hash);
            assert_false(taut_world_has_body(p->world, i));
        }
        assert_true(failures > 5);
        assert_int_equal(taut_world_add_body(p->twin, model, NULL, NULL), i);
        if (i % 8 == 0) expect_equal_steps(p);
    }
    assert_int_equal(taut_world_stats(p->world).bodies, 40);
    expect_equal_steps(p);
}

static void every_allocation_of_a_collider_may_fail(void **state)
{
    pair *p = *state;
    int total = 0;
    add_at(p->world, p->model[0], 0, 0, 0);
    add_at(p->twin, p->model[0], 0, 0, 0);
    for (int i = 0; i < 40; i++) {
        taut_collider_def def = taut_default_collider_def();
        def.a[1] = -0.5f - 0.01f * (float)i;
        for (int collider = -1, failures = 0; collider < 0; failures++, total++) {
            taut_error error = stale();
            heap_fail(&p->heap, failures + 1);
            collider = taut_world_add_collider(p->world, &def, &error);
            if (collider >= 0) {
                assert_int_equal(collider, i);
                break;
            }
            expect_no_memory(&error);
            assert_int_equal(taut_world_stats(p->world).colliders, i);
        }
        assert_int_equal(taut_world_add_collider(p->twin, &def, NULL), i);
        if (i % 8 == 0) expect_equal_steps(p);
    }
    assert_true(total >= 4); /* the lists grew at least twice */
}

static void every_allocation_of_an_attachment_may_fail(void **state)
{
    pair *p = *state;
    int total = 0;
    taut_attachment_def def = taut_default_attachment_def();
    def.body = add_at(p->world, p->model[0], 0, 0, 0);
    add_at(p->twin, p->model[0], 0, 0, 0);
    def.collider = add_floor(p->world, -3);
    add_floor(p->twin, -3);
    def.slack = 2.9f;
    for (int i = 0; i < 40; i++) {
        def.vertex = i % taut_model_vertices(p->model[0]);
        for (int id = -1, failures = 0; id < 0; failures++, total++) {
            taut_error error = stale();
            heap_fail(&p->heap, failures + 1);
            id = taut_world_attach(p->world, &def, &error);
            if (id >= 0) {
                assert_int_equal(id, i);
                break;
            }
            expect_no_memory(&error);
            assert_int_equal(taut_world_stats(p->world).attachments, i);
        }
        assert_int_equal(taut_world_attach(p->twin, &def, NULL), i);
        if (i % 8 == 0) expect_equal_steps(p);
    }
    assert_true(total >= 4); /* the lists grew at least twice */
}

/* Bodies that come and go leave nothing behind. */
static void removed_bodies_give_their_memory_back(void **state)
{
    pair *p = *state;
    int first = add_at(p->world, p->model[1], 0, 0, 0);
    int64_t live = p->heap.live;
    for (int i = 0; i < 50; i++) {
        int body = add_at(p->world, p->model[i % LENGTH(p->model)], 0, 0, 0);
        assert_true(p->heap.live > live);
        step_times(p->world, 1);
        taut_world_remove_body(p->world, body);
        assert_int_equal(p->heap.live, live);
    }
    assert_true(taut_world_has_body(p->world, first));
}

static void memory_of_a_model_is_its_own(void **state)
{
    (void)state;
    heap h, other;
    taut_model_options options = taut_default_model_options();
    taut_mesh mesh = hanging_sheet(6);
    heap_open(&h);
    heap_open(&other);
    taut_allocator copy = h.hook;
    options.allocator = &copy;
    taut_model *model = taut_model_build(&mesh, NULL, &options, NULL);
    taut_mesh_free(&mesh);
    memset(&copy, 0, sizeof copy); /* the struct was copied */
    assert_non_null(model);
    int64_t made = h.made;
    taut_world_def def = def_on(&other, 1);
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    add_at(world, model, 0, 0, 0);
    step_times(world, 3);
    assert_int_equal(h.made, made); /* bodies live in their world's memory */
    taut_world_free(world);
    assert_int_equal(other.live, 0);
    assert_true(h.live > 0);
    taut_model_free(model);
    assert_int_equal(h.live, 0);
    taut_model_free(NULL);
    taut_world_free(NULL);
}

/* ---- Steps ---- */

/* Everything that a game does between frames, except adding bodies and colliders. */
static void poke(taut_world *world, int body, int floor, int frame)
{
    const float gravity[3] = {0, -9 - 0.1f * (float)(frame % 5), 0}, wind[3] = {(float)(frame % 7), 0, 1};
    const float target[3] = {0.01f * (float)frame, 0, 0};
    taut_material m = *taut_body_material(world, body);
    taut_collider_def def = taut_default_collider_def();
    def.a[1] = -0.9f + 0.001f * (float)frame;
    m.damping.global = 0.1f * (float)(frame % 3);
    assert_true(taut_world_set_gravity(world, gravity, NULL) && taut_world_set_wind(world, wind, 1, NULL));
    assert_true(taut_world_set_solver(world, 1 + frame % 4, 1 + frame % 2, NULL));
    assert_true(taut_body_set_material(world, body, &m, NULL));
    assert_true(taut_body_pin(world, body, 0, target, frame % 2 ? 1 : 0.5f, NULL));
    assert_true(taut_body_pin(world, body, 3, NULL, 0.2f, NULL) && taut_body_unpin(world, body, 3, NULL));
    assert_true(taut_body_set_mass(world, body, 5, 0.1f, NULL));
    assert_true(taut_collider_move(world, floor, &def, NULL));
    (void)taut_world_stats(world);
    (void)taut_world_hash(world);
    (void)taut_body_worst_stretch(world, body);
    (void)taut_world_residual(world, taut_kind_find("strain_tri"));
}

static taut_model *large_sheet(void)
{
    taut_material cloth;
    assert_true(taut_preset_material(TAUT_DEFAULT_CLOTH, &cloth));
    cloth.contact = TAUT_CONTACT_OFF;
    return sheet_model(40, &cloth);
}

static void a_step_allocates_nothing(void **state)
{
    pair *p = *state;
    taut_model *large = large_sheet();
    int body = add_at(p->world, large, 0, 0, 0), floor = add_floor(p->world, -0.9f);
    for (int i = 0; i < 20; i++) add_at(p->world, p->model[i % LENGTH(p->model)], (float)i, 0, 0);
    heap_fail(&p->heap, 1); /* an allocation would fail */
    long before = calls();
    for (int frame = 0; frame < 100; frame++) {
        poke(p->world, body, floor, frame);
        taut_world_step(p->world, 1.0f / 60);
    }
    assert_int_equal(calls() - before, 0);
    assert_int_equal(p->heap.made, 0);
    heap_fail(&p->heap, 0);
    taut_world_remove_body(p->world, body);
    taut_model_free(large);
}

/* Without an allocator of the caller's, a step takes no memory from the C library either, with any number of
 * threads. */
static void a_step_does_not_call_malloc(void **state)
{
    pair *p = *state;
    taut_model *large = large_sheet();
    for (int threads = 1; threads <= 4; threads++) {
        taut_world_def def = taut_default_world_def();
        def.threads = threads;
        def.substeps = 2;
        taut_world *world = taut_world_create(&def, NULL);
        assert_non_null(world);
        int body = add_at(world, large, 0, 0, 0), floor = add_floor(world, -0.9f);
        for (int i = 0; i < 6; i++) add_at(world, p->model[i % LENGTH(p->model)], (float)i, 0, 0);
        long before = calls();
        for (int frame = 0; frame < 25; frame++) {
            poke(world, body, floor, frame);
            taut_world_step(world, 1.0f / 60);
        }
        assert_int_equal(calls() - before, 0);
        taut_world_free(world);
    }
    taut_model_free(large);
}

/* Every two bodies of the pile have features to compare. */
static void a_pile_of_many_bodies_keeps_to_its_memory(void **state)
{
    (void)state;
    heap h;
    heap_open(&h);
    taut_material cloth = taut_default_material();
    cloth.contact = TAUT_CONTACT_STRICT;
    taut_model *model = free_sheet_model(3, &cloth);
    taut_world_def def = taut_default_world_def();
    def.allocator = &h.hook;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    for (int i = 0; i < 60; i++) add_at(world, model, 0, 0, 0.001f * (float)i);
    for (int i = 0; i < 3; i++) taut_world_step(world, 0.01f);
    assert_true(taut_world_stats(world).contact_pairs > 0);
    taut_world_free(world); /* this checks the guards */
    assert_int_equal(h.live, 0);
    taut_model_free(model);
}

/* ---- Bodies that touch ---- */

static taut_model *touching_sheet(int n)
{
    taut_material cloth = taut_default_material();
    cloth.contact = TAUT_CONTACT_STRICT;
    return free_sheet_model(n, &cloth);
}

static void removed_bodies_that_touched_give_their_memory_back(void **state)
{
    (void)state;
    heap h;
    heap_open(&h);
    taut_model *model = touching_sheet(5);
    taut_world_def def = def_on(&h, 2);
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    int64_t live = 0;
    for (int i = 0; i < 20; i++) {
        int lower = add_at(world, model, 0, 0, 0), upper = add_at(world, model, 0, 0, 0.003f);
        step_times(world, 1);
        assert_true(taut_world_stats(world).contact_pairs > 0);
        taut_world_remove_body(world, lower);
        taut_world_remove_body(world, upper);
        if (i > 0) assert_int_equal(h.live, live);
        live = h.live;
    }
    taut_world_free(world);
    assert_int_equal(h.live, 0);
    taut_model_free(model);
}

/* Adds one more sheet to a pile. Each third sheet comes in fast, so that the search finds more pairs than before. */
static void pile_up(taut_world *world, const taut_model *model, int i)
{
    taut_body_def def = taut_default_body_def();
    def.position[2] = 0.006f * (float)i;
    def.velocity[2] = i % 3 == 2 ? -20 : 0;
    assert_int_equal(taut_world_add_body(world, model, &def, NULL), i);
}

/* Makes one step, in which each allocation fails once. Returns how many there were. */
static int64_t step_with_failures(heap *h, taut_world *world)
{
    for (int64_t n = 1;; n++) {
        uint64_t hash = taut_world_hash(world);
        heap_fail(h, n);
        if (taut_world_step(world, 1.0f / 60)) {
            assert_true(h->made < n);
            assert_true(taut_world_hash(world) != hash);
            return n - 1;
        }
        assert_true(h->made >= n);
        assert_true(taut_world_hash(world) == hash);
    }
}

/* A step for which there is no memory says so and changes nothing. Once there is memory, everything goes on as if there
 * had been enough all the time. */
static void every_allocation_of_contact_may_fail(void **state)
{
    (void)state;
    heap h;
    heap_open(&h);
    taut_model *model = touching_sheet(6);
    taut_world_def def = def_on(&h, 2);
    taut_world *world = taut_world_create(&def, NULL);
    def.allocator = NULL;
    taut_world *twin = taut_world_create(&def, NULL);
    assert_true(world && twin);
    int64_t growths = 0, failures = 0;
    for (int step = 0; step < 24; step++) {
        heap_fail(&h, 0);
        if (step % 4 == 0) pile_up(world, model, step / 4), pile_up(twin, model, step / 4);
        int64_t failed = step_with_failures(&h, world);
        failures += failed;
        growths += failed > 0;
        assert_true(taut_world_step(twin, 1.0f / 60));
        assert_true(taut_world_hash(world) == taut_world_hash(twin));
    }
    print_message("%d steps took memory, %d allocations\n", (int)growths, (int)failures);
    assert_true(growths >= 6 && failures > 100); /* each body made the island grow */
    assert_true(taut_world_stats(world).contact_pushes > 0);
    heap_fail(&h, 0);
    taut_world_free(world);
    taut_world_free(twin);
    assert_int_equal(h.live, 0);
    taut_model_free(model);
}

/* An engine's tasks: from the first one of a step on, nothing is allocated. */
typedef struct watch {
    heap heap;
    int64_t made; /* when the step began to move things; -1: it has not yet */
    int tasks;
} watch;

static void watched_tasks(int count, void (*task)(void *argument, int index), void *argument, void *user)
{
    watch *w = user;
    if (w->made < 0) w->made = w->heap.made;
    for (int i = 0; i < count; i++) {
        task(argument, i);
        assert_int_equal(w->heap.made, w->made);
        w->tasks++;
    }
}

static void memory_of_contact_grows_between_steps(void **state)
{
    (void)state;
    watch w = {.made = -1};
    heap_open(&w.heap);
    taut_model *model = touching_sheet(6);
    taut_world_def def = def_on(&w.heap, 1);
    def.parallel_for = watched_tasks;
    def.parallel_user = &w;
    taut_world *world = taut_world_create(&def, NULL);
    assert_non_null(world);
    int growths = 0;
    for (int step = 0; step < 24; step++) {
        if (step % 4 == 0) pile_up(world, model, step / 4);
        int64_t before = w.heap.made;
        w.made = -1;
        assert_true(taut_world_step(world, 1.0f / 60));
        assert_int_equal(w.heap.made, w.made);
        growths += w.heap.made > before;
    }
    assert_true(growths >= 6 && w.tasks > 1000);
    taut_world_free(world);
    assert_int_equal(w.heap.live, 0);
    taut_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heap_calls_are_counted),
        cmocka_unit_test(every_allocation_of_a_build_may_fail),
        cmocka_unit_test(simple_meshes_too),
        cmocka_unit_test(levels_too),
        cmocka_unit_test(every_allocation_of_a_world_may_fail),
        cmocka_unit_test_setup_teardown(every_allocation_of_a_body_may_fail, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(every_allocation_of_a_collider_may_fail, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(every_allocation_of_an_attachment_may_fail, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(removed_bodies_give_their_memory_back, open_pair, close_pair),
        cmocka_unit_test(memory_of_a_model_is_its_own),
        cmocka_unit_test_setup_teardown(a_step_allocates_nothing, open_pair, close_pair),
        cmocka_unit_test_setup_teardown(a_step_does_not_call_malloc, open_pair, close_pair),
        cmocka_unit_test(a_pile_of_many_bodies_keeps_to_its_memory),
        cmocka_unit_test(removed_bodies_that_touched_give_their_memory_back),
        cmocka_unit_test(every_allocation_of_contact_may_fail),
        cmocka_unit_test(memory_of_contact_grows_between_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
