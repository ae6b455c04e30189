/* A GLB file is a header, a JSON text and a block of numbers. taut's own files list the accessors last in the text,
 * in the order of their numbers in the block: for each body the positions at rest, the offsets of every frame, UVs
 * (some bodies have none) and the indices of triangles; then the times and a square of weights. So the reader needs to
 * know only how many there are of each. Vertices with several UVs have copies after all others; "originals" lists the
 * vertices that they copy. */
#include "glb.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct accessor {
    int view;
    size_t count;
    bool vectors, uvs, indices;
} accessor;

typedef struct copies {
    int body, count;
    int *original;
} copies;

typedef struct reader {
    const char *path;
    taut_bytes bytes;
    const unsigned char *block; /* of numbers */
    size_t block_size;
    accessor *accessor;
    int naccessors;
    copies *copies; /* of the bodies that have any, in their order */
    int ncopies;
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
    const char *kind = strstr(from, "\"type\":\"");
    bool known = kind && kind < end;
    *a = (accessor){(int)view, (size_t)count, known && strncmp(kind + 8, "VEC3", 4) == 0,
                    known && strncmp(kind + 8, "VEC2", 4) == 0, type == 5125};
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

/* Reads a list such as "3,7,9]". */
static bool read_list(reader *r, const char *at, copies *c)
{
    for (char *stop; *at >= '0' && *at <= '9'; at = *stop == ',' ? stop + 1 : stop) {
        unsigned long number = strtoul(at, &stop, 10);
        bool full = (c->count & (c->count - 1)) == 0; /* room doubles at powers of two */
        int *more = full ? realloc(c->original, 2 * sizeof *more * ((size_t)c->count + 1)) : c->original;
        if (!more) return refuse(r, "out of memory");
        c->original = more;
        c->original[c->count++] = number < INT_MAX ? (int)number : INT_MAX;
    }
    return *at == ']' || refuse(r, FOREIGN);
}

/* Every body has attributes, perhaps followed by a list. */
static bool read_originals(reader *r, const char *text)
{
    static const char attributes[] = "\"attributes\":{", list[] = "\"originals\":[";
    const char *body = strstr(text, attributes);
    int number = -1;
    for (const char *at = text; (at = strstr(at, list));) {
        for (; body && body < at; number++) body = strstr(body + 1, attributes);
        copies *more = realloc(r->copies, sizeof *more * ((size_t)r->ncopies + 1));
        if (!more) return refuse(r, "out of memory");
        r->copies = more;
        more[r->ncopies] = (copies){.body = number};
        at += strlen(list);
        if (!read_list(r, at, &more[r->ncopies++])) return false;
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
    bool fine = read_accessors(r, text) && read_originals(r, text);
    free(text);
    return fine;
}

/* ---- The numbers ------------------------------------------------------------------------------------------------ */

/* Counts the frames of the body whose accessors begin at number i: rest and frames share a view. */
static int frames_from(const reader *r, int i)
{
    int end = i + 1;
    while (end < r->naccessors && r->accessor[end].vectors && r->accessor[end].view == r->accessor[i].view &&
           r->accessor[end].count == r->accessor[i].count)
        end++;
    return end - i - 1;
}

static int by_body(const void *a, const void *b) { return ((const copies *)a)->body - ((const copies *)b)->body; }

/* The copies of vertices that a body has. */
static copies copies_of(const reader *r, int body)
{
    const copies none = {.body = body}, *found = NULL;
    if (r->ncopies > 0) found = bsearch(&none, r->copies, (size_t)r->ncopies, sizeof none, by_body);
    return found ? *found : none;
}

/* Counts bodies, frames, vertices and bytes. All bodies must have the same frames, and the bytes must match exactly. */
static bool count_all(const reader *r, glb *g)
{
    size_t bytes = 0, vertices = 0;
    int frames = -1, i = 0;
    while (i < r->naccessors && r->accessor[i].vectors) {
        int own = frames_from(r, i);
        if (frames >= 0 && own != frames) return refuse(r, FOREIGN);
        frames = own;
        bytes += 12 * r->accessor[i].count * ((size_t)own + 1);
        size_t copied = (size_t)copies_of(r, g->nmeshes).count;
        if (copied >= r->accessor[i].count && copied > 0) return refuse(r, FOREIGN);
        vertices += r->accessor[i].count - copied;
        i += own + 1;
        if (i < r->naccessors && r->accessor[i].uvs) bytes += 8 * r->accessor[i++].count;
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

/* Reads the triangles. `uv` NULL: there are no UVs. */
static bool take_triangles(const reader *r, const unsigned char *from, size_t count, const copies *c,
                           const unsigned char *uv, taut_mesh *mesh)
{
    uint32_t nvertices = (uint32_t)mesh->nvertices, ncopies = (uint32_t)c->count;
    mesh->tri = malloc(sizeof *mesh->tri * (count + 1));
    if (uv) mesh->uv = malloc(2 * sizeof *mesh->uv * (count + 1));
    if (!mesh->tri || (uv && !mesh->uv)) return refuse(r, "out of memory");
    for (size_t k = 0; k < count; k++) {
        uint32_t index = word_at(from + 4 * k);
        if (index >= nvertices + ncopies) return refuse(r, "a triangle has a vertex that is not there");
        mesh->tri[k] = index < nvertices ? (int)index : c->original[index - nvertices];
        if (mesh->tri[k] >= mesh->nvertices) return refuse(r, "a copy has no original");
        if (!uv) continue;
        mesh->uv[2 * k] = float_at(uv + 8 * (size_t)index);
        mesh->uv[2 * k + 1] = 1 - float_at(uv + 8 * (size_t)index + 4); /* glTF counts v downward */
    }
    mesh->ntris = (int)(count / 3);
    return true;
}

/* Reads the rest shape and all frames of one body. Its vertices begin at number `first` of all; a frame takes `stride`
 * bytes. */
static bool take_positions(const reader *r, const unsigned char *from, size_t stride, int frames, int first,
                           taut_mesh *mesh, const taut_animation *animation)
{
    size_t n = 3 * (size_t)mesh->nvertices;
    mesh->x = malloc(sizeof *mesh->x * (n + 1));
    if (!mesh->x) return refuse(r, "out of memory");
    for (size_t k = 0; k < n; k++) mesh->x[k] = float_at(from + 4 * k);
    for (int frame = 0; frame < animation->nframes; frame++) {
        float *to = animation->xyz + 3 * ((size_t)frame * (size_t)animation->nvertices + (size_t)first);
        const unsigned char *offset = from + stride * ((size_t)frame + 1);
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
        const copies c = copies_of(r, m);
        size_t stride = 12 * r->accessor[i].count;
        const unsigned char *uv = NULL;
        mesh->nvertices = (int)r->accessor[i].count - c.count;
        if (!take_positions(r, at, stride, frames, first, mesh, animation)) return false;
        at += stride * ((size_t)frames + 1);
        first += mesh->nvertices;
        i += frames + 1;
        if (i < r->naccessors && r->accessor[i].uvs) {
            if (12 * r->accessor[i].count != stride) return refuse(r, FOREIGN);
            uv = at;
            at += 8 * r->accessor[i++].count;
        }
        if (i >= r->naccessors || !r->accessor[i].indices) continue;
        if (!take_triangles(r, at, r->accessor[i].count, &c, uv, mesh)) return false;
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
    for (int i = 0; i < r.ncopies; i++) free(r.copies[i].original);
    free(r.copies);
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
