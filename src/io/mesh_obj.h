/* Shared by the two halves of the OBJ reader: elements as they stand in the file, and groups made of them. */
#ifndef TAUT_IO_MESH_OBJ_H
#define TAUT_IO_MESH_OBJ_H

#include "io/mesh_build.h"

/* A face or a line. */
typedef struct tio_obj_element {
    int first_corner, ncorners;
    int first_name, nnames; /* the groups it is in */
    int line;               /* of the file */
    bool is_face;
} tio_obj_element;

typedef struct tio_obj_corner {
    int vertex, uv; /* from 0, or -1: none */
} tio_obj_corner;

typedef struct tio_obj {
    tio_text *text;
    tio_builder *builder;
    int nuvs;
    tio_list uv;            /* 2 floats each              */
    tio_list element;       /* tio_obj_element            */
    tio_list corner;        /* tio_obj_corner             */
    tio_list name;          /* tio_word: every mention of a group, in the file's order */
    tio_word object;        /* the object that is open; size 0: none */
    int first_name, nnames; /* the groups that are open, including the object */
    tio_list faces;         /* int, 1 per corner: the present face */
    tio_list face_uv;       /* float, 2 per corner        */
} tio_obj;

/* Call it once all elements are read. The groups and objects become vertex groups of the builder, in the order of their
 * first mention. Those without elements are left out. */
bool tio_add_obj_groups(tio_obj *o);

#endif
