/* Tells to which materials a running body can change. Its model has only the constraints that it was built with. */
#include "base/error.h"
#include "model/model.h"

#include <string.h>

/* Whether a kind has anything to do: constraints and limits project, elastic forces and the wind push. */
static bool works(const tt_kind *kind, const taut_material *material)
{
    tt_tuning tuning;
    tt_tuning_prepare(kind, material, 1, 1, &tuning);
    return tuning.active || tuning.forced;
}

static bool needs_another_kind(const taut_material *built, const taut_material *material)
{
    for (int i = 0; i < TT_KINDS; i++)
        if (works(tt_kind_table()[i], material) && !works(tt_kind_table()[i], built)) return true;
    return false;
}

/* Goes from one material to the other parameter by parameter, so that the message names the one that cannot change. */
static bool check_kinds(const taut_material *built, const taut_material *material, taut_error *error)
{
    taut_material changed = *built;
    for (int i = 0; i < taut_parameter_count(); i++) {
        const taut_parameter *p = taut_parameter_at(i);
        const char *from = (const char *)material + p->offset;
        char *to = (char *)&changed + p->offset;
        if (memcmp(to, from, p->size) == 0) continue;
        memcpy(to, from, p->size);
        if (needs_another_kind(built, &changed))
            return tt_fail(error, TAUT_BAD_MATERIAL, i, "the model was built without material.%s; build it with %s",
                           p->name, p->type == TAUT_PARAMETER_INTERVAL ? "such a limit" : "a value above 0");
    }
    return true;
}

bool tt_material_change_check(const taut_model *model, const taut_material *material, taut_error *error)
{
    const taut_material *built = &model->material;
    bool solid = taut_model_constraints(model, taut_kind_find("elastic_tet")) > 0;
    if (!tt_material_check(material, error) || !tt_elastic_check(material, solid, error)) return false;
    if (material->units != built->units)
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.units cannot change while running");
    if (material->bend.model != built->bend.model && material->bend.model != TAUT_BEND_NONE)
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.bend.model cannot change while running");
    if (material->bend.creation != built->bend.creation)
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.bend.creation cannot change while running");
    if (tt_has_gas(material) && model->shell.ntris == 0)
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "the model was built without material.gas; build it with some");
    return check_kinds(built, material, error);
}
