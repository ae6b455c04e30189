#include "world/balance.h"

#include "world/body.h"

#include <math.h>
#include <string.h>

/* A level of at most so many particles is solved exactly. */
enum { MOST_EXACT = 96 };

/* Sweeps divide by this share of a row's absolute sum. With 1 none could overshoot, with 0.5 one that alternates from
 * particle to particle would not calm down. */
static const float SWEEP = 0.6f;

bool tt_balance_create(tt_scope *scope, tt_level *level)
{
    const taut_model *model = level->model;
    tt_balance *b = &level->balance;
    size_t n = (size_t)model->coupling.count, entries = n ? (size_t)model->coupling.first[n] : 0;
    if (n == 0) return true;
    bool exact = !model->coarser && n <= MOST_EXACT;
    b->stiff = TT_TAKE(scope, float, entries);
    b->reach = TT_TAKE(scope, float, n);
    b->mass = TT_TAKE(scope, float, n);
    b->step = TT_TAKE(scope, float, n);
    b->load = TT_TAKE(scope, float, 4 * n);
    b->left = TT_TAKE(scope, float, 4 * n);
    b->move = TT_TAKE(scope, float, 4 * n);
    b->wall = TT_TAKE(scope, float, 6 * n);
    level->aim = TT_TAKE(scope, float, level->number == 0 ? 4 * n : 0);
    size_t own = level->number == 0 ? n : 0;
    b->plain = TT_TAKE(scope, float, own);
    b->brace[0] = TT_TAKE(scope, float, 4 * own);
    b->brace[1] = TT_TAKE(scope, float, 4 * own);
    b->way = TT_TAKE(scope, float, 4 * own);
    b->push = TT_TAKE(scope, float, 4 * own);
    b->gone = TT_TAKE(scope, float, 4 * own);
    b->sum = TT_TAKE(scope, double, model->nparts);
    b->exact = exact ? TT_TAKE(scope, float, n *n) : NULL;
    return level->aim && b->stiff && b->reach && b->mass && b->step && b->load && b->wall && b->left && b->move &&
           b->plain && b->brace[0] && b->brace[1] && b->way && b->push && b->gone && b->sum && (!exact || b->exact);
}

static void add_form(tt_level *level, const tt_form *form, double stiffness, const int *particle, int n, bool plain)
{
    const tt_coupling *coupling = &level->model->coupling;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int at = tt_coupling_find(coupling, particle[i], particle[j]);
            float stiff = (float)(stiffness * form->factor * form->a[i] * form->a[j]);
            level->balance.stiff[at] += stiff;
            if (i == j && plain) level->balance.plain[particle[i]] += stiff;
        }
}

static void add_element(tt_level *level, int kind, int block, int lane, const float *modulus)
{
    const tt_kind *k = tt_kind_table()[kind];
    const tt_group *group = &level->model->group[kind];
    double data[TT_MAX_FIELDS];
    int particle[TT_MAX_PARTICLES];
    tt_form form[TT_MAX_FORMS];
    size_t slots = (size_t)(k->particles + k->anchors), fields = (size_t)k->fields, b = (size_t)block;
    for (size_t f = 0; f < fields; f++) data[f] = (double)group->data[(b * fields + f) * TT_BLOCK + (size_t)lane];
    for (int s = 0; s < k->particles; s++)
        particle[s] = (int)(group->offset[(b * slots + (size_t)s) * TT_BLOCK + (size_t)lane] / 4);
    int count = k->forms(data, &level->tuning[kind], form);
    for (int f = 0; f < count; f++)
        if (modulus[form[f].mode] > 0)
            add_form(level, &form[f], (double)modulus[form[f].mode] / data[fields - 1], particle, k->particles,
                     !k->brace);
}

