/* Animated meshes that parts of a scene follow. */
#ifndef TAUT_IO_SCENE_FOLLOW_H
#define TAUT_IO_SCENE_FOLLOW_H

#include "io/scene_include.h"

/* Loads the file of that name. If `fps` is 0, the rate is that of the file, or if it has none, that of the scene.
 * `rate` becomes the frames of the file a second. */
bool tio_read_follow(const tio_check *check, const tio_json *name, double fps, double scene_fps,
                     taut_animation *animation, double *rate);

/* An animation at a time: between two frames. After the last frame it stays there. */
typedef struct tio_sample {
    const float *frame, *next;
    double share; /* of the second */
} tio_sample;

tio_sample tio_sample_at(const taut_animation *animation, double rate, double time);

static inline double tio_sampled(const tio_sample *sample, size_t i)
{
    double first = sample->frame[i];
    return first + ((double)sample->next[i] - first) * sample->share;
}

#endif
