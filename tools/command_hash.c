/* taut hash: the same 16 digits from every machine, compiler, instruction set and thread count. */
#include "arguments.h"
#include "commands.h"
#include "scenes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const COMMAND = "taut hash";

static int list_scenes(bool describe)
{
    for (int i = 0; scene_name(i); i++)
        if (describe) printf("%-30s %s\n", scene_name(i), scene_about(i));
        else printf("%s\n", scene_name(i));
    return 0;
}

typedef struct coverage {
    int scenes, constraints;
} coverage;

/* Adds the constraints of a scene, and runs it for a while. */
static int cover(int index, coverage *kinds)
{
    scene s;
    int code = 0;
    bool fine = scene_open(&s, index, 1);
    for (int kind = 0; fine && kind < taut_kind_count(); kind++) {
        int count = scene_constraints(&s, kind);
        kinds[kind].scenes += count > 0;
        kinds[kind].constraints += count;
    }
    for (int step = 0; fine && step < 20; step++) fine = scene_step(&s);
    if (!fine) code = fail(COMMAND, "scene '%s': %s", scene_name(index), s.error.text);
    else if (!scene_is_sound(&s))
        code = fail(COMMAND, "scene '%s': particles go astray", scene_name(index));
    scene_close(&s);
    return code;
}

/* Every kind of constraint must be in a scene, because otherwise the hashes would not cover it. */
static int check_scenes(void)
{
    int missing = 0, code = 0;
    coverage *kinds = calloc((size_t)taut_kind_count(), sizeof *kinds);
    if (!kinds) return fail(COMMAND, "out of memory");
    for (int i = 0; scene_name(i) && !code; i++) code = cover(i, kinds);
    for (int kind = 0; kind < taut_kind_count() && !code; kind++) {
        printf("%-20s %6d in %2d scenes\n", taut_kind_name(kind), kinds[kind].constraints,
               kinds[kind].scenes);
        missing += kinds[kind].scenes == 0;
    }
    free(kinds);
    if (missing) return fail(COMMAND, "%d kinds of constraints are in no scene", missing);
    return code;
}

/* If an instruction set is absent, the library takes the best one that it has. For this command that is an error. */
static int check_simd(const taut_world *world)
{
    const char *wanted = getenv("TAUT_SIMD"), *got = taut_world_stats(world).simd;
    if (!wanted || !*wanted || strcmp(wanted, got) == 0) return 0;
    return fail(COMMAND,
                "TAUT_SIMD asks for '%s', which this build or machine does not have (it took '%s')",
                wanted, got);
}

static int print_hash(scene *s, int steps)
{
    int code = check_simd(s->world);
    if (code) return code;
    for (int step = 0; step < steps; step++)
        if (!scene_step(s)) return fail(COMMAND, "step %d: %s", step, s->error.text);
    printf("%016" PRIx64 "\n", taut_world_hash(s->world));
    return 0;
}

int command_hash(int argc, char **argv)
{
    const char *name = NULL;
    bool list = false, describe = false, check = false;
    int steps = 100, threads = 0;
    const option options[] = {
        {.name = "--steps",
         .value = "N",
         .help = "steps of 1/60 s (100)",
         .number = &steps,
         .most = 1000000},
        {.name = "--threads",
         .value = "T",
         .help = "0: one per core (0)",
         .number = &threads,
         .most = TAUT_MOST_THREADS},
        {.name = "--list", .help = "print the names of all scenes", .flag = &list},
        {.name = "--describe", .help = "print them with what they show", .flag = &describe},
        {.name = "--check",
         .help = "run all scenes for a while; print the kinds of constraints that they have",
         .flag = &check},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .operand = "NAME",
        .operand_text = &name,
        .about = "Runs the built-in scene NAME and prints the hash of its last state, 16 "
                 "hexadecimal digits.\n"
                 "The environment variable TAUT_SIMD (scalar, sse2, avx2, avx512, neon) picks an "
                 "instruction\n"
                 "set; the hash does not depend on it, nor on the number of threads.",
        .example = "taut hash sheet --steps 20",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    if (check) return check_scenes();
    if (list || describe) return list_scenes(describe);
    if (!name) return fail(COMMAND, "which scene? taut hash --list prints their names");
    int index = scene_find(name);
    if (index < 0) return fail_unknown(COMMAND, "scene", name, scene_name);
    scene opened;
    code = scene_open(&opened, index, threads)
               ? print_hash(&opened, steps)
               : fail(COMMAND, "scene '%s': %s", name, opened.error.text);
    scene_close(&opened);
    return code;
}
