/* Scenes from several files, and values set from outside: which value wins, and which place an error names. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The error of a scene file in the folder, without the folder. */
static const char *error_of(const char *name, const taut_scene_options *options)
{
    static taut_error error;
    static char plain[sizeof error.text];
    taut_scene *scene = taut_scene_load(in_folder(name), options, &error);
    if (scene) fail_msg("%s was accepted", name);
    size_t n = strlen(folder) + 1, at = 0;
    for (const char *c = error.text; *c;) {
        if (!strncmp(c, folder, n - 1) && c[n - 1] == '/') c += n;
        else plain[at++] = *c++;
    }
    plain[at] = 0;
    return plain;
}

#define BASE \
    "{\"fps\": 24, \"frames\": 10, \"gravity\": [0, -1, 0], \"solver\": {\"substeps\": 3, \"iterations\": 2},\n" \
    " \"bodies\": [\n" \
    "  {\"name\": \"flag\", \"mesh\": " SHEET ", \"material\": {\"friction\": 0.25, \"strain\": {\"xx\": 0.5}},\n" \
    "   \"pins\": [{\"vertex\": 0}, {\"vertex\": 4}]},\n" \
    "  {\"name\": \"rope\", \"mesh\": {\"generator\": \"chain\", \"n\": 5, \"length\": 1}}],\n" \
    " \"colliders\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"center\": [0, -1, 0], \"radius\": 0.5},\n" \
    "  {\"shape\": \"plane\", \"point\": [0, -2, 0]}]}"

