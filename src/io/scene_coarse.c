/* Coarser meshes that a scene gives for the levels of a solid. */
#include "io/scene_mesh.h"

/* Reads the next coarser mesh. Its errors are reported here, where its place in the scene is known. */
static bool read_next(const tio_check *check, const tio_json *value, float unit, float scale, const taut_mesh *finer,
                      tio_coarse *coarse)
{
    taut_error cause;
    taut_mesh_file *file = &coarse->file[coarse->count];
    if (!tio_read_mesh(check, value, unit, file)) return false;
    coarse->mesh[coarse->count++] = &file->mesh;
    tio_scale_mesh(&file->mesh, scale);
    return taut_mesh_check_coarse(&file->mesh, finer, &cause) || tio_fail_because(check, value, &cause);
}

bool tio_read_coarse(const tio_check *check, const tio_json *array, float unit, float scale, const taut_mesh *mesh,
                     tio_coarse *coarse)
{
    *coarse = (tio_coarse){.count = 0};
    if (!tio_expect(check, array, TIO_JSON_ARRAY)) return false;
    if (array->count < 1 || array->count > TAUT_MOST_LEVELS)
        return tio_fail_at(check, array, "must have 1 to %d meshes, got %d", TAUT_MOST_LEVELS, array->count);
    if (mesh->ntets == 0 || mesh->ntris > 0)
        return tio_fail_at(check, array, "is for solids: the body's mesh must have tets and no triangles");
    for (const tio_json *value = array->first; value; value = value->next, mesh = coarse->mesh[coarse->count - 1])
        if (!read_next(check, value, unit, scale, mesh, coarse)) return false;
    return true;
}

void tio_coarse_free(tio_coarse *coarse)
{
    for (int i = 0; i < coarse->count; i++) taut_mesh_file_free(&coarse->file[i]);
}
