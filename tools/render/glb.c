/* A GLB file is a header, a JSON text and a block of numbers. taut's own lists its accessors last in the text, in the
 * order of their numbers in the block: for each body the positions at rest, the offsets of every frame and the indices
 * of triangles; then the times and a square of weights. So it is enough to know how many there are of each. */
#include "glb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct accessor {
    int view;
    size_t count;
    bool vectors, indices;
} accessor;

typedef struct reader {
    const char *path;
    taut_bytes bytes;
    const unsigned char *block; /* of numbers */
    size_t block_size;
    accessor *accessor;
    int naccessors;
    taut_error *error;
} reader;

static bool refuse(const reader *r, const char *cause)
{
    r->error->code = TAUT_BAD_MESH;
    r->error->index = -1;
    snprintf(r->error->text, sizeof r->error->text, "%.140s: %s", r->path, cause);
    return false;
}

static const char *const FOREIGN = "this GLB was not written by taut: only those can be drawn";

static uint32_t word_at(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* ---- The text --------------------------------------------------------------------------------------------------- */

static bool number_after(const char *from, const char *end, const char *key, unsigned long long *number)
{
    const char *at = strstr(from, key);
    if (!at || at >= end) return false;
    char *stop;
    *number = strtoull(at + strlen(key), &stop, 10);
    return stop != at + strlen(key);
}

static bool read_accessor(const char *from, const char *end, accessor *a)
{
    unsigned long long view, type, count;
    if (!number_after(from, end, "\"bufferView\":", &view) || !number_after(from, end, "\"componentType\":", &type) ||
        !number_after(from, end, "\"count\":", &count) || view > 1000000 || count > 1000000000)
        return false;
    const char *vectors = strstr(from, "\"VEC3\"");
    *a = (accessor){(int)view, (size_t)count, vectors && vectors < end, type == 5125};
    return true;
}

static bool read_accessors(reader *r, const char *text)
{
    const char *at = NULL;
    for (const char *next = text; (next = strstr(next, "\"accessors\":[")); next++) at = next;
    if (!at || !strstr(text, "\"generator\":\"taut ")) return refuse(r, FOREIGN);
    for (const char *end; (at = strstr(at, "{\"bufferView\":")) && (end = strchr(at, '}')); at = end) {
        accessor *more = realloc(r->accessor, sizeof *more * ((size_t)r->naccessors + 1));
        if (!more) return refuse(r, "out of memory");
        r->accessor = more;
        if (!read_accessor(at, end, &more[r->naccessors++])) return refuse(r, FOREIGN);
    }
    return true;
}

static bool read_text(reader *r)
{
    enum { HEADER = 12, CHUNK = 8 };
    const unsigned char *data = r->bytes.data;
    size_t size = r->bytes.size;
    if (size < HEADER + CHUNK || memcmp(data, "glTF", 4) != 0) return refuse(r, "this is not a GLB file");
    size_t text_size = word_at(data + HEADER), begin = HEADER + CHUNK;
    if (word_at(data + 8) != size || text_size > size - begin || size - begin - text_size < CHUNK)
        return refuse(r, "the file is cut off");
    r->block = data + begin + text_size + CHUNK;
    r->block_size = size - begin - text_size - CHUNK;
    if (word_at(r->block - CHUNK) != r->block_size) return refuse(r, "the file is cut off");
    char *text = malloc(text_size + 1);
    if (!text) return refuse(r, "out of memory");
    memcpy(text, data + begin, text_size);
    text[text_size] = '\0';
    bool fine = read_accessors(r, text);
    free(text);
    return fine;
}

/* ---- The numbers ------------------------------------------------------------------------------------------------ */

/* Accessors of one body, from number i on: rest and frames share a view. */
static int frames_from(const reader *r, int i)
{
    int end = i + 1;
    while (end < r->naccessors && r->accessor[end].vectors && r->accessor[end].view == r->accessor[i].view &&
           r->accessor[end].count == r->accessor[i].count)
        end++;
    return end - i - 1;
}

/* Counts bodies, frames, vertices and bytes; all bodies have the same frames, and the bytes are all there are. */
static bool count_all(const reader *r, glb *g)
{
    size_t bytes = 0, vertices = 0;
    int frames = -1, i = 0;
    while (i < r->naccessors && r->accessor[i].vectors) {
        int own = frames_from(r, i);
        if (frames >= 0 && own != frames) return refuse(r, FOREIGN);
        frames = own;
        bytes += 12 * r->accessor[i].count * ((size_t)own + 1);
        vertices += r->accessor[i].count;
        i += own + 1;
        if (i < r->naccessors && r->accessor[i].indices) bytes += 4 * r->accessor[i++].count;
        g->nmeshes++;
        if (bytes > r->block_size) return refuse(r, FOREIGN);
    }
    bytes += frames > 0 ? 4 * (size_t)frames * ((size_t)frames + 1) : 0;
    if (frames < 0 || bytes != r->block_size || vertices == 0) return refuse(r, FOREIGN);
    g->animation.nframes = frames > 0 ? frames : 1;
    g->animation.nvertices = (int)vertices;
    return true;
}

static float float_at(const unsigned char *p)
{
    uint32_t bits = word_at(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool take_triangles(const reader *r, const unsigned char *from, size_t count, taut_mesh *mesh)
{
    mesh->tri = malloc(sizeof *mesh->tri * (count + 1));
    if (!mesh->tri) return refuse(r, "out of memory");
    for (size_t k = 0; k < count; k++) {
        uint32_t index = word_at(from + 4 * k);
        if (index >= (uint32_t)mesh->nvertices) return refuse(r, "a triangle has a vertex that is not there");
        mesh->tri[k] = (int)index;
    }
    mesh->ntris = (int)(count / 3);
    return true;
}

/* Rest shape and all frames of one body, whose vertices begin at number `first` of all. */
static bool take_positions(const reader *r, const unsigned char *from, int frames, int first, taut_mesh *mesh,
                           const taut_animation *animation)
{
    size_t n = 3 * (size_t)mesh->nvertices;
    mesh->x = malloc(sizeof *mesh->x * (n + 1));
    if (!mesh->x) return refuse(r, "out of memory");
    for (size_t k = 0; k < n; k++) mesh->x[k] = float_at(from + 4 * k);
    for (int frame = 0; frame < animation->nframes; frame++) {
        float *to = animation->xyz + 3 * ((size_t)frame * (size_t)animation->nvertices + (size_t)first);
        const unsigned char *offset = from + 4 * n * ((size_t)frame + 1);
        for (size_t k = 0; k < n; k++) to[k] = mesh->x[k] + (frames > 0 ? float_at(offset + 4 * k) : 0);
    }
    return true;
}

static bool take_all(const reader *r, glb *g)
{
    const unsigned char *at = r->block;
    taut_animation *animation = &g->animation;
    int frames = frames_from(r, 0), first = 0;
    g->mesh = calloc((size_t)g->nmeshes, sizeof *g->mesh);
    animation->xyz = malloc(3 * sizeof *animation->xyz * (size_t)animation->nvertices * (size_t)animation->nframes);
    if (!g->mesh || !animation->xyz) return refuse(r, "out of memory");
    for (int m = 0, i = 0; m < g->nmeshes; m++) {
        taut_mesh *mesh = &g->mesh[m];
        mesh->nvertices = (int)r->accessor[i].count;
        if (!take_positions(r, at, frames, first, mesh, animation)) return false;
        at += 12 * r->accessor[i].count * ((size_t)frames + 1);
        first += mesh->nvertices;
        i += frames + 1;
        if (i >= r->naccessors || !r->accessor[i].indices) continue;
        if (!take_triangles(r, at, r->accessor[i].count, mesh)) return false;
        at += 4 * r->accessor[i++].count;
    }
    float last = frames > 1 ? float_at(at + 4 * ((size_t)frames - 1)) : 0;
    animation->fps = last > 0 ? (double)(frames - 1) / (double)last : 0;
    animation->frame_step = 1;
    return true;
}

bool glb_load(const char *path, glb *g, taut_error *error)
{
    reader r = {.path = path, .error = error};
    memset(g, 0, sizeof *g);
    if (!taut_file_read(path, &r.bytes, error)) return false;
    bool fine = read_text(&r) && count_all(&r, g) && take_all(&r, g);
    taut_bytes_free(&r.bytes);
    free(r.accessor);
    if (!fine) glb_free(g);
    return fine;
}

void glb_free(glb *g)
{
    for (int i = 0; g->mesh && i < g->nmeshes; i++) taut_mesh_free(&g->mesh[i]);
    free(g->mesh);
    taut_animation_free(&g->animation);
    memset(g, 0, sizeof *g);
}