/* A scene lists the files from which it was read, the last one first. */
static void test_inputs(void **state)
{
    (void)state;
    put_file("base.json", BASE);
    put_file("tri.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    put_file("scene.json", "{\"include\": \"base.json\", \"bodies\": [{\"mesh\": \"tri.obj\"}]}");
    taut_scene *scene = load_scene("scene.json", &one_thread);
    assert_non_null(scene->input);
    assert_string_equal(scene->input->path, in_folder("tri.obj"));
    assert_non_null(scene->input->next);
    assert_string_equal(scene->input->next->path, in_folder("base.json"));
    assert_null(scene->input->next->next);
    taut_scene_free(scene);
    scene = load_scene("base.json", &one_thread);
    assert_null(scene->input);
    taut_scene_free(scene);
    remove(in_folder("base.json"));
    remove(in_folder("tri.obj"));
    remove(in_folder("scene.json"));
}

static const char *const merged[] = {"base.json", "scene.json"};

static void test_merges(void **state)
{
    (void)state;
    put_file("base.json", BASE);
    put_file("scene.json",
             "{\"include\": \"base.json\", \"frames\": 20, \"solver\": {\"substeps\": 7},\n"
             " \"bodies\": [{\"mesh\": " SHEET ", \"name\": \"new\"},\n"
             "  {\"name\": \"flag\", \"material\": {\"strain\": {\"yy\": 0.75}}, \"pins\": [{\"vertex\": 2}],\n"
             "   \"mesh\": {\"nx\": 9}},\n"
             "  {\"name\": \"rope\", \"mesh\": {\"generator\": \"sphere\", \"levels\": 0, \"radius\": 0.1}}],\n"
             " \"colliders\": [{\"name\": \"ball\", \"radius\": 0.25}]}");
    taut_scene *scene = load_scene("scene.json", &one_thread);
    assert_true(scene->fps == 24);
    assert_int_equal(scene->frames, 20);
    assert_int_equal(scene->substeps, 7);
    assert_int_equal(scene->iterations, 2);
    assert_int_equal(scene->nbodies, 3);
    assert_string_equal(scene->body[0].name, "flag");
    assert_string_equal(scene->body[1].name, "rope");
    assert_string_equal(scene->body[2].name, "new");
    const taut_material *m = taut_body_material(scene->world, 0);
    assert_true(m->friction == 0.25f && m->strain.xx == 0.5f && m->strain.yy == 0.75f);
    const taut_mesh *mesh = &scene->body[0].file.mesh;
    assert_int_equal(mesh->nvertices, 36); /* 9 from the one file times 4 from the other */
    for (int v = 0; v < 36; v++) assert_int_equal(mesh->pinned[v] != 0, v == 2); /* a list is replaced */
    assert_int_equal(scene->body[1].file.mesh.nvertices, 12); /* another generator has keys of its own */
    assert_int_equal(taut_world_stats(scene->world).colliders, 2);
    assert_true(scene->ground && scene->ground_height == -2);
    taut_scene_free(scene);
    remove_files(merged, 2);
}

static void test_merged_steps_like_one_file(void **state)
{
    (void)state;
    put_file("base.json", BASE);
    put_file("scene.json",
             "{\"fps\":24,\"frames\":20,\"gravity\":[0,-1,0],\"solver\":{\"substeps\":7,\"iterations\":2},\"bodies\":["
             "{\"mesh\":{\"generator\":\"sheet\",\"nx\":9,\"ny\":4,\"width\":1,\"height\":0.75},\"name\":\"flag\","
             "\"material\":{\"friction\":0.25,\"strain\":{\"xx\":0.5,\"yy\":0.75}},\"pins\":[{\"vertex\":2}]},"
             "{\"name\":\"rope\",\"mesh\":{\"generator\":\"sphere\",\"levels\":0,\"radius\":0.1}},"
             "{\"mesh\":" SHEET ",\"name\":\"new\"}],\"colliders\":["
             "{\"shape\":\"sphere\",\"center\":[0,-1,0],\"radius\":0.25},{\"shape\":\"plane\",\"point\":[0,-2,0]}]}");
    taut_scene *whole = load_scene("scene.json", &one_thread);
    put_file("scene.json",
             "{\"include\":\"base.json\",\"frames\":20,\"solver\":{\"substeps\":7},\"bodies\":["
             "{\"name\":\"flag\",\"material\":{\"strain\":{\"yy\":0.75}},\"pins\":[{\"vertex\":2}],"
             "\"mesh\":{\"nx\":9}},"
             "{\"name\":\"rope\",\"mesh\":{\"generator\":\"sphere\",\"levels\":0,\"radius\":0.1}},"
             "{\"mesh\":" SHEET ",\"name\":\"new\"}],\"colliders\":[{\"name\":\"ball\",\"radius\":0.25}]}");
    taut_scene *scene = load_scene("scene.json", &one_thread);
    taut_error error;
    for (int frame = 0; frame < 40; frame++) {
        assert_true(taut_scene_step(scene, &error) && taut_scene_step(whole, &error));
        assert_true(taut_world_hash(scene->world) == taut_world_hash(whole->world));
    }
    taut_scene_free(scene);
    taut_scene_free(whole);
    remove_files(merged, 2);
}

static uint64_t hash_of(const taut_scene_options *options)
{
    taut_scene *scene = load_scene("scene.json", options);
    uint64_t hash = scene->hash;
    taut_scene_free(scene);
    return hash;
}

/* The hash is that of the values in all files together. Whitespace and threads do not change it, any value in any file
 * does. */
static void test_hash(void **state)
{
    (void)state;
    static const char *const files[] = {"base.json", "scene.json"};
    static const char *const bases[] = {
        "{\"wind\":{\"velocity\":[1,0,0],\"gust\":0.5}}",   "{\"wind\":{\"velocity\":[1,0,0],\"gust\":0.25}}",
        "{\"wind\":{\"velocity\":[1,0,0],\"period\":0.5}}", "{\"wind\":{\"velocity\":[1,0,0]}}",
        "{\"wind\":{\"velocity\":[0,1,0]}}",                "{\"wind\":[0,1,0]}",
        "{\"unit\":\"cm\"}",                                "{\"unit\":\"mm\"}",
        "{\"$schema\":true}",                               "{\"$schema\":false}",
        "{\"$schema\":null}",
    };
    enum { COUNT = sizeof bases / sizeof *bases };
    uint64_t hash[COUNT + 1];
    put_file("scene.json", "{\"include\":\"base.json\",\"bodies\":[]}");
    for (int i = 0; i < COUNT; i++) {
        put_file("base.json", bases[i]);
        hash[i] = hash_of(&one_thread);
        assert_true(hash_of(NULL) == hash[i]);
    }
    const char *const set[] = {"frames=7"};
    hash[COUNT] = hash_of(&(taut_scene_options){.nsets = 1, .set = set});
    for (int i = 0; i <= COUNT; i++)
        for (int j = 0; j < i; j++) assert_true(hash[i] != hash[j]);
    put_file("base.json", " {\n\"wind\" : {\"velocity\":[ 1.0, 0, 0 ], \"gust\":5e-1}}\n");
    assert_true(hash_of(&one_thread) == hash[0]);
    remove_files(files, 2);
}

/* If several included files set a value, the last one wins. A file that an included scene names is looked up in that
 * scene's folder. */
static void test_several_and_folders(void **state)
{
    (void)state;
    static const char *const files[] = {"a.json", "sub/b.json", "sub/c.json", "sub/quad.obj", "scene.json"};
    mkdir(in_folder("sub"), 0777);
    put_file("a.json", "{\"fps\":1,\"frames\":11,\"gravity\":[1,0,0]}");
    put_file("sub/c.json", "{\"bodies\":[{\"name\":\"quad\",\"mesh\":\"quad.obj\"}],\"wind\":[5,0,0]}");
    put_file("sub/b.json", "{\"include\":\"c.json\",\"fps\":2,\"wind\":[6,0,0]}");
    put_file("sub/quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
    put_file("scene.json", "{\"include\":[\"a.json\",\"sub/b.json\"]}");
    taut_scene *scene = load_scene("scene.json", &one_thread);
    assert_true(scene->fps == 2 && scene->frames == 11);
    assert_int_equal(scene->nbodies, 1);
    assert_int_equal(scene->body[0].file.mesh.nvertices, 3);
    taut_scene_free(scene);
    put_file("scene.json", "{\"include\":[\"sub/b.json\",\"a.json\"]}");
    scene = load_scene("scene.json", &one_thread);
    assert_true(scene->fps == 1);
    taut_scene_free(scene);
    remove_files(files, 5);
    rmdir(in_folder("sub"));
}

static void test_places(void **state)
{
    (void)state;
    static const char *const files[] = {"base.json", "scene.json"};
    static const struct {
        const char *base, *scene, *message;
    } cases[] = {
        {"{\"bodies\":[{\"name\":\"a\",\n\"mesh\":" SHEET ",\"material\":{\"edge\":2}}]}",
         "{\"include\":\"base.json\",\"bodies\":[{\"name\":\"a\",\"material\":{\"tether\":1}}]}",
         "base.json:2:87: bodies[0].material.edge must be in [0,1], got 2"},
        {"{\"bodies\":[{\"name\":\"a\",\n\"mesh\":" SHEET ",\"material\":{\"edge\":1}}]}",
         "{\"include\":\"base.json\",\n \"bodies\":[{\"name\":\"a\",\"material\":{\"edge\":3}}]}",
         "scene.json:2:43: bodies[0].material.edge must be in [0,1], got 3"},
        {"{\"fsp\":1}", "{\"include\":\"base.json\",\"bodies\":[]}",
         "base.json:1:2: fsp is not a key here; did you mean \"fps\"?"},
        {"{\"fps\":1}", "{\"include\":\"base.json\"}", "scene.json:1:1: the scene has no \"bodies\""},
        {"{\"fps\":1,}", "{\"include\":\"base.json\"}", "base.json:1:10: a comma must be followed by another item"},
        {"[]", "{\"include\":\"base.json\"}", "base.json:1:1: the scene must be an object, got an array"},
        {"{}", "{\"include\":7}", "scene.json:1:12: include must be a string, got a number"},
        {"{}", "{\"include\":[]}", "scene.json:1:12: include names no file"},
        {"{}", "{\"include\":[\"base.json\",1]}", "scene.json:1:25: include[1] must be a string, got a number"},
        {"{}", "{\"include\":\"none.json\"}",
         "scene.json:1:12: include: none.json: cannot open: No such file or directory"},
        {"{\"include\":\"scene.json\"}", "{\"include\":\"base.json\"}",
         "base.json:1:12: include goes round in a circle: scene.json > base.json > scene.json"},
        {"{\"bodies\":[{\"name\":\"a\",\"mesh\":\"no.obj\"}]}", "{\"include\":\"base.json\"}",
         "base.json:1:31: bodies[0].mesh: no.obj: cannot open: No such file or directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_file("base.json", cases[i].base);
        put_file("scene.json", cases[i].scene);
        assert_string_equal(error_of("scene.json", &one_thread), cases[i].message);
    }
    remove_files(files, 2);
}

/* Neither a long chain nor a broad tree of files goes on for ever. */
static void test_limits(void **state)
{
    (void)state;
    char name[32], text[600];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "%d.json", i);
        snprintf(text, sizeof text, "{\"include\":\"%d.json\"}", i + 1);
        put_file(name, text);
    }
    assert_string_equal(error_of("0.json", &one_thread),
                        "15.json:1:12: include is more than 15 files deep: ... > 5.json > 6.json > 7.json > 8.json > "
                        "9.json > 10.json > 11.json > 12.json > 13.json > 14.json > 15.json > 16.json");
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "%d.json", i);
        snprintf(text, sizeof text, i == 4 ? "{}" : "{\"include\":[\"%d.json\",\"%d.json\",\"%d.json\",\"%d.json\"]}",
                 i + 1, i + 1, i + 1, i + 1);
        put_file(name, text);
    }
    assert_non_null(strstr(error_of("0.json", &one_thread), "makes more than 255 included files"));
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "%d.json", i);
        remove(in_folder(name));
    }
}

