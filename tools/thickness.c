/* Layers keep at most a quarter of the mean edge of their mesh as their distance (docs/contact.md). For fine cloth that
 * is usual, and does not show. A thickness above a whole edge is more likely a mistake, for example a wrong unit. */
#include "thickness.h"

#include <math.h>
#include <stdio.h>

static double side_between(const taut_mesh *mesh, int a, int b)
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        double d = (double)mesh->x[3 * (size_t)a + (size_t)c] - (double)mesh->x[3 * (size_t)b + (size_t)c];
        square += d * d;
    }
    return sqrt(square);
}

static double mean_edge(const taut_mesh *mesh)
{
    double sum = 0;
    for (int t = 0; t < mesh->ntris; t++)
        for (int k = 0; k < 3; k++) sum += side_between(mesh, mesh->tri[3 * t + k], mesh->tri[3 * t + (k + 1) % 3]);
    return mesh->ntris > 0 ? sum / (3 * mesh->ntris) : 0;
}

bool thickness_warning(const taut_scene *scene, const taut_scene_body *body, char *text, size_t size)
{
    const taut_material *material = taut_body_material(scene->world, body->body);
    const taut_mesh *mesh = &body->file.mesh;
    bool usual_off = material->contact == TAUT_CONTACT_AUTO && mesh->ntets > 0;
    double edge = mean_edge(mesh), thickness = (double)material->thickness;
    if (!(edge > 0) || !(thickness > edge) || usual_off || material->contact == TAUT_CONTACT_OFF) return false;
    snprintf(text, size,
             "its thickness of %.3g m is more than an edge of its mesh, %.3g m in the mean: layers keep only %.3g m",
             thickness, edge, edge / 4);
    return true;
}
