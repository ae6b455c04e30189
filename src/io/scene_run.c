/* A scene in time: frame by frame, saved and restored between two frames. */
#include "base/error.h"
#include "base/memory.h"
#include "io/scene.h"

#include <string.h>

bool taut_scene_step(taut_scene *scene, taut_error *error)
{
    tt_clear(error);
    taut_world_step(scene->world, (float)(1 / scene->fps));
    scene->frame++;
    return true;
}

void taut_scene_show(const taut_scene *scene, int body, float *xyz)
{
    const taut_scene_body *b = &scene->body[body];
    memcpy(xyz, taut_body_positions(scene->world, b->body, NULL), 3 * (size_t)b->shown.nvertices * sizeof *xyz);
}

/* ---- Saves: the frame's number, then the world ------------------------------------------------ */

size_t taut_scene_save(const taut_scene *scene, void *bytes, size_t size)
{
    int64_t frame = scene->frame;
    size_t room = size > sizeof frame ? size - sizeof frame : 0;
    size_t needed = taut_world_save(scene->world, room ? (unsigned char *)bytes + sizeof frame : NULL, room);
    needed += sizeof frame;
    if (size >= needed) memcpy(bytes, &frame, sizeof frame);
    return needed;
}

bool taut_scene_restore(taut_scene *scene, const void *bytes, size_t size, taut_error *error)
{
    int64_t frame;
    if (size < sizeof frame) return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut off");
    tt_scope moment;
    tt_scope_open(&moment, NULL);
    const taut_model **models = TT_TAKE(&moment, const taut_model *, scene->nbodies);
    if (!models) return tt_no_memory(error);
    for (int i = 0; i < scene->nbodies; i++) models[i] = scene->body[i].model;
    bool ok = taut_world_restore(scene->world, (const unsigned char *)bytes + sizeof frame, size - sizeof frame, models,
                                 scene->nbodies, error);
    tt_scope_close(&moment);
    if (!ok) return false;
    memcpy(&frame, bytes, sizeof frame);
    scene->frame = (int)frame;
    return true;
}