/* ---- Values from outside ---- */

static const char plain[] =
    "{\"bodies\":[{\"name\":\"flag\",\"mesh\":" SHEET "},{\"mesh\":" SHEET "}],\"gravity\":[0,-9,0]}";

static taut_scene *with_sets(const char *const *set, int nsets, taut_error *error)
{
    taut_scene_options options = {.threads = 1, .nsets = nsets, .set = set};
    return taut_scene_parse("t", plain, strlen(plain), &options, error);
}

static void test_sets(void **state)
{
    (void)state;
    static const char *const sets[] = {"bodies[0].material.strain.xx=0.125",
                                       "bodies[flag].material.bend.model=dihedral",
                                       "bodies[1].name=other",
                                       "bodies[other].pins=[{\"vertex\":3}]",
                                       "bodies[other].mesh.nx=7",
                                       "solver.substeps=2",
                                       "solver={\"iterations\":3}",
                                       "fps=25",
                                       "gravity[1]=-2",
                                       "output=a b.pc2",
                                       "camera.eye=[1,2,3]",
                                       "camera.target=[0,0,0]"};
    taut_error error;
    taut_scene *scene = with_sets(sets, 12, &error);
    if (!scene) fail_msg("%s", error.text);
    const taut_material *m = taut_body_material(scene->world, 0);
    assert_true(m->strain.xx == 0.125f && m->bend.model == TAUT_BEND_DIHEDRAL);
    assert_string_equal(scene->body[1].name, "other");
    assert_int_equal(scene->body[1].file.mesh.nvertices, 28);
    assert_true(scene->body[1].file.mesh.pinned[3]);
    assert_true(scene->fps == 25);
    assert_int_equal(scene->noutputs, 1);
    assert_string_equal(scene->output[0], "a b.pc2");
    assert_true(scene->has_camera && scene->camera.eye[2] == 3);
    taut_scene_free(scene);
}

