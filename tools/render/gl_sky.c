#include "gl_sky.h"

#include <stdlib.h>

static const float FAR_BELOW = -1e30f;

/* Directions spread evenly over the upper half of a sphere, without the horizon. */
void sky_open(sky *s)
{
    float sum = 0;
    for (int i = 0; i < SKY_LIGHTS; i++) {
        float y = 0.14f + 0.84f * ((float)i + 0.5f) / SKY_LIGHTS, r = sqrtf(1 - y * y), turn = 2.3999632f * (float)i;
        s->light[i] = axes_looking_from((point){r * cosf(turn), y, r * sinf(turn)});
        sum += y;
    }
    s->open = sum;
}

/* The place of a point in the square of a light: 0 .. SKY_TILE across the sphere. */
typedef struct spot {
    float u, v, height;
} spot;

static inline spot spot_of(const sky *s, int light, point p)
{
    const axes *a = &s->light[light];
    float scale = 0.5f * SKY_TILE / s->radius, middle = 0.5f * SKY_TILE;
    point from = minus(p, s->center);
    return (spot){middle + scale * dot(from, a->right), middle + scale * dot(from, a->up), dot(from, a->back)};
}

/* ---- Shadows ---------------------------------------------------------------------------------------------------- */

static bool add_sample(sky *s, point p)
{
    if (s->nsamples == s->room) {
        int room = s->room < 4096 ? 4096 : 2 * s->room;
        point *sample = realloc(s->sample, sizeof *sample * (size_t)room);
        if (!sample) return false;
        s->sample = sample;
        s->room = room;
    }
    s->sample[s->nsamples++] = p;
    return true;
}

static float length_of(point a) { return sqrtf(dot(a, a)); }

/* The number of steps of about a cell along a side. */
static int steps_along(const sky *s, point side)
{
    enum { MOST = 2 * SKY_TILE };
    float cells = length_of(side) * SKY_TILE / (2 * s->radius) / 1.2f;
    return cells < MOST ? (int)cells + 1 : isfinite(cells) ? MOST : 0;
}

/* Puts points on the triangle about a cell apart, along its shortest side ab and its side ac. So a thin triangle needs
 * few. */
static bool sample_along(sky *s, point a, point b, point c)
{
    point ab = minus(b, a), ac = minus(c, a);
    int nb = steps_along(s, ab), nc = steps_along(s, ac);
    for (int i = 0; i < nb; i++)
        for (int j = 0; j < nc; j++) {
            float u = ((float)i + 0.333f) / (float)nb, v = ((float)j + 0.333f) / (float)nc;
            if (u + v < 1 && !add_sample(s, plus(a, plus(scaled(ab, u), scaled(ac, v))))) return false;
        }
    return true;
}

static bool sample_triangle(sky *s, point a, point b, point c)
{
    point ab = minus(b, a), bc = minus(c, b), ca = minus(a, c);
    float ab2 = dot(ab, ab), bc2 = dot(bc, bc), ca2 = dot(ca, ca);
    if (ab2 <= bc2 && ab2 <= ca2) return sample_along(s, a, b, c);
    return bc2 <= ca2 ? sample_along(s, b, c, a) : sample_along(s, c, a, b);
}

static void cast_from(sky *s, int light)
{
    float *tile = s->height[light];
    for (int k = 0; k < SKY_TILE * SKY_TILE; k++) tile[k] = FAR_BELOW;
    for (int i = 0; i < s->nsamples; i++) {
        spot at = spot_of(s, light, s->sample[i]);
        if (!(at.u >= 0 && at.u < SKY_TILE && at.v >= 0 && at.v < SKY_TILE)) continue;
        float *height = &tile[(int)at.v * SKY_TILE + (int)at.u];
        if (at.height > *height) *height = at.height;
    }
}

bool sky_cast_shadows(sky *s, const paint_scene *scene)
{
    s->center = point_of(scene->center);
    s->radius = scene->radius;
    s->nsamples = 0;
    for (int t = 0; t < scene->ntriangles; t++) {
        const unsigned *v = &scene->triangle[3 * (size_t)t];
        if (!sample_triangle(s, point_of(scene->vertex[v[0]].position), point_of(scene->vertex[v[1]].position),
                             point_of(scene->vertex[v[2]].position)))
            return false;
    }
    for (int i = 0; i < SKY_LIGHTS; i++) cast_from(s, i);
    return true;
}

void sky_close(sky *s) { free(s->sample); }

/* ---- Light ------------------------------------------------------------------------------------------------------ */

/* The share of the four nearest heights that are not above the point, interpolated; 1 outside the square. */
static float openness(const float *tile, spot at)
{
    float u = at.u - 0.5f, v = at.v - 0.5f;
    if (!(u >= 0 && u < SKY_TILE - 1 && v >= 0 && v < SKY_TILE - 1)) return 1;
    int i = (int)u, j = (int)v;
    float fu = u - (float)i, fv = v - (float)j;
    const float *h = &tile[j * SKY_TILE + i];
    float upper = (h[0] <= at.height ? 1 - fu : 0) + (h[1] <= at.height ? fu : 0);
    float lower = (h[SKY_TILE] <= at.height ? 1 - fu : 0) + (h[SKY_TILE + 1] <= at.height ? fu : 0);
    return upper * (1 - fv) + lower * fv;
}

/* Points are lifted off their own surface, because otherwise they would be in its shadow. */
void sky_shine(const sky *s, const float *position, const float *normal, size_t stride, int count, sky_sides *sides)
{
    const float lift = 2.6f * s->radius / SKY_TILE;
    for (int v = 0; v < count; v++) sides[v] = (sky_sides){0, 0};
    for (int i = 0; i < SKY_LIGHTS; i++) {
        point light = s->light[i].back;
        for (int v = 0; v < count; v++) {
            size_t at = (size_t)v * stride / sizeof(float);
            point n = point_of(normal + at);
            float facing = dot(n, light);
            point from = plus(point_of(position + at), scaled(plus(light, scaled(n, facing < 0 ? -1 : 1)), lift));
            float arrives = facing * openness(s->height[i], spot_of(s, i, from)) / s->open;
            if (arrives > 0) sides[v].front += arrives;
            else sides[v].back -= arrives;
        }
    }
}
