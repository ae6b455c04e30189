/* taut info of an animation cache. */
#include "file_kinds.h"
#include "info.h"
#include "render/glb.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct motion {
    float min[3], max[3]; /* over all frames */
    double farthest;      /* the longest way of any vertex from one frame to the next, m */
    int vertex, frame;    /* which vertex, and the frame that it reaches; -1: nothing moves */
} motion;

static motion measure(const taut_animation *a)
{
    motion m = {.vertex = -1, .frame = -1};
    size_t stride = 3 * (size_t)a->nvertices;
    memcpy(m.min, a->xyz, sizeof m.min);
    memcpy(m.max, a->xyz, sizeof m.max);
    for (int frame = 0; frame < a->nframes; frame++)
        for (int v = 0; v < a->nvertices; v++) {
            const float *now = &a->xyz[(size_t)frame * stride + 3 * (size_t)v], *before = now - (frame ? stride : 0);
            double squares = 0;
            for (int i = 0; i < 3; i++) {
                m.min[i] = fminf(m.min[i], now[i]);
                m.max[i] = fmaxf(m.max[i], now[i]);
                squares += ((double)now[i] - (double)before[i]) * ((double)now[i] - (double)before[i]);
            }
            if (sqrt(squares) > m.farthest) {
                m.farthest = sqrt(squares);
                m.vertex = v;
                m.frame = frame;
            }
        }
    return m;
}

static void print_text(const char *path, const glb *whole, const motion *m)
{
    const taut_animation *a = &whole->animation;
    printf("%s: animation\n", path);
    if (whole->nmeshes) info_row("meshes", "%d", whole->nmeshes);
    info_row("vertices", "%d", a->nvertices);
    if (a->fps > 0) info_row("frames", "%d at %.6g a second", a->nframes, a->fps);
    else info_row("frames", "%d; the file does not say how many a second", a->nframes);
    info_row("bounds", "%.6g %.6g %.6g  to  %.6g %.6g %.6g m", (double)m->min[0], (double)m->min[1], (double)m->min[2],
             (double)m->max[0], (double)m->max[1], (double)m->max[2]);
    if (m->vertex < 0) info_row("motion", "none");
    else info_row("motion", "at most %.4g m a frame: vertex %d to frame %d", m->farthest, m->vertex, m->frame);
}

static void print_json(const char *path, const glb *whole, const motion *m)
{
    const taut_animation *a = &whole->animation;
    info_json object;
    info_open(&object, "animation", path);
    if (whole->nmeshes) info_integer(&object, "meshes", whole->nmeshes);
    info_integer(&object, "vertices", a->nvertices);
    info_integer(&object, "frames", a->nframes);
    info_number(&object, "fps", a->fps);
    info_vector(&object, "min", m->min);
    info_vector(&object, "max", m->max);
    info_number(&object, "farthest", m->farthest);
    putchar('}');
}

/* A GLB is described as one file with the positions of all its meshes. */
bool info_animation(const char *path, bool json, taut_error *error)
{
    glb whole = {0};
    bool good = file_kind_of(path) == FILE_GLB ? glb_load(path, &whole, error)
                                               : taut_animation_load(path, &whole.animation, error);
    if (!good) return false;
    motion m = measure(&whole.animation);
    (json ? print_json : print_text)(path, &whole, &m);
    glb_free(&whole);
    return true;
}
