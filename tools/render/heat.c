#include "heat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Colours ---------------------------------------------------------------------------------------------------- */

/* Between control points colours are mixed in Oklab (Ottosson 2020), where equal steps look equal. */
typedef struct lab {
    float L, a, b;
} lab;

static float to_linear(float c) { return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f); }
static float to_srgb(float c) { return c <= 0.0031308f ? 12.92f * c : 1.055f * powf(c, 1 / 2.4f) - 0.055f; }

static lab lab_of(unsigned hex)
{
    float r = to_linear((float)(hex >> 16) / 255), g = to_linear((float)(hex >> 8 & 255) / 255);
    float b = to_linear((float)(hex & 255) / 255);
    float l = cbrtf(0.4122215f * r + 0.5363325f * g + 0.0514460f * b);
    float m = cbrtf(0.2119035f * r + 0.6806995f * g + 0.1073970f * b);
    float s = cbrtf(0.0883025f * r + 0.2817188f * g + 0.6299787f * b);
    return (lab){0.2104543f * l + 0.7936178f * m - 0.0040720f * s, 1.9779985f * l - 2.4285922f * m + 0.4505937f * s,
                 0.0259040f * l + 0.7827718f * m - 0.8086758f * s};
}

static unsigned char byte_of(float linear)
{
    return (unsigned char)(255 * to_srgb(fminf(fmaxf(linear, 0), 1)) + 0.5f);
}

static void rgb_of(lab c, unsigned char rgb[3])
{
    float l = c.L + 0.3963378f * c.a + 0.2158038f * c.b, m = c.L - 0.1055613f * c.a - 0.0638542f * c.b;
    float s = c.L - 0.0894842f * c.a - 1.2914855f * c.b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    rgb[0] = byte_of(4.0767417f * l - 3.3077116f * m + 0.2309699f * s);
    rgb[1] = byte_of(-1.2684380f * l + 2.6097574f * m - 0.3413194f * s);
    rgb[2] = byte_of(-0.0041961f * l - 0.7034186f * m + 1.7076147f * s);
}

void heat_open(heat_map *h, taut_measure measure)
{
    enum { POINTS = 7 };
    static const unsigned about_zero[POINTS] = {0x123a7a, 0x2f74b8, 0x86b8dc, 0xf2efe9, 0xeea57f, 0xcf4f3f, 0x7d1024};
    static const unsigned from_zero[POINTS] = {0xf4f0e6, 0xf3d9a0, 0xf0ad63, 0xe2764c, 0xbd4459, 0x7d2a66, 0x35165a};
    const unsigned *point = measure == TAUT_BEND ? from_zero : about_zero;
    memset(h, 0, sizeof *h);
    h->measure = measure;
    for (int i = 0; i < 256; i++) {
        float at = (float)i / 255 * (POINTS - 1);
        int k = at < POINTS - 2 ? (int)at : POINTS - 2;
        float t = at - (float)k;
        lab p = lab_of(point[k]), q = lab_of(point[k + 1]);
        rgb_of((lab){p.L + t * (q.L - p.L), p.a + t * (q.a - p.a), p.b + t * (q.b - p.b)}, h->color[i]);
    }
}

void heat_color(const heat_map *h, const float *value, int count, unsigned char *rgb)
{
    for (int v = 0; v < count; v++) {
        float at = (value[v] - h->low) / (h->high - h->low);
        int i = at > 0 ? (at < 1 ? (int)(255 * at + 0.5f) : 255) : 0;
        memcpy(rgb + 3 * (size_t)v, h->color[i], 3);
    }
}

/* ---- Values ----------------------------------------------------------------------------------------------------- */

void heat_set_range(heat_map *h, float largest)
{
    static const float steps[] = {1, 2, 3, 5, 10};
    float most = fmaxf(largest, 1e-4f), decade = powf(10, floorf(log10f(most)));
    int i = 0;
    while (i < 4 && steps[i] * decade < most * 0.999f) i++;
    h->high = steps[i] * decade;
    h->low = h->measure == TAUT_BEND ? 0 : -h->high;
}

bool heat_measure(const heat_map *h, const clip_object *object, const float *xyz, float *per_vertex)
{
    memset(per_vertex, 0, sizeof *per_vertex * (size_t)object->nvertices);
    if (!object->measurer) return true;
    float *per_cell = malloc(sizeof *per_cell * ((size_t)taut_measurer_cells(object->measurer) + 1));
    if (!per_cell) return false;
    taut_measurer_apply(object->measurer, xyz, h->measure, per_cell);
    bool fine = taut_measurer_to_vertices(object->measurer, per_cell, per_vertex);
    free(per_cell);
    return fine;
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

float heat_extent(float *value, int count)
{
    if (count < 1) return 0;
    for (int i = 0; i < count; i++) value[i] = fabsf(value[i]);
    qsort(value, (size_t)count, sizeof *value, ascending);
    return value[(size_t)(count - 1) * 99 / 100];
}