static void set_mesh(tt_level *level)
{
    const taut_model *model = level->model;
    tt_balance *b = &level->balance;
    memset(b->stiff, 0, (size_t)model->coupling.first[model->coupling.count] * sizeof *b->stiff);
    memset(b->plain, 0, (size_t)model->nparticles * sizeof *b->plain);
    for (int kind = 0; kind < TT_KINDS; kind++) {
        tt_tuning raw = {0};
        if (!level->tuning[kind].balanced) continue;
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

/* What the finer entry between i and j is between the particles that these ride on. */
static void add_entry(tt_level *level, const tt_transfer *up, int i, int j, float stiffness)
{
    for (int a = 0; a < 4; a++) {
        float part = up->weight[i][a] * stiffness;
        for (int c = 0; c < 4 && part != 0; c++)
            if (up->weight[j][c] != 0)
                level->balance.stiff[tt_coupling_find(&level->model->coupling, up->index[i][a], up->index[j][c])] +=
                    part * up->weight[j][c];
    }
}

static void set_coarser(tt_level *level)
{
    const tt_level *finer = level - 1;
    const tt_transfer *up = &finer->model->up;
    const tt_coupling *fine = &finer->model->coupling;
    tt_balance *b = &level->balance;
    memset(b->stiff, 0, (size_t)level->model->coupling.first[level->model->coupling.count] * sizeof *b->stiff);
    memset(b->mass, 0, (size_t)level->model->nparticles * sizeof *b->mass);
    for (int i = 0; i < fine->count; i++) {
        if (!(finer->balance.mass[i] > 0)) continue;
        for (int e = fine->first[i]; e < fine->first[i + 1]; e++)
            if (finer->balance.mass[fine->column[e]] > 0)
                add_entry(level, up, i, fine->column[e], finer->balance.stiff[e]);
        for (int a = 0; a < 4; a++) b->mass[up->index[i][a]] += up->weight[i][a] * finer->balance.mass[i];
    }
}

static void sum_rows(tt_level *level)
{
    const tt_coupling *coupling = &level->model->coupling;
    for (int i = 0; i < coupling->count; i++) {
        float sum = 0;
        for (int e = coupling->first[i]; e < coupling->first[i + 1]; e++)
            if (level->balance.mass[coupling->column[e]] > 0) sum += fabsf(level->balance.stiff[e]);
        level->balance.reach[i] = sum;
    }
}

int tt_balance_substeps(float dt)
{
    float count = ceilf(dt * 120 - 0.01f);
    return count < 1 ? 1 : count > 1000 ? 1000 : (int)count;
}

static void set_slack(tt_level *mesh)
{
    const taut_model *model = mesh->model;
    tt_balance *b = &mesh->balance;
    double squares = 0;
    for (int e = 0; e < model->nedges; e++) squares += (double)model->edge[e].length * (double)model->edge[e].length;
    double spacing = model->nedges > 0 ? squares / model->nedges : 0;
    b->slack[0] = b->slack[1] = 0;
    for (int i = 0; i < model->nparticles; i++) {
        b->slack[0] += spacing * (double)b->mass[i];
        b->slack[1] += b->mass[i] > 0 ? spacing * (double)b->reach[i] : 0;
    }
}

void tt_balance_derive(tt_body *body)
{
    for (int i = 0; i < body->nlevels; i++) {
        if (i == 0) set_mesh(&body->level[i]);
        else set_coarser(&body->level[i]);
        sum_rows(&body->level[i]);
    }
    set_slack(&body->level[0]);
}

/* Gauss and Jordan, in place. Rows of particles that cannot move are those of the unit matrix, and then 0. A is positive
 * definite, so no pivot is near 0. */
static void invert(const tt_level *level, float h, double *a, int n)
{
    const tt_coupling *coupling = &level->model->coupling;
    const tt_balance *b = &level->balance;
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) {
        for (int e = coupling->first[i]; e < coupling->first[i + 1]; e++)
            if (b->mass[i] > 0 && b->mass[coupling->column[e]] > 0)
                a[i * n + coupling->column[e]] = (double)h * (double)h * (double)b->stiff[e];
        a[i * n + i] += b->mass[i] > 0 ? (double)b->mass[i] : 1;
    }
    for (int k = 0; k < n; k++) {
        double pivot = 1 / a[k * n + k];
        a[k * n + k] = 1;
        for (int j = 0; j < n; j++) a[k * n + j] *= pivot;
        for (int i = 0; i < n; i++) {
            double f = a[i * n + k];
            if (i == k || f == 0) continue;
            a[i * n + k] = 0;
            for (int j = 0; j < n; j++) a[i * n + j] -= f * a[k * n + j];
        }
    }
}

void tt_balance_retune(tt_body *body, float h)
{
    for (int l = 0; l < body->nlevels; l++) {
        tt_level *level = &body->level[l];
        tt_balance *b = &level->balance;
        for (int i = 0; i < level->model->nparticles; i++)
            b->step[i] = b->mass[i] > 0 ? 1 / (b->mass[i] + SWEEP * h * h * b->reach[i]) : 0;
        if (!b->exact) continue;
        double a[MOST_EXACT * MOST_EXACT];
        int n = level->model->nparticles;
        invert(level, h, a, n);
        for (int i = 0; i < n * n; i++) b->exact[i] = b->mass[i / n] > 0 && b->mass[i % n] > 0 ? (float)a[i] : 0;
    }
}
