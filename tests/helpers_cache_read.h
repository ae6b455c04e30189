/* Shared by the tests of the cache writers: a folder for their files, writing, and a small reader for each format that
 * compares a file with the animation of helpers_cache.h. Include after cmocka.h, with _POSIX_C_SOURCE 200809L. */
#ifndef TAUT_TESTS_HELPERS_CACHE_READ_H
#define TAUT_TESTS_HELPERS_CACHE_READ_H

#include "helpers_cache.h"
#include "mesh/surface.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static char folder[] = "/tmp/taut-cache-XXXXXX";
static cache_show show;

static inline int open_folder(void **state)
{
    (void)state;
    cache_show_open(&show);
    return mkdtemp(folder) ? 0 : -1;
}

static inline int close_folder(void **state)
{
    (void)state;
    char command[200];
    cache_show_close(&show);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* A path in the folder of the test; four live at a time. */
static inline const char *in_folder(const char *name)
{
    static char path[4][300];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static inline bool exists(const char *name) { return access(in_folder(name), F_OK) == 0; }

/* ---- Bytes of a file, read piece by piece ---------------------------------------------------------------------- */

typedef struct bytes {
    unsigned char *data; /* with a zero behind the last */
    size_t size, at;
} bytes;

static inline bytes slurp(const char *name)
{
    FILE *file = fopen(in_folder(name), "rb");
    if (!file) fail_msg("%s is missing", name);
    fseek(file, 0, SEEK_END);
    bytes b = {.size = (size_t)ftell(file)};
    rewind(file);
    b.data = calloc(b.size + 1, 1);
    assert_int_equal(fread(b.data, 1, b.size, file), b.size);
    fclose(file);
    return b;
}

static inline const unsigned char *take(bytes *b, size_t size)
{
    assert_true(b->size - b->at >= size);
    b->at += size;
    return b->data + b->at - size;
}

static inline uint32_t take_little(bytes *b)
{
    const unsigned char *c = take(b, 4);
    return (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
}

static inline uint32_t take_big(bytes *b)
{
    const unsigned char *c = take(b, 4);
    return (uint32_t)c[3] | (uint32_t)c[2] << 8 | (uint32_t)c[1] << 16 | (uint32_t)c[0] << 24;
}

static inline float as_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void assert_same(float a, float b) { assert_memory_equal(&a, &b, sizeof a); }

/* The place in a text file behind the next `text`, which must be there. */
static inline const char *behind(const char *from, const char *text)
{
    const char *found = strstr(from, text);
    if (!found) fail_msg("\"%s\" is missing", text);
    return found + strlen(text);
}

static inline float next_float(const char **at)
{
    char *end;
    float value = strtof(*at, &end);
    assert_ptr_not_equal(*at, end);
    *at = end;
    return value;
}

static inline uint64_t next_number(const char **at)
{
    uint64_t value = 0;
    while (**at == ' ') ++*at;
    assert_in_range(**at, '0', '9');
    for (; **at >= '0' && **at <= '9'; ++*at) value = 10 * value + (uint64_t)(**at - '0');
    return value;
}

/* ---- Writing --------------------------------------------------------------------------------------------------- */

static inline taut_cache *open_cache(const char *name, int nobjects, int nframes, int first_frame)
{
    taut_error error;
    taut_cache *cache =
        taut_cache_open(in_folder(name), show.object, nobjects, CACHE_FPS, nframes, first_frame, &error);
    if (!cache) fail_msg("%s", error.text);
    return cache;
}

static inline void write_frames(taut_cache *cache, int first, int end)
{
    taut_error error;
    for (int frame = first; frame < end; frame++) {
        if (!cache_show_write(&show, cache, frame, &error)) fail_msg("%s", error.text);
    }
}

static inline void close_cache(taut_cache *cache)
{
    taut_error error;
    if (!taut_cache_close(cache, &error)) fail_msg("%s", error.text);
}

/* Writes the first `frames` of CACHE_FRAMES. */
static inline void write_cache(const char *name, int nobjects, int frames)
{
    taut_cache *cache = open_cache(name, nobjects, CACHE_FRAMES, 0);
    write_frames(cache, 0, frames);
    close_cache(cache);
}

/* ---- PC2 and MDD ----------------------------------------------------------------------------------------------- */

static inline void check_positions(bytes *b, int object, int frames, uint32_t (*take_word)(bytes *))
{
    for (int frame = 0; frame < frames; frame++) {
        cache_show_set(&show, frame);
        for (int k = 0; k < 3 * show.object[object].nvertices; k++) {
            assert_same(as_float(take_word(b)), show.xyz[object][k]);
        }
    }
}

static inline void check_pc2(const char *name, int object, int frames)
{
    bytes b = slurp(name);
    assert_memory_equal(take(&b, 12), "POINTCACHE2", 12);
    assert_int_equal(take_little(&b), 1);
    assert_int_equal(take_little(&b), show.object[object].nvertices);
    assert_same(as_float(take_little(&b)), 0);
    assert_same(as_float(take_little(&b)), 1);
    assert_int_equal(take_little(&b), frames);
    check_positions(&b, object, frames, take_little);
    assert_int_equal(b.at, b.size);
    free(b.data);
}

static inline void check_mdd(const char *name, int object, int frames)
{
    bytes b = slurp(name);
    assert_int_equal(take_big(&b), frames);
    assert_int_equal(take_big(&b), show.object[object].nvertices);
    for (int frame = 0; frame < frames; frame++) assert_same(as_float(take_big(&b)), (float)(frame / CACHE_FPS));
    check_positions(&b, object, frames, take_big);
    assert_int_equal(b.at, b.size);
    free(b.data);
}

/* ---- OBJ and PLY ----------------------------------------------------------------------------------------------- */

/* The faces with which object 1 is drawn. */
static inline const int *box_surface(tt_scope *scope, int *ntris)
{
    tt_scope_open(scope, NULL);
    return tt_surface(scope, show.box.x, show.box.tet, show.box.ntets, ntris);
}

static inline void check_obj(const char *name, int frame)
{
    int ntris;
    tt_scope scope;
    const int *tri = box_surface(&scope, &ntris);
    bytes b = slurp(name);
    const char *at = behind((char *)b.data, "o flag\n");
    cache_show_set(&show, frame);
    for (int object = 0; object < CACHE_OBJECTS; object++) {
        if (object == 1) at = behind(at, "o my \"box\" & <co>\n");
        if (object == 2) at = behind(at, "o 1-rope\n");
        for (int k = 0; k < 3 * show.object[object].nvertices; k++) {
            if (k % 3 == 0) at = behind(at, "v");
            assert_same(next_float(&at), show.xyz[object][k]);
        }
        for (int k = 0; object == 0 && k < flag_start[FLAG_POLYGONS]; k++) {
            if (k == flag_start[0] || k == flag_start[1] || k == flag_start[2]) at = behind(at, "\nf");
            assert_int_equal(next_number(&at), flag_polygon[k] + 1);
        }
        for (int k = 0; object == 1 && k < 3 * ntris; k++) {
            if (k % 3 == 0) at = behind(at, "\nf");
            assert_int_equal(next_number(&at), tri[k] + 7 + 1);
        }
    }
    assert_string_equal(at, "\n");
    free(b.data);
    tt_scope_close(&scope);
}

static inline void check_ply(const char *name, int frame, int wide_corners)
{
    int ntris = 0, nobjects = wide_corners ? 1 : 3;
    tt_scope scope;
    const int *tri = box_surface(&scope, &ntris);
    bytes b = slurp(name);
    const char *at = behind((char *)b.data, "ply\nformat binary_little_endian 1.0\nelement vertex ");
    int nvertices = 0;
    for (int i = 0; i < nobjects; i++) nvertices += show.object[i].nvertices;
    assert_int_equal(next_number(&at), nvertices);
    at = behind(at, "element face ");
    assert_int_equal(next_number(&at), wide_corners ? 1 : FLAG_POLYGONS + ntris);
    at = behind(at, wide_corners ? "property list int int" : "property list uchar int");
    b.at = (size_t)(behind(at, "end_header\n") - (char *)b.data);
    cache_show_set(&show, frame);
    for (int i = 0; i < nobjects; i++) {
        for (int k = 0; k < 3 * show.object[i].nvertices; k++) assert_same(as_float(take_little(&b)), show.xyz[i][k]);
    }
    if (wide_corners) {
        assert_int_equal(take_little(&b), wide_corners);
        take(&b, 4 * (size_t)wide_corners);
    } else {
        for (int i = 0; i < FLAG_POLYGONS; i++) {
            assert_int_equal(*take(&b, 1), flag_start[i + 1] - flag_start[i]);
            for (int k = flag_start[i]; k < flag_start[i + 1]; k++) assert_int_equal(take_little(&b), flag_polygon[k]);
        }
        for (int k = 0; k < 3 * ntris; k++) {
            if (k % 3 == 0) assert_int_equal(*take(&b, 1), 3);
            assert_int_equal(take_little(&b), tri[k] + 7);
        }
    }
    assert_int_equal(b.at, b.size);
    free(b.data);
    tt_scope_close(&scope);
}

/* ---- GLB ------------------------------------------------------------------------------------------------------- */

typedef struct view {
    uint64_t offset, bytes;
} view;

/* The data of the next accessor. Its bounds are compared with its data. */
static inline view check_accessor(const char **at, const view *views, const bytes *binary, int components,
                                  uint64_t *count)
{
    *at = behind(*at, "{\"bufferView\":");
    view v = views[next_number(at)];
    uint64_t offset = 0;
    if (strncmp(*at, ",\"byteOffset\":", 14) == 0) {
        *at += 14;
        offset = next_number(at);
    }
    *at = behind(*at, "\"count\":");
    *count = next_number(at);
    v.offset += offset;
    assert_true(offset + 4 * *count * (uint64_t)components <= v.bytes);
    v.bytes = 4 * *count * (uint64_t)components;
    const char *end = strchr(*at, '}'), *min = strstr(*at, "\"min\":["), *max = strstr(*at, "\"max\":[");
    if (components == 3) assert_true(min && min < end);
    for (int c = 0; min && min < end && c < components; c++) {
        min = c ? strchr(min, ',') + 1 : min + 7;
        max = c ? strchr(max, ',') + 1 : max + 7;
        float low = INFINITY, high = -INFINITY;
        for (uint64_t i = 0; i < *count; i++) {
            bytes b = *binary;
            b.at = v.offset + 4 * (i * (uint64_t)components + (uint64_t)c);
            float value = as_float(take_little(&b));
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        assert_true(strtof(min, NULL) == low && strtof(max, NULL) == high);
    }
    return v;
}

static inline float float_at(bytes binary, uint64_t at)
{
    binary.at = at;
    return as_float(take_little(&binary));
}

static inline void check_glb_objects(const char **at, const view *views, bytes binary, int frames)
{
    uint64_t count;
    const int fan[] = {0, 1, 5, 0, 5, 4, 0, 4, 1, 1, 2, 3, 1, 3, 6, 1, 6, 5};
    for (int object = 0; object < CACHE_OBJECTS; object++) {
        const taut_cache_object *o = &show.object[object];
        for (int frame = -1; frame < frames; frame++) {
            view v = check_accessor(at, views, &binary, 3, &count);
            assert_int_equal(count, o->nvertices);
            if (frame >= 0) cache_show_set(&show, frame);
            for (int k = 0; k < 3 * o->nvertices; k++) {
                float expected = frame < 0 ? o->rest[k] : show.xyz[object][k] - o->rest[k];
                assert_same(float_at(binary, v.offset + 4 * (uint64_t)k), expected);
            }
        }
        if (object == 2) continue;
        view v = check_accessor(at, views, &binary, 1, &count);
        binary.at = v.offset;
        if (object == 0) assert_int_equal(count, sizeof fan / sizeof *fan);
        for (uint64_t k = 0; object == 0 && k < count; k++) assert_int_equal(take_little(&binary), fan[k]);
    }
}

static inline void check_glb(const char *name, int frames)
{
    bytes b = slurp(name);
    assert_memory_equal(take(&b, 4), "glTF", 4);
    assert_int_equal(take_little(&b), 2);
    assert_int_equal(take_little(&b), b.size);
    uint32_t text_size = take_little(&b);
    assert_int_equal(text_size % 4, 0);
    assert_memory_equal(take(&b, 4), "JSON", 4);
    char *text = calloc(text_size + 1, 1);
    memcpy(text, take(&b, text_size), text_size);
    bytes binary = {.size = take_little(&b)};
    assert_memory_equal(take(&b, 4), "BIN", 4);
    assert_int_equal(b.size - b.at, binary.size);
    binary.data = b.data + b.at;

    behind(text, "\"name\":\"my \\\"box\\\" & <co>\"");
    if (frames) behind(text, "\"interpolation\":\"STEP\"");
    else assert_null(strstr(text, "animations"));
    view views[16];
    uint64_t end = 0;
    int nviews = 0;
    const char *at = behind(text, "\"bufferViews\":[");
    for (; *at != ']'; at = strchr(at, '}') + 1) {
        at = behind(at, "\"byteOffset\":");
        views[nviews].offset = next_number(&at);
        at = behind(at, "\"byteLength\":");
        views[nviews].bytes = next_number(&at);
        assert_int_equal(views[nviews].offset, end);
        end += views[nviews++].bytes;
    }
    assert_int_equal(end, binary.size);
    assert_int_equal(nviews, frames ? 7 : 5);
    at = behind(at, "\"accessors\":[");
    check_glb_objects(&at, views, binary, frames);
    uint64_t count, n = (uint64_t)frames;
    if (frames) {
        view times = check_accessor(&at, views, &binary, 1, &count);
        assert_int_equal(count, n);
        for (uint64_t i = 0; i < n; i++) {
            assert_same(float_at(binary, times.offset + 4 * i), (float)((double)i / CACHE_FPS));
        }
        view weights = check_accessor(&at, views, &binary, 1, &count);
        assert_int_equal(count, n * n);
        for (uint64_t i = 0; i < n * n; i++) assert_same(float_at(binary, weights.offset + 4 * i), i / n == i % n);
    }
    free(text);
    free(b.data);
}

/* ---- VTU and PVD ----------------------------------------------------------------------------------------------- */

/* Opens the next array of the appended data and checks its size. */
static inline bytes open_array(const char **at, const bytes *file, size_t data, const char *array, uint64_t size)
{
    char name[60];
    snprintf(name, sizeof name, "Name=\"%s\"", array);
    *at = behind(behind(*at, name), "offset=\"");
    bytes b = *file;
    b.at = data + next_number(at);
    assert_int_equal(take_little(&b), size);
    assert_int_equal(take_little(&b), 0);
    return b;
}

static inline void check_vtu(const char *name, int frame)
{
    bytes file = slurp(name);
    const char *at = (char *)file.data;
    size_t data = (size_t)(behind(at, "<AppendedData encoding=\"raw\">\n_") - at);
    const char *tail = "\n</AppendedData>\n</VTKFile>\n";
    cache_show_set(&show, frame);
    bytes b = {0};
    for (int object = 0; object < CACHE_OBJECTS; object++) {
        const taut_cache_object *o = &show.object[object];
        int ncells = o->npolygons + o->ntets, ncorners = object == 0 ? 12 : 4 * o->ntets;
        const int *corner = object == 0 ? flag_polygon : o->tet;
        const int flag_type[] = {9, 5, 7};
        uint64_t cell_bytes = 4 * (uint64_t)ncells;
        b = open_array(&at, &file, data, "Points", 12 * (uint64_t)o->nvertices);
        for (int k = 0; k < 3 * o->nvertices; k++) assert_same(as_float(take_little(&b)), show.xyz[object][k]);
        b = open_array(&at, &file, data, "connectivity", 4 * (uint64_t)ncorners);
        for (int k = 0; k < ncorners; k++) assert_int_equal(take_little(&b), corner[k]);
        b = open_array(&at, &file, data, "offsets", cell_bytes);
        for (int k = 0; k < ncells; k++) {
            assert_int_equal(take_little(&b), object == 0 ? flag_start[k + 1] : 4 * (k + 1));
        }
        b = open_array(&at, &file, data, "types", (uint64_t)ncells);
        for (int k = 0; k < ncells; k++) assert_int_equal(*take(&b, 1), object == 0 ? flag_type[k] : 10);
        b = open_array(&at, &file, data, "object", cell_bytes);
        for (int k = 0; k < ncells; k++) assert_int_equal(take_little(&b), object);
        b = open_array(&at, &file, data, "strain", cell_bytes);
        for (int k = 0; k < ncells; k++) assert_same(as_float(take_little(&b)), show.field[object][k]);
    }
    assert_string_equal((const char *)take(&b, strlen(tail)), tail);
    free(file.data);
}

static inline void check_pvd(const char *name, const char *frame_format, int frames)
{
    bytes b = slurp(name);
    const char *at = (char *)b.data;
    for (int frame = 0; frame < frames; frame++) {
        char expected[60];
        snprintf(expected, sizeof expected, frame_format, frame);
        at = behind(at, "<DataSet timestep=\"");
        char *end;
        assert_true(strtod(at, &end) == frame / CACHE_FPS);
        at = behind(at, "file=\"");
        assert_int_equal(strncmp(at, expected, strlen(expected)), 0);
    }
    assert_null(strstr(at, "<DataSet"));
    free(b.data);
}

/* ---- USDA ------------------------------------------------------------------------------------------------------ */

static inline void check_points(const char **at, const float *xyz, int nvertices)
{
    for (int k = 0; k < 3 * nvertices; k++) {
        if (k % 3 == 0) *at = behind(*at, "(");
        else *at = behind(*at, ", ");
        assert_same(next_float(at), xyz[k]);
    }
    assert_int_equal(strncmp(*at, ")]", 2), 0);
}

static inline void check_bounds(const char **at, const float *xyz, int nvertices)
{
    for (int side = 0; side < 2; side++) {
        for (int c = 0; c < 3; c++) {
            float bound = xyz[c];
            for (int i = 1; i < nvertices; i++) {
                float x = xyz[3 * i + c];
                if (side ? x > bound : x < bound) bound = x;
            }
            *at = behind(*at, c ? ", " : "(");
            assert_true(next_float(at) == bound);
        }
    }
}

static inline void check_usda(const char *name, int frames)
{
    const char *prim[] = {"def Mesh \"flag\"", "def Mesh \"my__box_____co_\"", "def Mesh \"_1_rope\""};
    bytes b = slurp(name);
    const char *at = (char *)b.data;
    assert_int_equal(strncmp(at, "#usda 1.0\n", 10), 0);
    at = behind(at, "endTimeCode = ");
    assert_int_equal(next_number(&at), frames ? frames - 1 : 0);
    at = behind(at, "timeCodesPerSecond = 25\n");
    at = behind(at, "metersPerUnit = 1\n");
    at = behind(at, "upAxis = \"Y\"\n");
    at = behind(at, "def Xform \"taut\"\n{");
    for (int object = 0; object < CACHE_OBJECTS; object++) {
        const taut_cache_object *o = &show.object[object];
        at = behind(at, prim[object]);
        if (object == 0) {
            at = behind(at, "int[] faceVertexCounts = [4, 3, 5]\n");
            at = behind(at, "int[] faceVertexIndices = [0, 1, 5, 4, 0, 4, 1, 1, 2, 3, 6, 5]\n");
        }
        if (object == 2) at = behind(at, "int[] faceVertexCounts = []\n        int[] faceVertexIndices = []\n");
        for (int pass = 0; pass < 2; pass++) {
            at = behind(at, pass ? "point3f[] points = [" : "float3[] extent = [");
            (pass ? check_points : check_bounds)(&at, o->rest, o->nvertices);
            if (frames) at = behind(at, pass ? "point3f[] points.timeSamples = {" : "float3[] extent.timeSamples = {");
            for (int frame = 0; frame < frames; frame++) {
                cache_show_set(&show, frame);
                at = behind(at, "            ");
                assert_int_equal(next_number(&at), frame);
                at = behind(at, ": [");
                (pass ? check_points : check_bounds)(&at, show.xyz[object], o->nvertices);
            }
        }
    }
    int depth = 0;
    for (const unsigned char *c = b.data; *c; c++) depth += (*c == '{') - (*c == '}');
    assert_int_equal(depth, 0);
    free(b.data);
}

#endif