static void test_bad_sets(void **state)
{
    (void)state;
    static const struct {
        const char *set, *message;
    } cases[] = {
        {"fps", "--set fps: must be PATH=VALUE, such as bodies[0].material.friction=0.5"},
        {"=1", "--set =1: must be PATH=VALUE, such as bodies[0].material.friction=0.5"},
        {"fps=fast", "--set fps=fast: fps must be a number, got a string"},
        {"fps=0", "--set fps=0: fps must be in [0.001,100000], got 0"},
        {"fsp=1", "--set fsp=1: fsp is not a key here; did you mean \"fps\"?"},
        {"bodies[0].materail={}",
         "--set bodies[0].materail={}: bodies[0].materail is not a key here; did you mean \"material\"?"},
        {"bodies[0].material.strain.xx=1.5",
         "--set bodies[0].material.strain.xx=1.5: bodies[0].material.strain.xx must be in [0,1], got 1.5"},
        {"bodies[0].pins=[{\"vertex\":99}]", "--set bodies[0].pins=[{\"vertex\":99}]: bodies[0].pins[0].vertex must be "
                                            "a whole number in [0,19], got 99"},
        {"bodies[2].velocity=[0,0,0]",
         "--set bodies[2].velocity=[0,0,0]: bodies[2] is not there: it has 0 to 1"},
        {"bodies[flga].color=#ffffff",
         "--set bodies[flga].color=#ffffff: bodies has none named \"flga\"; did you mean \"flag\"?"},
        {"bodies[x].color=1", "--set bodies[x].color=1: bodies has none named \"x\""},
        {"bodies[0.color=1", "--set bodies[0.color=1: \"]\" is missing in the path"},
        {"bodies[0]color=1", "--set bodies[0]color=1: \".\" or \"[\" was expected behind \"]\" in the path"},
        {"bodies.color=1", "--set bodies.color=1: bodies is an array, it has no \"color\""},
        {"gravity[1].x=1", "--set gravity[1].x=1: gravity[1] is a number, it has no \"x\""},
        {"solver[0]=1", "--set solver[0]=1: solver is an object, it has no [0]"},
        {"bodies[0]..x=1", "--set bodies[0]..x=1: a key is missing in the path"},
        {"bodies[0].pins=[{]", "--set bodies[0].pins=[{]:1:3: expected a key in quotes, got ']'"},
        {"include=x.json", "--set include=x.json: what is included cannot be set: files are read before"},
        {"bodies[0].mesh=no/such.obj", "--set bodies[0].mesh=no/such.obj: bodies[0].mesh: no/such.obj: cannot open: No "
                                      "such file or directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        taut_error error;
        taut_scene *scene = with_sets(&cases[i].set, 1, &error);
        if (scene) fail_msg("%s was accepted", cases[i].set);
        assert_string_equal(error.text, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_merges), cmocka_unit_test(test_merged_steps_like_one_file),
        cmocka_unit_test(test_several_and_folders), cmocka_unit_test(test_places),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_sets),                cmocka_unit_test(test_bad_sets),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
