/* Pins in time. The time alone decides which pin holds a vertex. The target of the vertex depends on the time and on
 * the place where the pin began, which is saved. So a scene can go on from any saved frame. */
#include "io/scene_follow.h"
#include "io/scene_pins.h"

#include <math.h>
#include <string.h>

static bool at_work(const tio_pin *pin, double time) { return time >= pin->from && time < pin->until; }

void tio_pins_start(const tio_pins *pins, float *stiffness)
{
    for (int i = 0; i < pins->count; i++) {
        const tio_pin *pin = &pins->pin[i];
        for (int k = 0; k < pin->nvertices && at_work(pin, 0); k++) stiffness[pin->vertex[k]] = pin->stiffness;
    }
}

static void find_holders(const tio_pins *pins, double time, int *holder)
{
    for (int v = 0; v < pins->nvertices; v++) holder[v] = -1;
    for (int i = 0; i < pins->count; i++) {
        const tio_pin *pin = &pins->pin[i];
        for (int k = 0; k < pin->nvertices && at_work(pin, time); k++) holder[pin->vertex[k]] = i;
    }
}

/* The targets of a pin at a time. Values that do not depend on the vertex are computed once. */
typedef struct aim {
    const tio_pins *pins;
    const tio_pin *pin;
    tio_pose pose;
    const float *start; /* 3 per vertex: where keys move them from */
    vec3 about;
    bool placed;                /* `start` is where this body was, not the first copy */
    tio_sample sample; /* of the followed animation; without a frame: none */
} aim;

static void aim_keys(const tio_pin *pin, const tio_pinned *pinned, double time, aim *a)
{
    a->pose = tio_motion_at(&pin->motion, time - pin->from);
    if (pin->first_start < 0) return;
    a->placed = true;
    a->start = pinned->starts + 3 * (size_t)pin->first_start;
    a->about = pin->has_about ? vec_add(pin->about, vec_of(pinned->offset)) : tio_middle(a->start, pin->nvertices);
}

static aim aim_at(const tio_pins *pins, const tio_pin *pin, const tio_pinned *pinned, double time)
{
    aim a = {.pins = pins, .pin = pin, .start = pin->start, .about = pin->about};
    if (pin->motion.nkeys) aim_keys(pin, pinned, time, &a);
    if (!pin->follow.nframes) return a;
    a.sample = tio_sample_at(&pin->follow, pin->follow_rate, time);
    return a;
}

static void find_target(const aim *a, int k, const float offset[3], float target[3])
{
    if (a->sample.frame) {
        size_t from = 3 * (size_t)a->pin->follow_vertex[k];
        for (size_t i = 0; i < 3; i++)
            target[i] = (float)(tio_sampled(&a->sample, from + i) * (double)a->pins->follow_scale);
        tio_place(&a->pins->transform, target, target);
    } else {
        vec3 moved = tio_pose_apply(&a->pose, a->about, vec_of(&a->start[3 * (size_t)k]));
        target[0] = (float)moved.x, target[1] = (float)moved.y, target[2] = (float)moved.z;
    }
    for (int i = 0; i < 3 && !a->placed; i++) target[i] += offset[i];
}

/* A pin that does not move holds its vertices where they are when it begins. */
static bool move_one(const tio_pins *pins, int i, const tio_pinned *pinned, double next, taut_error *error)
{
    const tio_pin *pin = &pins->pin[i];
    bool moves = pin->motion.nkeys || pin->follow.nframes;
    aim a = aim_at(pins, pin, pinned, next);
    for (int k = 0; k < pin->nvertices; k++) {
        int v = pin->vertex[k];
        float target[3] = {0, 0, 0};
        if (pins->now[v] != i || (!moves && pins->before[v] == i)) continue;
        if (moves) find_target(&a, k, pinned->offset, target);
        if (!taut_body_pin_from(pinned->world, pinned->body, v, pinned->origin, moves ? target : NULL, pin->stiffness,
                                error))
            return false;
    }
    return true;
}

/* Remembers the places of the vertices whose pins begin in this step. */
static void keep_starts(const tio_pins *pins, const tio_pinned *pinned, double before, double time)
{
    if (pins->nstarts == 0) return;
    taut_body_positions_from(pinned->world, pinned->body, pinned->origin, pins->place);
    for (int i = 0; i < pins->count; i++) {
        const tio_pin *pin = &pins->pin[i];
        if (pin->first_start < 0 || !at_work(pin, time) || at_work(pin, before)) continue;
        float *start = pinned->starts + 3 * (size_t)pin->first_start;
        for (int k = 0; k < pin->nvertices; k++)
            memcpy(start + 3 * (size_t)k, pins->place + 3 * (size_t)pin->vertex[k], 3 * sizeof *start);
    }
}

bool tio_pins_move(const tio_pins *pins, const tio_pinned *pinned, double before, double time, double next,
                   taut_error *error)
{
    if (!pins->busy) return true;
    keep_starts(pins, pinned, before, time);
    find_holders(pins, before, pins->before);
    find_holders(pins, time, pins->now);
    for (int v = 0; v < pins->nvertices; v++)
        if (pins->before[v] >= 0 && pins->now[v] < 0 && !taut_body_unpin(pinned->world, pinned->body, v, error))
            return false;
    for (int i = 0; i < pins->count; i++)
        if (!move_one(pins, i, pinned, next, error)) return false;
    return true;
}
