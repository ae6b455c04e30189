#include "model/coupling.h"

#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row in the making. Columns are marked with the number of the row that has them. */
typedef struct rows {
    int *marked; /* per particle: the last row that has it, plus 1 */
    int *column;
    size_t used, capacity;
} rows;

static int by_number(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return a < b ? -1 : a > b;
}

static bool add_column(tt_scope *scratch, rows *r, int row, int column)
{
    if (r->marked[column] == row + 1) return true;
    r->marked[column] = row + 1;
    if (r->used == r->capacity) {
        int *larger = tt_enlarge(scratch, r->column, r->used, 2 * r->capacity, sizeof *larger);
        if (!larger) return false;
        r->column = larger, r->capacity *= 2;
    }
    r->column[r->used++] = column;
    return true;
}

static void end_row(rows *r, tt_coupling *coupling, int row)
{
    size_t first = (size_t)coupling->first[row];
    qsort(r->column + first, r->used - first, sizeof *r->column, by_number);
    coupling->first[row + 1] = (int)r->used;
}

enum { FIRST_CAPACITY = 1024 };

static bool begin(tt_scope *scope, tt_scope *scratch, int count, rows *r, tt_coupling *coupling)
{
    *coupling = (tt_coupling){.count = count, .first = TT_TAKE(scope, int, (size_t)count + 1)};
    *r = (rows){.marked = TT_TAKE(scratch, int, count),
                .column = TT_TAKE(scratch, int, FIRST_CAPACITY),
                .capacity = FIRST_CAPACITY};
    return coupling->first && r->marked && r->column;
}

static bool finish(tt_scope *scope, const rows *r, tt_coupling *coupling)
{
    coupling->column = tt_enlarge(scope, r->column, r->used, r->used, sizeof *r->column);
    return coupling->column != NULL;
}

/* The elements of each particle: kind * 2^32 + block * 16 + lane. */
typedef struct elements {
    int *first;
    uint64_t *element;
} elements;

static bool has_forms(int kind) { return tt_kind_table()[kind]->forms != NULL; }

static int particle_of(const taut_model *model, int kind, int block, int slot, int lane)
{
    size_t slots = (size_t)(tt_kind_table()[kind]->particles + tt_kind_table()[kind]->anchors);
    size_t at = ((size_t)block * slots + (size_t)slot) * TT_BLOCK + (size_t)lane;
    return (int)(model->group[kind].offset[at] / 4);
}

/* Calls for every particle of every element; `fill` NULL: only counts. */
static void list_elements(const taut_model *model, elements *list, int *fill)
{
    for (int kind = 0; kind < TT_KINDS; kind++) {
        const tt_group *group = &model->group[kind];
        for (int block = 0; block < group->nblocks && has_forms(kind); block++)
            for (int lane = 0; lane < group->live[block]; lane++)
                for (int slot = 0; slot < tt_kind_table()[kind]->particles; slot++) {
                    int particle = particle_of(model, kind, block, slot, lane);
                    uint64_t code = (uint64_t)kind << 32 | ((uint64_t)block * TT_BLOCK + (uint64_t)lane);
                    if (fill) list->element[fill[particle]++] = code;
                    else list->first[particle + 1]++;
                }
    }
}

static bool find_elements(tt_scope *scratch, const taut_model *model, elements *list)
{
    int n = model->nparticles;
    list->first = TT_TAKE(scratch, int, (size_t)n + 1);
    int *fill = TT_TAKE(scratch, int, n);
    if (!list->first || !fill) return false;
    list_elements(model, list, NULL);
    for (int i = 0; i < n; i++) fill[i] = list->first[i], list->first[i + 1] += list->first[i];
    list->element = TT_TAKE(scratch, uint64_t, list->first[n]);
    if (!list->element) return false;
    list_elements(model, list, fill);
    return true;
}

static bool add_row(tt_scope *scratch, const taut_model *model, const elements *list, int i, rows *r)
{
    if (!add_column(scratch, r, i, i)) return false;
    for (int e = list->first[i]; e < list->first[i + 1]; e++) {
        int kind = (int)(list->element[e] >> 32), at = (int)(list->element[e] & 0xffffffffu);
        for (int slot = 0; slot < tt_kind_table()[kind]->particles; slot++)
            if (!add_column(scratch, r, i, particle_of(model, kind, at / TT_BLOCK, slot, at % TT_BLOCK))) return false;
    }
    return true;
}

