#include "io/animated.h"
#include "base/error.h"
#include "io/cache_names.h"
#include "io/mesh_build.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Binary caches -------------------------------------------------------------------------- */

/* Reads all positions, from the reader's place to the end of the file. The file must hold exactly that many. */
static bool read_positions(tio_text *text, int64_t nvertices, int64_t nframes, taut_animation *animation)
{
    if (nvertices < 1 || nframes < 1)
        return tio_fail(text, "%lld vertices and %lld frames: there must be at least one of each",
                        (long long)nvertices, (long long)nframes);
    int64_t left = (int64_t)tio_bytes_left(text) / 12;
    if (nvertices > left || nframes > left / nvertices)
        return tio_fail(text, "the file ends before %lld frame%s of %lld vert%s", (long long)nframes,
                        nframes == 1 ? "" : "s", (long long)nvertices, nvertices == 1 ? "ex" : "ices");
    size_t count = 3 * (size_t)nvertices * (size_t)nframes;
    animation->xyz = malloc(count * sizeof *animation->xyz);
    if (!animation->xyz) return tt_no_memory(text->error);
    for (size_t i = 0; i < count; i++)
        if (!tio_binary_float(text, TIO_FLOAT, "position", &animation->xyz[i])) return false;
    if (tio_bytes_left(text))
        return tio_fail(text, "%zu bytes follow the last frame", tio_bytes_left(text));
    animation->nvertices = (int)nvertices;
    animation->nframes = (int)nframes;
    return true;
}

static bool finish(bool good, taut_animation *animation)
{
    if (!good) taut_animation_free(animation);
    return good;
}

static bool read_pc2(tio_text *text, taut_animation *animation)
{
    int64_t version = 0, nvertices = 0, nframes = 0;
    float start = 0, step = 0;
    if (tio_bytes_left(text) < 12 || memcmp(text->next, "POINTCACHE2", 12) != 0)
        return tio_fail(text, "this is not a PC2 file: it does not begin with POINTCACHE2");
    if (!tio_skip_bytes(text, 12, "name") || !tio_binary_integer(text, TIO_INT32, "version", &version) ||
        !tio_binary_integer(text, TIO_INT32, "number of vertices", &nvertices) ||
        !tio_binary_float(text, TIO_FLOAT, "start", &start) || !tio_binary_float(text, TIO_FLOAT, "step", &step) ||
        !tio_binary_integer(text, TIO_INT32, "number of frames", &nframes))
        return false;
    if (version != 1) return tio_fail(text, "version %lld of PC2 is not known, only 1", (long long)version);
    if (!(step > 0)) return tio_fail(text, "frames are %g frames apart, that must be above 0", (double)step);
    animation->frame_step = step;
    return read_positions(text, nvertices, nframes, animation);
}

bool tio_read_pc2(const char *name, const taut_bytes *bytes, taut_animation *animation, taut_error *error)
{
    tio_text text;
    *animation = (taut_animation){.frame_step = 1};
    tio_text_open(&text, name, bytes->data, bytes->size, error);
    text.binary = true;
    return finish(read_pc2(&text, animation), animation);
}

/* Times are floats, so late times are coarse. A time may be off its even place by a quarter of a frame, but no more. */
static bool read_times(tio_text *text, int64_t nframes, double *fps)
{
    double first = 0, second = 0, time = 0;
    const char *begin = text->next;
    if (nframes < 0 || (uint64_t)nframes > tio_bytes_left(text) / 4)
        return tio_fail(text, "the file ends before %lld times", (long long)nframes);
    for (int64_t i = 0; i < nframes; i++) {
        if (!tio_binary_number(text, TIO_FLOAT, "time", &time)) return false;
        if (i == 0) first = time;
        if (i == 1) second = time;
    }
    if (nframes < 2) return true;
    double apart = (time - first) / (double)(nframes - 1);
    if (!(second > first && apart > 0)) return true; /* a file without times has zeros there */
    text->next = begin;
    for (int64_t i = 0; i < nframes; i++) {
        if (!tio_binary_number(text, TIO_FLOAT, "time", &time)) return false;
        double expected = first + apart * (double)i;
        if (fabs(time - expected) > 0.25 * apart)
            return tio_fail(text, "frame %lld is at %g s, but evenly spaced frames would have it at %g s", (long long)i,
                            time, expected);
    }
    *fps = 1 / apart;
    return true;
}

