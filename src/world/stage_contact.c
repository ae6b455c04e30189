/* Contacts of a level with the colliders. */
#include "world/contacts.h"

#include "collide/faces.h"

#include <math.h>
#include <string.h>

/* How deep a particle may be in the layer around a collider after the balance: as shares of its thickness, and of the
 * mean edge. */
static const float LAYER = 0.5f, LAYER_OF_EDGE = 0.02f;
/* Particles that begin inside a collider come out by this number of layers a second. */
static const float ESCAPE = 240;

static float layer_of(const tt_level *level)
{
    return fmaxf(LAYER * level->material.thickness, LAYER_OF_EDGE * level->balance.spacing);
}

static void touch(tt_level *level, const tt_substep *substep, int part, float thickness, tt_touched touched)
{
    _Alignas(64) float pushed[4 * TT_SMALL_PART];
    tt_contact_batch batch = {
        .p = level->p,
        .x = level->x,
        .origin = {level->body->origin[0], level->body->origin[1], level->body->origin[2]},
        .thickness = thickness,
        .friction = level->material.friction,
        .escape = layer_of(&level->body->level[0]) * ESCAPE * substep->h,
        .group = level->body->group,
        .mask = level->body->mask,
        .touched = touched,
        .usual = level->material.thickness,
        .memo = level->memo,
    };
    tt_part_range(level->model, part, &batch.first, &batch.last);
    bool small = level->model->part_size <= TT_SMALL_PART;
    batch.pushed = small ? pushed : level->pushed + 4 * (size_t)batch.first;
    int met = tt_contacts(substep->broad, &batch);
    if (met > level->contacts[part]) level->contacts[part] = met; /* later passes find particles outside already */
}

static void contact(tt_level *level, const tt_substep *substep, int part)
{
    touch(level, substep, part, level->material.thickness, (tt_touched){NULL, NULL});
}

/* Pushes out particles that the balance has moved deep into a collider, but only to the middle of the layer around it.
 * A push all the way out would upset the balance, and cloth on a collider would tremble for ever. Particles in the
 * layer come out before the next balance. */
static void leave(tt_level *level, const tt_substep *substep, int part)
{
    touch(level, substep, part, level->material.thickness - layer_of(level), (tt_touched){NULL, NULL});
}

static void meet(tt_level *level, const tt_substep *substep, int part)
{
    int first, last;
    tt_part_range(level->model, part, &first, &last);
    size_t from = 4 * (size_t)first, size = 4 * (size_t)(last - first) * sizeof(float);
    memset(&level->balance.normal[from], 0, size);
    memset(&level->balance.motion[from], 0, size);
    touch(level, substep, part, level->material.thickness, (tt_touched){level->balance.normal, level->balance.motion});
}

static void meet_again(tt_level *level, const tt_substep *substep, int part)
{
    touch(level, substep, part, level->material.thickness, (tt_touched){level->balance.normal, level->balance.motion});
}

static tt_face_batch faces_of(const tt_level *level)
{
    const tt_body *body = level->body;
    return (tt_face_batch){
        .p = level->p,
        .x = level->x,
        .origin = {body->origin[0], body->origin[1], body->origin[2]},
        .thickness = 0, /* corners alone keep a distance: faces that rest on a ball would be pushed up for ever */
        .friction = level->material.friction,
        .group = body->group,
        .mask = body->mask,
    };
}

/* Looks at the share of a part in the runs of triangles. */
static void look_at_faces(tt_level *level, const tt_substep *substep, int part)
{
    const tt_face_batch batch = faces_of(level);
    const tt_skin *skin = &level->model->skin;
    int64_t runs = tt_face_runs(skin), parts = level->model->nparts;
    for (int run = (int)(runs * part / parts); run < (int)(runs * (part + 1) / parts); run++)
        level->face_touches[run] = tt_faces_touch(substep->broad, skin, &batch, run);
}

/* Runs share corners, so they are handled one after the other. At the end, corners are pushed out again. */
static void keep_faces_out(tt_level *level, const tt_substep *substep, int piece)
{
    const tt_face_batch batch = faces_of(level);
    const tt_skin *skin = &level->model->skin;
    int met = 0;
    for (int run = 0; run < tt_face_runs(skin); run++)
        if (level->face_touches[run]) met += tt_faces_keep_out(substep->broad, skin, &batch, run);
    for (int part = 0; part < level->model->nparts && met > 0; part++)
        if (level->body->balanced) leave(level, substep, part);
        else contact(level, substep, part);
    (void)piece;
    level->contacts[0] += met;
}

static bool faces_may_meet(const tt_level *level, const tt_substep *substep)
{
    return substep->broad->any_solid && level->model->skin.ntris > 0;
}

/* p, x -> face_touches   which triangles are in colliders though their corners are not */
static const tt_stage stage_look = {TT_PARTS, look_at_faces, faces_may_meet};
/* p, x, face_touches -> p, contacts   moves them out */
static const tt_stage stage_faces = {TT_WHOLE, keep_faces_out, faces_may_meet};

void tt_faces_push(tt_work *work)
{
    tt_run_all(work, &stage_look);
    tt_run_all(work, &stage_faces);
}

/* p, x -> p, contacts   colliders and friction */
static const tt_stage stage_contact = {TT_PARTS, contact, NULL};
/* p, x -> p, contacts   the same after the balance */
static const tt_stage stage_leave = {TT_PARTS, leave, NULL};
const tt_stage tt_stage_meet = {TT_PARTS, meet, NULL};
const tt_stage tt_stage_meet_again = {TT_PARTS, meet_again, NULL};

static void keep_out(const tt_work *work, tt_level *level)
{
    bool lattice = level->number > 0 && tt_body_model(level->body)->mesh_type == TT_MESH_SOLID;
    bool balanced = level->number == 0 && level->body->balanced;
    if (work->substep->broad->nused && !lattice) tt_run(work, balanced ? &stage_leave : &stage_contact, level);
}

void tt_colliders_push(tt_work *work)
{
    for (int b = 0; b < work->island->nbodies; b++) keep_out(work, &work->island->body[b]->level[0]);
}

void tt_colliders_bound(tt_work *work)
{
    for (int b = 0; b < work->island->nbodies; b++) {
        tt_body *body = work->island->body[b];
        for (int i = 0; i < body->nlevels; i++)
            if (body->level[i].at_work) keep_out(work, &body->level[i]);
    }
}

static bool reserve(tt_level *level, tt_scope *scope, bool memos, bool faces)
{
    const taut_model *model = level->model;
    if (memos && !level->memo) level->memo = TT_TAKE(scope, tt_memo, model->nparticles);
    if (faces && !level->face_touches) level->face_touches = TT_TAKE(scope, bool, tt_face_runs(&model->skin));
    return (level->memo || !memos) && (level->face_touches || !faces);
}

bool tt_contacts_reserve(taut_world *world)
{
    bool memos = false, faces = false;
    for (int i = 0; i < world->colliders.count; i++) {
        const tt_shape *shape = world->broad.shapes->shape[world->collider[i].now.shape];
        memos = memos || (world->collider[i].used && shape->remembers);
        faces = faces || (world->collider[i].used && shape->meet_faces);
    }
    for (int i = 0; i < world->bodies.count && (memos || faces); i++)
        for (int l = 0; world->body[i] && l < world->body[i]->nlevels; l++)
            if (!reserve(&world->body[i]->level[l], &world->body[i]->scope, memos, faces)) return false;
    return true;
}
