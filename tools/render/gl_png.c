/* PNG, with libpng. */
#include "gl_context.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

unsigned char *paint_encode(const unsigned char *rgb, int width, int height, bool quick, size_t *size,
                            paint_message *why);

unsigned char *paint_encode(const unsigned char *rgb, int width, int height, bool quick, size_t *size,
                            paint_message *why)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    image.format = PNG_FORMAT_RGB;
    image.flags = quick ? PNG_IMAGE_FLAG_FAST : 0;
    png_alloc_size_t needed = PNG_IMAGE_PNG_SIZE_MAX(image);
    unsigned char *bytes = malloc(needed);
    if (bytes && png_image_write_to_memory(&image, bytes, &needed, 0, rgb, 0, NULL)) {
        *size = needed;
        return bytes;
    }
    paint_fail(why, "the PNG could not be made: %s", bytes ? image.message : "out of memory");
    free(bytes);
    return NULL;
}