bool tt_coupling_build(tt_scope *scope, const taut_model *model, tt_coupling *coupling)
{
    tt_scope scratch;
    rows r;
    elements list;
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = begin(scope, &scratch, model->nparticles, &r, coupling) && find_elements(&scratch, model, &list);
    for (int i = 0; i < model->nparticles && ok; i++) {
        ok = add_row(&scratch, model, &list, i, &r);
        end_row(&r, coupling, i);
    }
    ok = ok && finish(scope, &r, coupling);
    tt_scope_close(&scratch);
    return ok;
}

bool tt_coupling_coarsen(tt_scope *scope, const tt_coupling *fine, const tt_transfer *up, const tt_restriction *ride,
                         tt_coupling *coarse)
{
    tt_scope scratch;
    rows r;
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = begin(scope, &scratch, ride->count, &r, coarse);
    for (int i = 0; i < ride->count && ok; i++) {
        ok = add_column(&scratch, &r, i, i);
        for (int k = ride->first[i]; k < ride->first[i + 1]; k++)
            for (int e = fine->first[ride->index[k]]; e < fine->first[ride->index[k] + 1]; e++)
                for (int c = 0; c < 4 && ok; c++)
                    if (up->weight[fine->column[e]][c] != 0)
                        ok = add_column(&scratch, &r, i, up->index[fine->column[e]][c]);
        end_row(&r, coarse, i);
    }
    ok = ok && finish(scope, &r, coarse);
    tt_scope_close(&scratch);
    return ok;
}

bool tt_transfer_transpose(tt_scope *scope, const tt_transfer *up, int count, tt_restriction *ride)
{
    int entries = 0;
    *ride = (tt_restriction){.count = count, .first = TT_TAKE(scope, int, (size_t)count + 1)};
    if (!ride->first) return false;
    for (int v = 0; v < up->count; v++)
        for (int i = 0; i < 4; i++)
            if (up->weight[v][i] != 0) ride->first[up->index[v][i] + 1]++, entries++;
    ride->index = TT_TAKE(scope, int, entries);
    ride->weight = TT_TAKE(scope, float, entries);
    if (!ride->index || !ride->weight) return false;
    for (int c = 0; c < count; c++) ride->first[c + 1] += ride->first[c];
    for (int v = up->count - 1; v >= 0; v--)
        for (int i = 3; i >= 0; i--) {
            if (up->weight[v][i] == 0) continue;
            int at = --ride->first[up->index[v][i] + 1];
            ride->index[at] = v;
            ride->weight[at] = up->weight[v][i];
        }
    memmove(ride->first, ride->first + 1, (size_t)count * sizeof *ride->first); /* each is now where its list begins */
    ride->first[count] = entries;
    return true;
}

/* A dihedral angle has no form: near a fold by half a turn it changes as fast as one likes. */
bool tt_can_be_balanced(const taut_material *material, tt_mesh_type type)
{
    const taut_strain *strain = &material->strain;
    float bend = material->bend.model == TAUT_BEND_NONE ? 0 : material->bend.stiffness;
    float most =
        fmaxf(fmaxf(fmaxf(strain->xx, strain->yy), fmaxf(strain->xy, strain->area)), fmaxf(material->edge, bend));
    return material->units == TAUT_PHYSICAL && material->bend.model != TAUT_BEND_DIHEDRAL &&
           (type == TT_MESH_CLOTH || type == TT_MESH_ROPES) && most > 0 && most < INFINITY;
}

bool tt_couplings_build(taut_model *model)
{
    if (!tt_can_be_balanced(&model->material, model->mesh_type)) return true;
    if (!tt_coupling_build(&model->scope, model, &model->coupling)) return false;
    for (taut_model *m = model; m->coarser; m = m->coarser)
        if (!tt_transfer_transpose(&m->scope, &m->up, m->coarser->nparticles, &m->riders) ||
            !tt_coupling_coarsen(&m->coarser->scope, &m->coupling, &m->up, &m->riders, &m->coarser->coupling))
            return false;
    return true;
}
