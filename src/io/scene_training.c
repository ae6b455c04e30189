/* Trained limits of a scene's bodies. */
#include "base/error.h"
#include "io/scene.h"
#include "io/scene_include.h"

bool tio_read_training(const tio_check *check, const tio_json *value, taut_training **training)
{
    taut_error cause;
    taut_bytes bytes;
    if (!tio_expect(check, value, TIO_JSON_STRING)) return false;
    const char *path = tio_file_beside(check, value);
    if (!path) return false;
    if (!taut_file_read(path, &bytes, &cause)) return tio_fail_because(check, value, &cause);
    *training = taut_training_load(bytes.data, bytes.size, NULL, &cause);
    taut_bytes_free(&bytes);
    return *training || tio_fail_because(check, value, &cause);
}
