/* How pairs of bodies of a scene touch. */
#include "base/error.h"
#include "io/scene.h"

#include <string.h>

bool tio_find_body(const tio_check *check, const tio_scene *s, const tio_json *object, const char *key, int *number)
{
    const tio_json *value = tio_json_member(object, key);
    for (*number = 0; *number < s->scene.nbodies; ++*number)
        if (!strcmp(s->scene.body[*number].name, value->string)) return true;
    return tio_fail_at(check, value, "names \"%s\", which is not a body", tio_show(value->string).text);
}

/* An entry as written. */
typedef struct contact_text {
    const char *body, *to;
    int contact;
} contact_text;

static bool add_entry(const tio_check *check, const tio_scene *s, const tio_json *object)
{
    static const tio_key keys[] = {
        {"body", TIO_STRING, offsetof(contact_text, body), {0, 0, false}, NULL, true},
        {"to", TIO_STRING, offsetof(contact_text, to), {0, 0, false}, NULL, true},
        {"contact", TIO_CHOICE, offsetof(contact_text, contact), {0, 0, false}, "off|fast|strict|auto", true},
    };
    contact_text text = {0};
    taut_error cause;
    int body, to;
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), &text)) return false;
    if (!tio_find_body(check, s, object, "body", &body) || !tio_find_body(check, s, object, "to", &to)) return false;
    const taut_scene_body *bodies = s->scene.body;
    return taut_world_set_contact(s->scene.world, bodies[body].body, bodies[to].body, (taut_contact)text.contact,
                                  &cause) ||
           tio_fail_because(check, object, &cause);
}

bool tio_add_contacts(const tio_check *check, const tio_json *array, const tio_scene *s)
{
    if (!tio_expect(check, array, TIO_JSON_ARRAY)) return false;
    for (const tio_json *item = array->first; item; item = item->next)
        if (!add_entry(check, s, item)) return false;
    return true;
}
