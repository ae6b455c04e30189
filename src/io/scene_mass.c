/* Stiffness and mass that differ from place to place within a body. */
#include "base/error.h"
#include "io/scene.h"

#include <stdlib.h>
#include <string.h>

/* A selection with one number. */
typedef struct amount_text {
    tio_selectors selectors;
    float amount;
} amount_text;

static bool read_amount(tio_selection *selection, const tio_json *object, const tio_key *amount, float *value)
{
    tio_key keys[TIO_SELECTORS + 1];
    amount_text text = {.amount = 0};
    tio_selector_keys(offsetof(amount_text, selectors), keys);
    keys[TIO_SELECTORS] = *amount;
    if (!tio_read_object(selection->check, object, keys, TIO_COUNT(keys), &text)) return false;
    *value = text.amount;
    return tio_select(selection, object, &text.selectors);
}

bool tio_read_masses(const tio_check *check, const tio_json *array, tio_selection *selection, float *mass)
{
    static const tio_key key = {"mass", TIO_FLOAT, offsetof(amount_text, amount), {1e-30, 1e30, false}, NULL, true};
    float value = 0;
    if (!tio_expect(check, array, TIO_JSON_ARRAY)) return false;
    for (const tio_json *item = array->first; item; item = item->next) {
        if (!read_amount(selection, item, &key, &value)) return false;
        for (int v = 0; v < selection->file->mesh.nvertices; v++)
            if (selection->chosen[v]) mass[v] = value;
    }
    return true;
}

static float *take_ones(int count)
{
    float *scale = malloc(((size_t)count + 1) * sizeof *scale);
    for (int i = 0; scale && i < count; i++) scale[i] = 1;
    return scale;
}

/* Scales the elements whose corners are all selected; returns how many. */
static int scale_elements(const unsigned char *chosen, const int *vertex, int corners, int count, float value,
                          float *scale)
{
    int found = 0;
    for (int e = 0; e < count; e++, vertex += corners) {
        bool inside = true;
        for (int c = 0; c < corners; c++) inside = inside && chosen[vertex[c]];
        if (!inside) continue;
        scale[e] = value;
        found++;
    }
    return found;
}

bool tio_read_scales(const tio_check *check, const tio_json *array, tio_selection *selection, taut_mesh *mesh)
{
    static const tio_key key = {"scale", TIO_FLOAT, offsetof(amount_text, amount), {0, 1e30, false}, NULL, true};
    float value = 0;
    if (!tio_expect(check, array, TIO_JSON_ARRAY)) return false;
    mesh->tri_scale = take_ones(mesh->ntris);
    mesh->tet_scale = take_ones(mesh->ntets);
    if (!mesh->tri_scale || !mesh->tet_scale) return tt_no_memory(check->error);
    for (const tio_json *item = array->first; item; item = item->next) {
        if (!read_amount(selection, item, &key, &value)) return false;
        int found = scale_elements(selection->chosen, mesh->tri, 3, mesh->ntris, value, mesh->tri_scale) +
                    scale_elements(selection->chosen, mesh->tet, 4, mesh->ntets, value, mesh->tet_scale);
        if (!found) return tio_fail_at(check, item, "selects no whole triangle or tet");
    }
    return true;
}
