#include "io/scene_follow.h"

#include <math.h>

bool tio_read_follow(const tio_check *check, const tio_json *name, double fps, double scene_fps,
                     taut_animation *animation, double *rate)
{
    taut_error cause;
    if (!tio_expect(check, name, TIO_JSON_STRING)) return false;
    const char *path = tio_file_beside(check, name);
    if (!path) return false;
    if (!taut_animation_load(path, animation, &cause)) return tio_fail_because(check, name, &cause);
    *rate = (fps > 0 ? fps : animation->fps > 0 ? animation->fps : scene_fps) / animation->frame_step;
    return true;
}

tio_sample tio_sample_at(const taut_animation *animation, double rate, double time)
{
    size_t frame = 3 * (size_t)animation->nvertices;
    double last = animation->nframes - 1, at = time * rate;
    if (at > last) at = last;
    double first = floor(at);
    tio_sample sample = {.frame = animation->xyz + (size_t)first * frame, .share = at - first};
    sample.next = sample.share > 0 ? sample.frame + frame : sample.frame;
    return sample;
}
