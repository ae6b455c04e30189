#include "disc.h"

#include "base/vec.h"
#include "mesh/generate.h"
#include "random.h"

static double ring_width(const disc_shape *s, int ring)
{
    return ring <= s->inner ? s->inner_radius / s->inner : (s->radius - s->inner_radius) / (s->rings - s->inner);
}

static void put_ring(taut_mesh *mesh, const disc_shape *s, int ring, double jitter, uint32_t *seed)
{
    bool between = ring > s->inner && ring < s->rings;
    double width = ring_width(s, ring), shift = between ? jitter * width : 0;
    double out = ring <= s->inner ? width * ring : s->radius - width * (s->rings - ring);
    for (int i = 0; i < 6 * ring; i++) {
        double angle = 6.283185307179586 * i / (6 * ring);
        double x = out * cos(angle) + uniform(seed, -shift, shift), z = out * sin(angle) + uniform(seed, -shift, shift);
        tt_put_vertex(mesh, disc_ring(ring) + i, (vec3){x, 0, z});
    }
}

static void put_triangle(taut_mesh *mesh, int *triangle, int a, int b, int c)
{
    const int corner[3] = {a, b, c};
    tt_put_triangle(mesh, *triangle, a, b, c);
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 2; k++)
            mesh->uv[6 * (size_t)*triangle + 2 * i + k] = mesh->x[3 * (size_t)corner[i] + 2 * k];
    (*triangle)++;
}

/* Vertex i of a sixth of a ring. */
static int on_ring(int ring, int sixth, int i) { return ring ? disc_ring(ring) + (sixth * ring + i) % (6 * ring) : 0; }

bool disc_make(taut_mesh *mesh, const disc_shape *shape, double jitter, taut_error *error)
{
    int triangle = 0, rings = shape->rings;
    uint32_t seed = 1;
    if (!taut_mesh_allocate(mesh, disc_ring(rings + 1), 6 * (int64_t)rings * rings, 0, 0, true, false, error))
        return false;
    for (int ring = 1; ring <= rings; ring++) put_ring(mesh, shape, ring, jitter, &seed);
    for (int ring = 1; ring <= rings; ring++)
        for (int sixth = 0; sixth < 6; sixth++)
            for (int i = 0; i < ring; i++) {
                int outer = on_ring(ring, sixth, i), next = on_ring(ring, sixth, i + 1);
                int inner = on_ring(ring - 1, sixth, i);
                put_triangle(mesh, &triangle, outer, inner, next);
                if (i + 1 < ring) put_triangle(mesh, &triangle, inner, on_ring(ring - 1, sixth, i + 1), next);
            }
    return true;
}
