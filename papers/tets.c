#include "tets.h"

#include "vec.h"

void tets_measure_of(const taut_mesh *mesh, const float *xyz, tets_measure *m)
{
    const ref_forms forms = {REF_STRETCH_SPAN, REF_SHEAR_ANGLE};
    const int corner[4] = {0, 1, 2, 3};
    double whole = 0, now = 0;
    *m = (tets_measure){0};
    for (int t = 0; t < mesh->ntets; t++) {
        vec rest[4], p[4], axes[3], g[4];
        ref_double_strain_tet tet;
        for (int i = 0; i < 4; i++) {
            const size_t at = 3 * (size_t)mesh->tet[4 * (size_t)t + (size_t)i];
            rest[i] = vec_at(mesh->x + at);
            p[i] = vec_at(xyz + at);
        }
        for (int i = 0; i < 3; i++) axes[i] = vec_at(mesh->frame + 9 * (size_t)t + 3 * (size_t)i);
        ref_double_strain_tet_rest(&tet, corner, rest, axes);
        for (int i = 0; i < 3; i++) {
            m->stretch[i] += fabs(ref_double_strain_tet_gradient(&tet, forms, REF_TET_XX + i, p, g)) / mesh->ntets;
            m->shear += fabs(ref_double_strain_tet_gradient(&tet, forms, REF_TET_XY + i, p, g)) / (3 * mesh->ntets);
        }
        double ratio = 1 + ref_double_strain_tet_gradient(&tet, forms, REF_TET_VOLUME, p, g);
        double volume = 1 / fabs(tet.det); /* det of Q: six times the volume at rest */
        m->volume_off += fabs(ratio - 1) / mesh->ntets;
        m->inverted += ratio < 0;
        whole += volume;
        now += ratio * volume;
    }
    m->volume = now / whole;
}
