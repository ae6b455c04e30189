/* A scene in time, frame by frame. */
#include "base/error.h"
#include "io/scene.h"

#include <string.h>

static bool move_wind(tio_scene *s, double time, taut_error *error)
{
    if (!s->windy) return true;
    vec3 wind = tio_wind_at(&s->wind, time);
    const float velocity[3] = {(float)wind.x, (float)wind.y, (float)wind.z};
    return taut_world_set_wind(s->scene.world, velocity, s->air_density, error);
}

/* Takes step number `step` from the beginning. All times are computed from that number alone. */
static bool take_step(tio_scene *s, int64_t step, taut_error *error)
{
    taut_world *world = s->scene.world;
    double rate = s->scene.fps * s->steps;
    double before = (double)(step > 0 ? step - 1 : 0) / rate, now = (double)step / rate;
    double next = (double)(step + 1) / rate;
    if (!move_wind(s, next, error)) return false;
    for (int i = 0; i < s->ncolliders; i++) {
        if (s->collider[i].motion.nkeys == 0 && s->collider[i].follow.nframes == 0) continue;
        taut_collider_def def = tio_collider_at(&s->collider[i], next);
        if (!taut_collider_move(world, s->collider[i].id, &def, error)) return false;
    }
    for (int i = 0; i < s->scene.nbodies; i++) {
        const tio_scene_part *part = &s->part[i];
        const tio_pinned pinned = {world, s->scene.body[i].body, s->scene.origin, part->offset, part->starts};
        if (part->pins && !tio_pins_move(part->pins, &pinned, before, now, next, error)) return false;
    }
    return taut_world_step(world, (float)(1 / rate)) || tt_no_memory(error);
}

bool taut_scene_step(taut_scene *scene, taut_error *error)
{
    tio_scene *s = (tio_scene *)scene;
    tt_clear(error);
    for (int i = 0; i < s->steps; i++)
        if (!take_step(s, (int64_t)scene->frame * s->steps + i, error)) return false;
    scene->frame++;
    return true;
}

void taut_scene_show(const taut_scene *scene, int body, float *xyz)
{
    const taut_scene_body *b = &scene->body[body];
    const tio_scene_part *part = &((const tio_scene *)scene)->part[body];
    taut_body_positions_from(scene->world, b->body, scene->origin, part->embedding ? part->carrier : xyz);
    if (part->embedding) taut_embedding_apply(part->embedding, part->carrier, xyz);
}
