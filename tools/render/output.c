#include "output.h"
#include "film.h"
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool output_fail(taut_error *error, const char *path, const char *cause)
{
    error->code = TAUT_BAD_ARGUMENT;
    error->index = -1;
    snprintf(error->text, sizeof error->text, "%.100s: %.120s", path, cause);
    return false;
}

bool output_kind_of(const char *path, output_kind *kind)
{
    bool film = name_ends_with(path, ".mp4") || name_ends_with(path, ".gif");
    char name[4096];
    *kind = film ? OUTPUT_FILM : name_has_number(path) ? OUTPUT_FRAMES : OUTPUT_PICTURE;
    if (film) return !name_has_number(path);
    return name_ends_with(path, ".png") && name_of_frame(name, sizeof name, path, 0);
}

/* ---- PNG -------------------------------------------------------------------------------------------------------- */

static bool write_png(const output *out, const char *path, const picture *p, taut_error *error)
{
    size_t size;
    paint_message why;
    unsigned char *bytes =
        out->module->encode(p->rgb, p->width, p->height, out->kind == OUTPUT_FRAMES, &size, &why);
    if (!bytes) return output_fail(error, path, why.text);
    bool fine = taut_file_write(path, bytes, size, error);
    free(bytes);
    return fine;
}

static bool write_frame(const output *out, const picture *p, int frame, taut_error *error)
{
    char name[4096];
    if (!name_of_frame(name, sizeof name, out->path, frame))
        return output_fail(error, out->path, "the name is too long");
    return write_png(out, name, p, error);
}

/* ---- Sheets ----------------------------------------------------------------------------------------------------- */

static int gutter_of(const output *out) { return out->width / 60 + 2; }

static bool open_sheet(output *out, taut_error *error)
{
    int gutter = gutter_of(out);
    picture *s = &out->sheet;
    s->width = out->columns * (out->width + gutter) + gutter;
    s->height = out->rows * (out->height + gutter) + gutter;
    size_t bytes = 3 * (size_t)s->width * (size_t)s->height;
    s->rgb = malloc(bytes);
    if (!s->rgb) return output_fail(error, out->path, "out of memory");
    memset(s->rgb, 250, bytes);
    return true;
}

static void place_on_sheet(output *out, const picture *p, int frame)
{
    static const unsigned char ink[3] = {90, 94, 102};
    int gutter = gutter_of(out), column = out->placed % out->columns, row = out->placed / out->columns;
    size_t left = (size_t)(gutter + column * (p->width + gutter)), top = (size_t)(gutter + row * (p->height + gutter));
    for (size_t y = 0; y < (size_t)p->height; y++)
        memcpy(out->sheet.rgb + 3 * ((top + y) * (size_t)out->sheet.width + left),
               p->rgb + 3 * y * (size_t)p->width, 3 * (size_t)p->width);
    char text[16];
    float size = (float)p->height / 26 > 6.5f ? (float)p->height / 26 : 6.5f;
    snprintf(text, sizeof text, "%d", frame);
    font_draw(&out->sheet, (float)left + size, (float)top + (float)p->height - size, size, text, ink);
    out->placed++;
}

/* ---- Any of them ------------------------------------------------------------------------------------------------ */

bool output_open(output *out, taut_error *error)
{
    out->pipe = -1;
    out->ffmpeg = -1;
    out->placed = 0;
    out->sheet = (picture){0, 0, NULL};
    if (out->kind == OUTPUT_SHEET) return open_sheet(out, error);
    if (out->kind == OUTPUT_FILM) return film_open(out, error);
    return true;
}

bool output_put(output *out, const picture *p, int frame, taut_error *error)
{
    switch (out->kind) {
    case OUTPUT_PICTURE: return write_png(out, out->path, p, error);
    case OUTPUT_FRAMES: return write_frame(out, p, frame, error);
    case OUTPUT_FILM: return film_put(out, p, error);
    default: place_on_sheet(out, p, frame); return true;
    }
}

bool output_close(output *out, bool keep, taut_error *error)
{
    bool fine = true;
    if (out->kind == OUTPUT_SHEET && keep) fine = write_png(out, out->path, &out->sheet, error);
    if (out->kind == OUTPUT_FILM) fine = film_close(out, keep, error);
    free(out->sheet.rgb);
    out->sheet.rgb = NULL;
    return fine;
}
