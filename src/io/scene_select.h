/* Selects vertices of a body by one of several keys: vertex, box, highest and so on. */
#ifndef TAUT_IO_SCENE_SELECT_H
#define TAUT_IO_SCENE_SELECT_H

#include "io/scene_mesh.h"

enum { TIO_SELECTORS = 9 };

/* The values of an object that selects vertices, under these keys. */
typedef struct tio_selectors {
    struct {
        const tio_json *value;
    } slot[TIO_SELECTORS];
} tio_selectors;

/* Fills the table of keys of an object that selects; its tio_selectors is at `offset` of the caller's struct. */
void tio_selector_keys(size_t offset, tio_key keys[TIO_SELECTORS]);

typedef struct tio_selection {
    const tio_check *check;
    const taut_mesh_file *file;
    tt_scope memory;
    float *place;          /* 3 per vertex, in the world             */
    unsigned char *chosen; /* 1 per vertex: what tio_select selected */
    int count;             /* how many                               */
} tio_selection;

/* False (and an error) when memory ran out. Close it in any case. */
bool tio_selection_open(tio_selection *selection, const tio_check *check, const taut_mesh_file *file,
                        const tio_transform *transform);
void tio_selection_close(tio_selection *selection);
/* Selects vertices. The object must have exactly one selector, and it must select something. */
bool tio_select(tio_selection *selection, const tio_json *object, const tio_selectors *selectors);

#endif
