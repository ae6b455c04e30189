#include "world/balance.h"

#include "world/body.h"

#include <math.h>
#include <string.h>

static bool take_mesh(tt_scope *scope, tt_balance *b, size_t n)
{
    b->loose = TT_TAKE(scope, float, 4 * n);
    b->way = TT_TAKE(scope, float, 4 * n);
    b->push = TT_TAKE(scope, float, 4 * n);
    b->gone = TT_TAKE(scope, float, 4 * n);
    b->normal = TT_TAKE(scope, float, 4 * n);
    b->motion = TT_TAKE(scope, float, 4 * n);
    b->landed = TT_TAKE(scope, float, 4 * n);
    b->held[0] = TT_TAKE(scope, float, 4 * n);
    b->held[1] = TT_TAKE(scope, float, 4 * n);
    b->grip = TT_TAKE(scope, uint8_t, 2 * n);
    b->bound = b->grip ? b->grip + n : NULL;
    return b->loose && b->way && b->push && b->gone && b->normal && b->motion && b->landed && b->held[0] &&
           b->held[1] && b->grip;
}

static float spacing_of(const taut_model *model)
{
    double sum = 0;
    for (int e = 0; e < model->nedges; e++) sum += (double)model->edge[e].length;
    return model->nedges > 0 ? (float)(sum / model->nedges) : 0;
}

bool tt_balance_create(tt_scope *scope, tt_level *level)
{
    const taut_model *model = level->model;
    tt_balance *b = &level->balance;
    size_t n = (size_t)model->nparticles;
    b->spacing = spacing_of(model);
    if (!model->balances) return true;
    b->mass = TT_TAKE(scope, float, n);
    b->plain = TT_TAKE(scope, float, n);
    b->brace[0] = TT_TAKE(scope, float, 4 * n);
    b->brace[1] = TT_TAKE(scope, float, 4 * n);
    b->load = TT_TAKE(scope, float, 4 * n);
    b->move = TT_TAKE(scope, float, 4 * n);
    b->sum = TT_TAKE(scope, double, model->nparts);
    return b->mass && b->plain && b->brace[0] && b->brace[1] && b->load && b->move && b->sum &&
           (level->number > 0 || take_mesh(scope, b, n));
}

static void add_element(tt_level *level, int kind, int block, int lane, const float *modulus)
{
    const tt_kind *k = tt_kind_table()[kind];
    const tt_group *group = &level->model->group[kind];
    double data[TT_MAX_FIELDS];
    tt_form form[TT_MAX_FORMS];
    size_t slots = (size_t)(k->particles + k->anchors), fields = (size_t)k->fields, b = (size_t)block;
    for (size_t f = 0; f < fields; f++) data[f] = (double)group->data[(b * fields + f) * TT_BLOCK + (size_t)lane];
    int count = k->forms(data, &level->tuning[kind], form);
    for (int f = 0; f < count; f++) {
        double stiffness = (double)modulus[form[f].mode] / data[fields - 1] * form[f].factor;
        for (size_t s = 0; s < (size_t)k->particles && stiffness > 0; s++) {
            uint32_t particle = group->offset[(b * slots + s) * TT_BLOCK + (size_t)lane] / 4;
            level->balance.plain[particle] += (float)(stiffness * form[f].a[s] * form[f].a[s]);
        }
    }
}

static void set_mesh(tt_level *level)
{
    const taut_model *model = level->model;
    tt_balance *b = &level->balance;
    memset(b->plain, 0, (size_t)model->nparticles * sizeof *b->plain);
    for (int kind = 0; kind < TT_KINDS; kind++) {
        tt_tuning raw = {0};
        if (!level->tuning[kind].balanced || tt_kind_table()[kind]->brace) continue;
        tt_kind_table()[kind]->tune(&level->material, &raw);
        for (int block = 0; block < model->group[kind].nblocks; block++)
            for (int lane = 0; lane < model->group[kind].live[block]; lane++)
                add_element(level, kind, block, lane, raw.stiffness);
    }
    for (int i = 0; i < model->nparticles; i++) {
        float w = level->p[4 * (size_t)i + 3];
        b->mass[i] = w > 0 ? 1 / w : 0;
    }
}

/* Whether a coarse particle stands for a pinned one. Then it cannot move either. */
static bool is_pinned(const tt_level *level, int i)
{
    const tt_level *finer = level - 1;
    const tt_restriction *down = &finer->model->down;
    return down->first[i] < down->first[i + 1] && !(finer->balance.mass[down->index[down->first[i]]] > 0);
}

/* A coarse particle has the mass of its riders. The stiffness that holds it is less than that of its riders, because
 * its edges are longer: bending of cloth and stretch of ropes fall in inverse proportion to the mass that takes
 * part. */
static void set_coarser(tt_level *level)
{
    const tt_level *finer = level - 1;
    const tt_restriction *riders = &finer->model->riders;
    tt_balance *b = &level->balance;
    for (int i = 0; i < level->model->nparticles; i++) {
        float mass = 0, plain = 0, weight = 0;
        for (int k = riders->first[i]; k < riders->first[i + 1]; k++) {
            float own = finer->balance.mass[riders->index[k]], by = own > 0 ? riders->weight[k] : 0;
            weight += by;
            mass += by * own;
            plain += by * finer->balance.plain[riders->index[k]];
        }
        b->mass[i] = mass > 0 && !is_pinned(level, i) ? mass : 0;
        b->plain[i] = weight > 0 ? plain / (weight * weight) : 0; /* the mean of the riders, divided by weight */
    }
}

/* Adds part by part, as all sums do. */
static double total_mass(const tt_level *mesh)
{
    double total = 0;
    for (int part = 0; part < mesh->model->nparts; part++) {
        int first, last;
        double sum = 0;
        tt_part_range(mesh->model, part, &first, &last);
        for (int i = first; i < last; i++) sum += (double)mesh->balance.mass[i];
        total += sum;
    }
    return total;
}

/* All particles count alike, pinned ones too. */
static double size_at_rest(const taut_model *model)
{
    double sum[3] = {0, 0, 0}, squares = 0;
    int n = model->nvertices;
    for (int i = 0; i < n; i++)
        for (size_t c = 0; c < 3; c++) {
            double x = (double)model->rest[4 * (size_t)i + c];
            sum[c] += x;
            squares += x * x;
        }
    for (int c = 0; c < 3; c++) squares -= sum[c] * sum[c] / n;
    return sqrt(fmax(squares / n, 0));
}

void tt_balance_derive(tt_body *body)
{
    for (int i = 0; i < body->nlevels; i++) {
        if (i == 0) set_mesh(&body->level[i]);
        else set_coarser(&body->level[i]);
    }
    body->level[0].balance.total_mass = total_mass(&body->level[0]);
    body->level[0].balance.size = size_at_rest(tt_body_model(body));
}

/* In substeps longer than 1/240 s folds turn so far that their stiffness at the start is no longer right. */
int tt_balance_substeps(float dt)
{
    float count = ceilf(dt * 240 - 0.01f);
    return count < 1 ? 1 : count > 1000 ? 1000 : (int)count;
}
