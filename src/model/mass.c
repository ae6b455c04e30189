/* Masses of vertices: those that the mesh gives, or else each element shares its mass equally among its vertices. */
#include "base/error.h"
#include "base/vec.h"
#include "model/model.h"

static vec3 point(const taut_mesh *mesh, int v) { return vec_of(&mesh->x[3 * v]); }

static double tet_volume(const taut_mesh *mesh, const int *v)
{
    vec3 p0 = point(mesh, v[0]), e1 = vec_sub(point(mesh, v[1]), p0);
    vec3 e2 = vec_sub(point(mesh, v[2]), p0), e3 = vec_sub(point(mesh, v[3]), p0);
    return fabs(vec_dot(e1, vec_cross(e2, e3))) / 6;
}

static void share(double *mass, const int *v, int n, double total)
{
    for (int c = 0; c < n; c++) mass[v[c]] += total / n;
}

void tt_masses(const taut_mesh *mesh, const taut_material *material, double *mass)
{
    double density = material->density;
    for (int v = 0; v < mesh->nvertices; v++) mass[v] = mesh->mass ? mesh->mass[v] : 0;
    if (mesh->mass) return;
    for (int t = 0; t < mesh->ntris; t++) share(mass, &mesh->tri[3 * t], 3, density * tt_tri_area(mesh, t));
    for (int t = 0; t < mesh->ntets; t++) {
        const int *v = &mesh->tet[4 * t];
        share(mass, v, 4, density * tet_volume(mesh, v));
    }
    for (int l = 0; l < mesh->nlines; l++) {
        const int *v = &mesh->line[2 * l];
        share(mass, v, 2, density * vec_length(vec_sub(point(mesh, v[1]), point(mesh, v[0]))));
    }
}

bool taut_mesh_masses(const taut_mesh *mesh, const taut_material *material, double *mass, taut_error *error)
{
    taut_material usual;
    tt_clear(error);
    material = tt_material_or_usual(material, tt_mesh_type_of(mesh), &usual);
    if (!taut_mesh_check(mesh, error) || !tt_material_check(material, error)) return false;
    tt_masses(mesh, material, mass);
    return true;
}
