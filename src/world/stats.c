/* Looking inside: statistics, residuals, hash. */
#include "world/world.h"

#include "base/hash.h"

#include <math.h>

/* Smaller violations do not count: stretch or rad. */
static const float VISIBLE = 0.001f;

static void add_contacts(const tt_apart_count *count, taut_stats *s)
{
    if (count->searches > s->contact_searches) s->contact_searches = (int)count->searches;
    s->ms_search += count->ms;
    s->contact_pairs += (int)count->pairs;
    s->contact_pushes += (int)count->pushed;
    s->contact_held += (int)count->held;
    s->contact_stuck += (int)count->stuck;
    s->contact_crowded += (int)count->crowded;
}

static void add_balance(const tt_balance *b, float stretch, taut_stats *s)
{
    s->searches = b->searches > s->searches ? b->searches : s->searches;
    s->searches_cut = b->cut > s->searches_cut ? b->cut : s->searches_cut;
    s->stretch_reached = fmax(s->stretch_reached, (double)(stretch * b->most_left));
}

taut_stats taut_world_stats(const taut_world *world)
{
    taut_stats s = world->stats;
    s.simd = world->simd;
    s.threads = world->pool ? tt_pool_threads(world->pool) : 0;
    s.steps = world->steps;
    s.seconds = world->seconds;
    for (int i = 0; i < world->colliders.count; i++) s.colliders += world->colliders.slot[i].used;
    for (int i = 0; i < world->ties.count; i++) s.attachments += world->ties.slot[i].used;
    for (int i = 0; i < world->bodies.count; i++) {
        if (!world->body[i]) continue;
        const tt_level *mesh = &world->body[i]->level[0];
        s.bodies++;
        if (world->body[i]->apart) add_contacts(&world->body[i]->apart->count, &s);
        s.particles += mesh->model->nvertices;
        add_balance(&mesh->balance, world->def.stretch, &s);
        s.limit_passes = mesh->pass > s.limit_passes ? mesh->pass : s.limit_passes;
        s.limit_excess = fmax(s.limit_excess, (double)mesh->limit_excess);
        s.bodies_over_limits += mesh->limited && mesh->limit_excess > fmaxf(mesh->material.limit.threshold, VISIBLE);
        for (int part = 0; part < mesh->model->nparts; part++) {
            s.contacts += mesh->contacts[part];
            s.bad_particles += world->body[i]->bad[part];
        }
    }
    return s;
}

/* Adds the squares of all active modes of the constraint in one lane of a block. */
static void add_residual(const tt_level *mesh, int kind, int block, int lane, taut_residual *r, double *sum)
{
    const tt_kind *k = tt_oracle()[kind];
    const tt_group *group = &mesh->model->group[kind];
    const tt_tuning *tuning = &mesh->tuning[kind];
    int slots = k->particles + k->anchors;
    const uint32_t *offset = &group->offset[(size_t)block * (size_t)(slots * TT_BLOCK) + (size_t)lane];
    const float *field = &group->data[(size_t)block * (size_t)(k->fields * TT_BLOCK) + (size_t)lane];
    double x[3 * (TT_MAX_PARTICLES + 1)], data[TT_MAX_FIELDS];
    for (int s = 0; s < slots; s++) {
        const float *p = (s < k->particles ? mesh->p : mesh->body->anchor) + offset[s * TT_BLOCK];
        if (s >= k->particles && !(p[3] > 0)) return; /* a pin that was let go */
        for (int c = 0; c < 3; c++) x[3 * s + c] = p[c];
    }
    for (int f = 0; f < k->fields; f++) data[f] = field[f * TT_BLOCK];
    for (int mode = 0; mode < k->modes; mode++) {
        if (!(tuning->stiffness[mode] > 0)) continue;
        double C = fabs(k->value(x, data, tuning, mode, NULL));
        *sum += C * C;
        r->violated += C > 0;
        r->mean += C; /* still the sum here */
        r->max = fmax(r->max, C);
        r->constraints++;
    }
}

taut_residual taut_world_residual(const taut_world *world, int kind)
{
    taut_residual r = {0};
    double sum = 0;
    if (kind < 0 || kind >= TT_KINDS || !tt_oracle()[kind]->value) return r;
    for (int i = 0; i < world->bodies.count; i++) {
        if (!world->body[i]) continue;
        const tt_level *mesh = &world->body[i]->level[0];
        const tt_group *group = &mesh->model->group[kind];
        for (int block = 0; block < group->nblocks; block++)
            for (int lane = 0; lane < group->live[block]; lane++) add_residual(mesh, kind, block, lane, &r, &sum);
    }
    r.mean = r.violated ? r.mean / r.violated : 0;
    r.rms = r.constraints ? sqrt(sum / r.constraints) : 0;
    return r;
}

/* Hashes positions as they are kept: relative to the body's origin, together with the origin. */
static uint64_t hash_positions(uint64_t hash, const tt_body *body)
{
    const double *o = body->origin;
    const taut_model *model = tt_body_model(body);
    if (o[0] == 0 && o[1] == 0 && o[2] == 0)
        return tt_hash(hash, body->out_x, 3 * (size_t)model->nvertices * sizeof(float));
    hash = tt_hash(hash, o, sizeof body->origin);
    for (int v = 0; v < model->nvertices; v++)
        hash = tt_hash(hash, &body->level[0].p[4 * (size_t)model->place[v]], 3 * sizeof(float));
    return hash;
}

uint64_t taut_world_hash(const taut_world *world)
{
    uint64_t hash = tt_hash(TT_HASH_SEED, &world->steps, sizeof world->steps);
    hash = tt_hash(hash, &world->seconds, sizeof world->seconds);
    for (int i = 0; i < world->bodies.count; i++) {
        const tt_body *body = world->body[i];
        if (!body) continue;
        hash = tt_hash(hash, &i, sizeof i);
        hash = hash_positions(hash, body);
        hash = tt_hash(hash, body->out_v, 3 * (size_t)tt_body_model(body)->nvertices * sizeof(float));
    }
    return hash;
}
