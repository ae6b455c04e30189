#include "model/model.h"

#include <math.h>
#include <string.h>

/* The transpose of a transfer to `count` particles. */
static bool transpose(tt_scope *scope, const tt_transfer *up, int count, tt_restriction *riders)
{
    int entries = 0;
    *riders = (tt_restriction){.count = count, .first = TT_TAKE(scope, int, (size_t)count + 1)};
    if (!riders->first) return false;
    for (int v = 0; v < up->count; v++)
        for (int i = 0; i < 4; i++)
            if (up->weight[v][i] != 0) riders->first[up->index[v][i] + 1]++, entries++;
    riders->index = TT_TAKE(scope, int, entries);
    riders->weight = TT_TAKE(scope, float, entries);
    if (!riders->index || !riders->weight) return false;
    for (int c = 0; c < count; c++) riders->first[c + 1] += riders->first[c];
    for (int v = up->count - 1; v >= 0; v--)
        for (int i = 3; i >= 0; i--) {
            if (up->weight[v][i] == 0) continue;
            int at = --riders->first[up->index[v][i] + 1];
            riders->index[at] = v;
            riders->weight[at] = up->weight[v][i];
        }
    /* Each number is now where its list begins. */
    memmove(riders->first, riders->first + 1, (size_t)count * sizeof *riders->first);
    riders->first[count] = entries;
    return true;
}

/* Three things rule out a balance. Dihedral bending has no bounded stiffness, because near a fold by half a turn the
 * angle changes arbitrarily fast. Elastic forces need the substeps that the user counts. Limits are enforced by passes,
 * which would upset the balance. */
bool tt_can_be_balanced(const taut_material *material, tt_mesh_type type)
{
    const taut_strain *strain = &material->strain;
    float bend = material->bend.model == TAUT_BEND_NONE ? 0 : material->bend.stiffness;
    float most =
        fmaxf(fmaxf(fmaxf(strain->xx, strain->yy), fmaxf(strain->xy, strain->area)), fmaxf(material->edge, bend));
    bool forces = material->elastic.young > 0 || material->elastic.bend > 0;
    bool able = material->units == TAUT_PHYSICAL && material->bend.model != TAUT_BEND_DIHEDRAL;
    return able && !forces && !tt_has_limits(material) &&
           (type == TT_MESH_CLOTH || type == TT_MESH_ROPES) && most > 0 && most < INFINITY;
}

bool taut_model_has_balance(const taut_model *model) { return model->balances; }

bool tt_riders_build(taut_model *model)
{
    model->balances = tt_can_be_balanced(&model->material, model->mesh_type);
    for (taut_model *m = model; model->balances && m->coarser; m = m->coarser) {
        m->coarser->balances = true;
        if (!transpose(&m->scope, &m->up, m->coarser->nparticles, &m->riders)) return false;
    }
    return true;
}
