/* Settings for pictures and files: units, colours, the camera, names of output files. */
#include "base/error.h"
#include "io/scene.h"

#include <string.h>

float tio_unit(int number)
{
    static const float metres[] = {1, 0.01f, 0.001f, 0.0254f};
    return metres[number];
}

/* ---- Colours ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Six digits rrggbb, without a '#'. */
static bool parse_hex(const char *text, float color[3])
{
    if (strlen(text) != 6) return false;
    for (int i = 0; i < 3; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        color[i] = (float)(16 * high + low) / 255;
    }
    return true;
}

bool tio_read_color(const tio_check *check, const tio_json *value, float color[3])
{
    static const tio_key key = {.kind = TIO_VECTOR, .range = {0, 1, false}};
    if (value->type != TIO_JSON_STRING) return tio_read_value(check, value, &key, color);
    if (value->string[0] == '#' && parse_hex(value->string + 1, color)) return true;
    return tio_fail_at(check, value, "must be \"#rrggbb\" or 3 numbers of 0 to 1, got \"%s\"",
                       tio_show(value->string).text);
}

void tio_palette(int number, float color[3])
{
    static const char *const colors[] = {"c8553d", "3f7cac", "e9b44c", "588b8b",
                                         "8e6c88", "93b48b", "d98880", "5d737e"};
    parse_hex(colors[number % TIO_COUNT(colors)], color);
}

/* ---- Camera and output ---- */

bool tio_read_camera(const tio_check *check, const tio_json *object, taut_camera *camera)
{
    static const tio_key keys[] = {
        {"eye", TIO_VECTOR, offsetof(taut_camera, eye), {-TIO_MOST, TIO_MOST, false}, NULL, true},
        {"target", TIO_VECTOR, offsetof(taut_camera, target), {-TIO_MOST, TIO_MOST, false}, NULL, true},
        {"fov", TIO_FLOAT, offsetof(taut_camera, fov), {1, 170, false}, NULL, false},
    };
    camera->fov = 40;
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), camera)) return false;
    if (camera->eye[0] != camera->target[0] || camera->eye[1] != camera->target[1] ||
        camera->eye[2] != camera->target[2])
        return true;
    return tio_fail_at(check, object, "must have its target elsewhere than its eye");
}

static bool read_file_name(const tio_check *check, const tio_json *value, const char **name)
{
    if (!tio_expect(check, value, TIO_JSON_STRING)) return false;
    if (value->count == 0) return tio_fail_at(check, value, "must not be empty");
    *name = value->string;
    return true;
}

bool tio_read_output(const tio_check *check, const tio_json *value, taut_scene *scene)
{
    bool several = value->type == TIO_JSON_ARRAY;
    if (!several && value->type != TIO_JSON_STRING)
        return tio_fail_at(check, value, "must be a file's name or an array of names, got %s",
                           tio_json_type_name(value->type));
    const char **name = TT_TAKE(check->memory, const char *, several ? value->count : 1);
    if (!name) return tt_no_memory(check->error);
    scene->output = name;
    for (const tio_json *item = several ? value->first : value; item; item = several ? item->next : NULL)
        if (!read_file_name(check, item, &name[scene->noutputs++])) return false;
    return true;
}
