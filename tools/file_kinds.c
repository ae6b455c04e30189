#include "file_kinds.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *ending;
    file_kind kind;
} known[] = {
    {"json", FILE_SCENE},  {"obj", FILE_MESH},    {"ply", FILE_MESH},    {"stl", FILE_MESH},    {"msh", FILE_MESH},
    {"vtk", FILE_MESH},    {"node", FILE_MESH},   {"ele", FILE_MESH},    {"pc2", FILE_MOTION},  {"mdd", FILE_MOTION},
    {"glb", FILE_GLB},     {"vtu", FILE_EXPORT},  {"pvd", FILE_EXPORT},  {"usda", FILE_EXPORT}, {"png", FILE_PICTURE},
    {"mp4", FILE_PICTURE}, {"gif", FILE_PICTURE},
};

enum { KNOWN = sizeof known / sizeof known[0] };

file_kind file_kind_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < KNOWN; i++)
        if (strcasecmp(dot + 1, known[i].ending) == 0) return known[i].kind;
    return FILE_OTHER;
}

const char *why_no_scene(const char *path)
{
    switch (file_kind_of(path)) {
    case FILE_MESH: return "is a mesh; a scene names it as \"mesh\", taut info and taut mesh take it as it is";
    case FILE_MOTION: return "is an animation; taut info and taut render --mesh take it";
    case FILE_GLB: return "is an animation; taut info and taut render take it";
    case FILE_EXPORT: return "is an animation that taut only writes";
    case FILE_PICTURE: return "is a picture";
    case FILE_SCENE:
    case FILE_OTHER: break;
    }
    return NULL;
}
