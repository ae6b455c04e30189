/* The longest substep at which the elastic forces of a model are stable.
 *
 * Let k_i be the stiffness with which an element pulls its particle i back (`stiffness_bound` of tt_kind), and K_i the
 * sum of k_i over all elements at that particle. Each element gets the share k_i/K_i of the particle's mass. With these
 * masses the fastest motion of the element alone has at most omega^2 = sum of k_i / (m_i k_i/K_i) = sum of w_i K_i over
 * its particles. No motion of the whole is faster than the fastest motion of an element. The bounds of several kinds
 * add up.
 *
 * A mode of frequency omega with Kelvin-Voigt damping tau, stepped by leap-frog and damped after the step, decays if
 * (omega h)^2 + 2 h tau omega^2 < 4. */
#include "model/model.h"

#include <math.h>
#include <string.h>

static const uint32_t *offsets_of(const tt_kind *kind, const tt_group *group, int block, int lane)
{
    return &group->offset[(size_t)block * (size_t)(kind->particles * TT_BLOCK) + (size_t)lane];
}

/* Places at rest and rest data of an element; returns its offsets. */
static const uint32_t *element_of(const taut_model *model, const tt_kind *kind, const tt_group *group, int block,
                                  int lane, double *x, double *data)
{
    const uint32_t *offset = offsets_of(kind, group, block, lane);
    const float *field = &group->data[(size_t)block * (size_t)(kind->fields * TT_BLOCK) + (size_t)lane];
    for (int k = 0; k < kind->particles; k++)
        for (int c = 0; c < 3; c++) x[3 * k + c] = model->rest[offset[k * TT_BLOCK] + (uint32_t)c];
    for (int f = 0; f < kind->fields; f++) data[f] = field[f * TT_BLOCK];
    return offset;
}

/* K_i of all particles. */
static void add_stiffness(const taut_model *model, int number, double *stiff)
{
    const tt_kind *kind = tt_oracle()[number];
    const tt_group *group = &model->group[number];
    tt_tuning tuning;
    memset(stiff, 0, (size_t)model->nparticles * sizeof *stiff);
    tt_tuning_prepare(kind, &model->material, 1, 1, &tuning);
    for (int block = 0; block < group->nblocks; block++)
        for (int lane = 0; lane < group->live[block]; lane++) {
            double x[3 * TT_MAX_PARTICLES], data[TT_MAX_FIELDS], stiffness[TT_MAX_PARTICLES];
            const uint32_t *offset = element_of(model, kind, group, block, lane, x, data);
            kind->stiffness_bound(x, data, &tuning, stiffness);
            for (int k = 0; k < kind->particles; k++) stiff[offset[k * TT_BLOCK] / 4] += stiffness[k];
        }
}

/* The bound of one kind on omega^2. */
static double fastest(const taut_model *model, int number, const double *stiff)
{
    const tt_kind *kind = tt_oracle()[number];
    const tt_group *group = &model->group[number];
    double most = 0;
    for (int block = 0; block < group->nblocks; block++)
        for (int lane = 0; lane < group->live[block]; lane++) {
            const uint32_t *offset = offsets_of(kind, group, block, lane);
            double sum = 0;
            for (int k = 0; k < kind->particles; k++) {
                uint32_t at = offset[k * TT_BLOCK];
                sum += (double)model->rest[at + 3] * stiff[at / 4];
            }
            most = fmax(most, sum);
        }
    return most;
}

bool tt_set_stable_step(taut_model *model, tt_scope *scratch)
{
    double square = 0, delay = model->material.elastic.damping;
    double *stiff = TT_TAKE(scratch, double, model->nparticles);
    if (!stiff) return false;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        if (!tt_oracle()[kind]->stiffness_bound || model->group[kind].count == 0) continue;
        add_stiffness(model, kind, stiff);
        square += fastest(model, kind, stiff);
    }
    double bound = 4 / square; /* the largest h^2 + 2 h tau */
    model->stable_step = square > 0 ? (float)(bound / (delay + sqrt(delay * delay + bound))) : INFINITY;
    return true;
}
