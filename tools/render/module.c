#define _POSIX_C_SOURCE 200809L
#include "module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const packages = "libegl1 libegl-mesa0 libgl1-mesa-dri libgles2 libpng16-16";
static const char *const build_packages = "libegl-dev libgles-dev libpng-dev";

/* The folder of the running program. */
static bool find_folder(char *folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0) return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (!slash) return false;
    *slash = '\0';
    return true;
}

static void *try_place(const char *folder, const char *place, bool *found)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s/taut-render.so", folder, place);
    if (access(path, F_OK) != 0) return NULL;
    *found = true;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

const paint_module *module_load(paint_message *why)
{
    static const char *const places[] = {".", TAUT_RENDER_FOLDER};
    char folder[4096];
    bool found = false;
    void *module = NULL;
    bool placed = find_folder(folder, sizeof folder);
    for (size_t i = 0; placed && !found && i < sizeof places / sizeof *places; i++)
        module = try_place(folder, places[i], &found);
    const paint_module *symbol = module ? dlsym(module, PAINT_MODULE_SYMBOL) : NULL;
    if (symbol) return symbol;
    if (found)
        snprintf(why->text, sizeof why->text, "drawing needs packages that are missing: install %s (%.200s)", packages,
                 dlerror());
    else
        snprintf(why->text, sizeof why->text,
                 "this taut was built without its renderer: install %s and %s, then build it again", build_packages,
                 packages);
    return NULL;
}