static bool read_mdd(tio_text *text, taut_animation *animation)
{
    int64_t nvertices = 0, nframes = 0;
    return tio_binary_integer(text, TIO_INT32, "number of frames", &nframes) &&
           tio_binary_integer(text, TIO_INT32, "number of vertices", &nvertices) &&
           read_times(text, nframes, &animation->fps) && read_positions(text, nvertices, nframes, animation);
}

bool tio_read_mdd(const char *name, const taut_bytes *bytes, taut_animation *animation, taut_error *error)
{
    tio_text text;
    *animation = (taut_animation){.frame_step = 1};
    tio_text_open(&text, name, bytes->data, bytes->size, error);
    text.binary = text.big_endian = true;
    return finish(read_mdd(&text, animation), animation);
}

/* ---- A file a frame ------------------------------------------------------------------------- */

enum { LAST_START = 9999 };

/* Sets *found to whether there is a file of that name. */
static bool look_for(const char *path, bool *found, taut_error *error)
{
    errno = 0;
    FILE *file = fopen(path, "rb");
    *found = file != NULL;
    if (file) fclose(file);
    if (file || errno == ENOENT) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s: cannot open: %s", path, strerror(errno));
}

static bool add_frame(const char *path, tio_list *xyz, taut_animation *animation, taut_error *error)
{
    taut_mesh_file file;
    if (!taut_mesh_load(path, &file, error)) return false;
    int n = file.mesh.nvertices;
    bool good = true;
    if (animation->nframes == 0) animation->nvertices = n;
    if (n != animation->nvertices)
        good = tt_fail(error, TAUT_BAD_MESH, -1, "%s: %d vertices, but the first frame has %d", path, n,
                       animation->nvertices);
    good = good && tio_append(xyz, file.mesh.x, 3 * (size_t)n * sizeof *file.mesh.x, error);
    taut_mesh_file_free(&file);
    if (good) animation->nframes++;
    return good;
}

/* Reads the file of a frame. At the end of the sequence *found becomes false, without an error. */
static bool add_numbered(const char *path, int number, tio_list *xyz, taut_animation *animation, bool *found,
                         taut_error *error)
{
    char *frame = tio_frame_path(path, number, path + tio_ending(path));
    if (!frame) return tt_no_memory(error);
    bool good = look_for(frame, found, error) && (!*found || add_frame(frame, xyz, animation, error));
    free(frame);
    return good;
}

static bool read_numbered(const char *path, tio_list *xyz, taut_animation *animation, taut_error *error)
{
    bool found = false;
    int number = 0;
    while (!found && number <= LAST_START)
        if (!add_numbered(path, number++, xyz, animation, &found, error)) return false;
    if (!found)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s: there is no such file, nor a sequence that begins at 0 to %d",
                       path, LAST_START);
    while (found)
        if (!add_numbered(path, number++, xyz, animation, &found, error)) return false;
    return true;
}

bool tio_read_sequence(const char *path, taut_animation *animation, taut_error *error)
{
    tio_list xyz = {0};
    *animation = (taut_animation){.frame_step = 1};
    tt_clear(error);
    bool single = false, good = strchr(tio_base_name(path), '%') || look_for(path, &single, error);
    if (good) good = single ? add_frame(path, &xyz, animation, error) : read_numbered(path, &xyz, animation, error);
    animation->xyz = xyz.data;
    if (good && animation->nvertices == 0) good = tt_fail(error, TAUT_BAD_MESH, -1, "%s: there is no vertex", path);
    return finish(good, animation);
}

/* ---- Any of them ---------------------------------------------------------------------------- */

bool taut_animation_load(const char *path, taut_animation *animation, taut_error *error)
{
    taut_bytes bytes;
    bool pc2 = tio_ends_with(path, "pc2"), mdd = tio_ends_with(path, "mdd");
    *animation = (taut_animation){0};
    if (!pc2 && !mdd) return tio_read_sequence(path, animation, error);
    if (!taut_file_read(path, &bytes, error)) return false;
    bool good = pc2 ? tio_read_pc2(path, &bytes, animation, error) : tio_read_mdd(path, &bytes, animation, error);
    taut_bytes_free(&bytes);
    return good;
}

void taut_animation_free(taut_animation *animation)
{
    if (!animation) return;
    free(animation->xyz);
    *animation = (taut_animation){0};
}
