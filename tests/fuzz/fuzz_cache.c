/* Reads any bytes as an animation: the first byte picks PC2 or MDD. An accepted animation has all its frames, and its
 * numbers are finite. */
#include "io/animated.h"

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool truth)
{
    if (!truth) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    taut_animation animation;
    taut_error error = {0};
    taut_bytes bytes = {(unsigned char *)data + 1, size - 1};
    bool good = data[0] % 2 ? tio_read_mdd("a.mdd", &bytes, &animation, &error)
                            : tio_read_pc2("a.pc2", &bytes, &animation, &error);
    if (good) {
        require(animation.nvertices >= 1 && animation.nframes >= 1 && animation.fps >= 0 && animation.frame_step > 0);
        for (size_t i = 0; i < 3 * (size_t)animation.nvertices * (size_t)animation.nframes; i++)
            require(isfinite(animation.xyz[i]));
    } else {
        require(error.code != TAUT_OK && error.text[0] && !animation.xyz);
    }
    taut_animation_free(&animation);
    return 0;
}
