/* Scene files: their values arrive in the world. Every mistake is refused with its place and with what would be
 * right. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_scene.h"
#include "io/scene.h"
#include "io/scene_check.h"
#include "io/scene_material.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Refusals ---- */

/* `text` stands on a line of its own: as the whole scene (line 1), or on line 2 of a scene as the other keys of a body,
 * as its material, as its list of pins, as its transform, as its mesh or as the list of colliders. */
typedef enum where { SCENE, BODY, MATERIAL, PINS, TRANSFORM, MESH, COLLIDERS } where;

static const struct {
    const char *before, *after;
} frame[] = {
    [SCENE] = {"", ""},
    [BODY] = {"{\"bodies\":[{\"mesh\":" SHEET ",\n", "}]}"},
    [MATERIAL] = {"{\"bodies\":[{\"mesh\":" SHEET ",\"material\":\n", "}]}"},
    [PINS] = {"{\"bodies\":[{\"mesh\":" SHEET ",\"pins\":\n", "}]}"},
    [TRANSFORM] = {"{\"bodies\":[{\"mesh\":" SHEET ",\"transform\":\n", "}]}"},
    [MESH] = {"{\"bodies\":[{\"mesh\":\n", "}]}"},
    [COLLIDERS] = {"{\"bodies\":[],\"colliders\":\n", "}"},
};

static const struct {
    where where;
    const char *text, *message;
} bad[] = {
    {SCENE, "[]", "t:1:1: the scene must be an object, got an array"},
    {SCENE, "{\"bodies\":[]", "t:1:13: expected ',' or '}', got the end of the file"},
    {SCENE, "{}", "t:1:1: the scene has no \"bodies\""},
    {SCENE, "{\"bodies\":{}}", "t:1:11: bodies must be an array, got an object"},
    {SCENE, "{\"bodys\":[]}", "t:1:2: bodys is not a key here; did you mean \"bodies\"?"},
    {SCENE, "{\"bodies\":[],\"quux\":1}", "t:1:14: quux is not a key here"},
    {SCENE, "{\"bodies\":[],\"\":1}", "t:1:14: \"\" is not a key here"},
    {SCENE, "{\"bodies\":[],\"a\\nb\":1}", "t:1:14: \"a?b\" is not a key here"},
    {SCENE, "{\"bodies\":[],\"gravity\":9.81}", "t:1:24: gravity must be an array of 3 numbers, got a number"},
    {SCENE, "{\"bodies\":[],\"gravity\":[0,-9]}", "t:1:24: gravity must have 3 numbers, got 2"},
    {SCENE, "{\"bodies\":[],\"gravity\":[0,\"-9\",0]}", "t:1:27: gravity[1] must be a number, got a string"},
    {SCENE, "{\"bodies\":[],\"origin\":[0,2e9,0]}", "t:1:26: origin[1] must be in [-1e+09,1e+09], got 2e+09"},
    {SCENE, "{\"bodies\":[],\"wind\":[0,0,1e39]}", "t:1:26: wind[2] must be in [-1000000,1000000], got 1e+39"},
    {SCENE, "{\"bodies\":[],\"wind\":[-1e39,0,0]}", "t:1:22: wind[0] must be in [-1000000,1000000], got -1e+39"},
    {SCENE, "{\"bodies\":[],\"air_density\":-1}", "t:1:28: air_density must be in [0,1000000], got -1"},
    {SCENE, "{\"bodies\":[],\"fps\":0}", "t:1:20: fps must be in [0.001,100000], got 0"},
    {SCENE, "{\"bodies\":[],\"fps\":1e-300}", "t:1:20: fps must be in [0.001,100000], got 1e-300"},
    {SCENE, "{\"bodies\":[],\"gravity\":[0,-1e30,0]}", "t:1:27: gravity[1] must be in [-1000000,1000000], got -1e+30"},
    {SCENE, "{\"bodies\":[],\"air_density\":1e30}", "t:1:28: air_density must be in [0,1000000], got 1e+30"},
    {SCENE, "{\"bodies\":[],\"wind\":[1e30,0,0]}", "t:1:22: wind[0] must be in [-1000000,1000000], got 1e+30"},
    {SCENE, "{\"bodies\":[],\"wind\":{\"velocity\":[1,0,0],\"gust\":1,\"period\":1e-300}}",
     "t:1:59: wind.period must be in [0.001,1000000], got 1e-300"},
    {SCENE, "{\"bodies\":[],\"fps\":null}", "t:1:20: fps must be a number, got null"},
    {SCENE, "{\"bodies\":[],\"frames\":2.5}", "t:1:23: frames must be a whole number in [1,10000000], got 2.5"},
    {SCENE, "{\"bodies\":[],\"frames\":1e99}", "t:1:23: frames must be a whole number in [1,10000000], got 1e+99"},
    {SCENE, "{\"bodies\":[],\"solver\":{\"substeps\":0}}",
     "t:1:35: solver.substeps must be a whole number in [1,1000], got 0"},
    {SCENE, "{\"bodies\":[],\"solver\":{\"iterations\":true}}",
     "t:1:37: solver.iterations must be a number, got true or false"},
    {SCENE, "{\"bodies\":[],\"solver\":8}", "t:1:23: solver must be an object, got a number"},
    {SCENE, "{\"bodies\":[],\"solver\":{\"substep\":8}}",
     "t:1:24: solver.substep is not a key here; did you mean \"substeps\"?"},
    {SCENE, "{\"bodies\":[7]}", "t:1:12: bodies[0] must be an object, got a number"},
    {SCENE, "{\"bodies\":[{}]}", "t:1:12: bodies[0] has no \"mesh\""},
    {SCENE, "{\"bodies\":[{\"mesh\":" SHEET ",\"name\":\"a\"},\n{\"mesh\":" SHEET ",\"name\":\"a\"}]}",
     "t:2:76: bodies[1].name is \"a\" like that of bodies[0]"},
    {SCENE, "{\"bodies\":[{\"mesh\":" SHEET ",\"name\":\"body1\"},\n{\"mesh\":" SHEET "}]}",
     "t:2:1: bodies[1] needs a name: bodies[0] is called \"body1\""},

    {BODY, "\"materail\":{}", "t:2:1: bodies[0].materail is not a key here; did you mean \"material\"?"},
    {BODY, "\"mesh\":1", "t:2:1: this key stands twice in one object"},
    {BODY, "\"name\":7", "t:2:8: bodies[0].name must be a string, got a number"},
    {BODY, "\"name\":\"\"", "t:2:8: bodies[0].name must have 1 to 100 bytes, got 0"},
    {BODY, "\"name\":\"../x\"", "t:2:8: bodies[0].name must not contain / \\ : or control characters"},
    {BODY, "\"velocity\":[1,2,3,4]", "t:2:12: bodies[0].velocity must have 3 numbers, got 4"},
    {BODY, "\"warp_axis\":{}", "t:2:13: bodies[0].warp_axis must be an array of 3 numbers, got an object"},

    {MATERIAL, "\"cotton\"", "t:2:1: bodies[0].material must be an object, got a string"},
    {MATERIAL, "{\"dry\":0.1}", "t:2:2: bodies[0].material.dry is not a key here"}, /* does not suggest "drag" */
    {MATERIAL, "{\"strain\":{\"xx\":1.5}}", "t:2:17: bodies[0].material.strain.xx must be in [0,1], got 1.5"},
    {MATERIAL, "{\"strain\":{\"yy\":-0.1}}", "t:2:17: bodies[0].material.strain.yy must be in [0,1], got -0.1"},
    {MATERIAL, "{\"strain\":{\"xy\":\"0\"}}", "t:2:17: bodies[0].material.strain.xy must be a number, got a string"},
    {MATERIAL, "{\"strain\":{\"zy\":1}}",
     "t:2:12: bodies[0].material.strain.zy is not a key here; did you mean \"yy\"?"},
    {MATERIAL, "{\"strain\":[]}", "t:2:11: bodies[0].material.strain must be an object, got an array"},
    {MATERIAL, "{\"strain\":{\"rest\":1}}",
     "t:2:19: bodies[0].material.strain.rest must be an array of 3 numbers, got a number"},
    {MATERIAL, "{\"strain\":{\"rest\":[1,0,1]}}", "t:2:22: bodies[0].material.strain.rest[1] must be above 0, got 0"},
    {MATERIAL, "{\"strain\":{\"volume\":2}}", "t:2:21: bodies[0].material.strain.volume must be in [0,1], got 2"},
    {MATERIAL, "{\"strain\":{\"area\":\"rigid\"}}",
     "t:2:19: bodies[0].material.strain.area must be a number, got a string"},
    {MATERIAL, "{\"strain\":{\"stretch_form\":\"spam\"}}",
     "t:2:27: bodies[0].material.strain.stretch_form must be one of \"span\", \"raw\", got \"spam\""},
    {MATERIAL, "{\"strain\":{\"shear_form\":0}}",
     "t:2:25: bodies[0].material.strain.shear_form must be a string, got a number"},
    {MATERIAL, "{\"bend\":{\"model\":\"dihedrl\"}}",
     "t:2:18: bodies[0].material.bend.model must be one of \"none\", \"dihedral\", \"isometric\", \"triangle\", "
     "\"stick\", got \"dihedrl\""},
    {MATERIAL, "{\"bend\":{\"stiffness\":7}}", "t:2:22: bodies[0].material.bend.stiffness must be in [0,1], got 7"},
    {MATERIAL, "{\"bend\":{\"kappa\":-1e39}}",
     "t:2:18: bodies[0].material.bend.kappa must be at least -3e+38, got -1e+39"},
    {MATERIAL, "{\"bend\":{\"mode\":\"at most\"}}",
     "t:2:17: bodies[0].material.bend.mode must be one of \"equal\", \"at_most\", \"at_least\", got \"at most\""},
    {MATERIAL, "{\"bend\":{\"creation\":\"\"}}",
     "t:2:21: bodies[0].material.bend.creation must be one of \"one_ring\", \"midpoint\", got \"\""},
    {MATERIAL, "{\"bend\":{\"sided\":1}}", "t:2:18: bodies[0].material.bend.sided must be true or false, got a number"},
    {MATERIAL, "{\"bend\":{\"flat\":\"yes\"}}",
     "t:2:17: bodies[0].material.bend.flat must be true or false, got a string"},
    {MATERIAL, "{\"density\":0}", "t:2:12: bodies[0].material.density must be above 0, got 0"},
    {MATERIAL, "{\"density\":1e-60}", "t:2:12: bodies[0].material.density must be above 0, got 1e-60"},
    {MATERIAL, "{\"thickness\":-1}", "t:2:14: bodies[0].material.thickness must be at least 0, got -1"},
    {MATERIAL, "{\"edge\":1.0000001}", "t:2:9: bodies[0].material.edge must be in [0,1], got 1.0000001"},
    {MATERIAL, "{\"tether\":[]}", "t:2:11: bodies[0].material.tether must be a number, got an array"},
    {MATERIAL, "{\"tether_slack\":0.5}", "t:2:17: bodies[0].material.tether_slack must be at least 1, got 0.5"},
    {MATERIAL, "{\"limit\":{\"stretch\":[1.1,2]}}",
     "t:2:22: bodies[0].material.limit.stretch[0] must be in [0,1], got 1.1"},
    {MATERIAL, "{\"limit\":{\"stretch\":[1.1,0.9]}}",
     "t:2:21: bodies[0].material.limit.stretch must have the smaller number first, got 1.1 and 0.9"},
    {MATERIAL, "{\"limit\":{\"stretch\":[\"no\",2]}}",
     "t:2:22: bodies[0].material.limit.stretch[0] must be a number or \"none\", got a string"},
    {MATERIAL, "{\"limit\":{\"x\":[0.5]}}", "t:2:15: bodies[0].material.limit.x must have 2 entries, got 1"},
    {MATERIAL, "{\"limit\":{\"y\":[\"none\",0.5]}}",
     "t:2:23: bodies[0].material.limit.y[1] must be at least 1, got 0.5"},
    {MATERIAL, "{\"limit\":{\"bend\":[1,2]}}", "t:2:19: bodies[0].material.limit.bend[0] must be at most 0, got 1"},
    {MATERIAL, "{\"limit\":{\"iterations\":0}}",
     "t:2:24: bodies[0].material.limit.iterations must be a whole number in [1,10000], got 0"},
    {MATERIAL, "{\"elastic\":{\"young\":-1}}", "t:2:21: bodies[0].material.elastic.young must be at least 0, got -1"},
    {MATERIAL, "{\"elastic\":{\"poisson\":-1}}",
     "t:2:23: bodies[0].material.elastic.poisson must be in (-1,1), got -1"},
    {MATERIAL, "{\"elastic\":{\"yuong\":1}}",
     "t:2:13: bodies[0].material.elastic.yuong is not a key here; did you mean \"young\"?"},
    {MATERIAL, "{\"elastic\":5}", "t:2:12: bodies[0].material.elastic must be an object, got a number"},
    {BODY, "\"levels\":\"lots\"", "t:2:10: bodies[0].levels must be a number or \"auto\", got a string"},
    {BODY, "\"levels\":13", "t:2:10: bodies[0].levels must be a whole number in [0,12], got 13"},
    {MATERIAL, "{\"damping\":{\"globl\":1}}",
     "t:2:13: bodies[0].material.damping.globl is not a key here; did you mean \"global\"?"},
    {MATERIAL, "{\"damping\":{\"bend\":-2}}", "t:2:20: bodies[0].material.damping.bend must be at least 0, got -2"},
    {MATERIAL, "{\"friction\":-1}", "t:2:13: bodies[0].material.friction must be at least 0, got -1"},
    {MATERIAL, "{\"drag\":1e300}", "t:2:9: bodies[0].material.drag must be at most 3e+38, got 1e+300"},
    {MATERIAL, "{\"lift\":false}", "t:2:9: bodies[0].material.lift must be a number, got true or false"},
    {MATERIAL, "{\"units\":\"si\"}",
     "t:2:10: bodies[0].material.units must be one of \"ratio\", \"physical\", got \"si\""},
    {MATERIAL, "{\"units\":\"physical\",\"edge\":-1}", "t:2:28: bodies[0].material.edge must be at least 0, got -1"},
    {MATERIAL, "{\"units\":\"physical\",\"edge\":1e39}",
     "t:2:28: bodies[0].material.edge must be at most 3e+38, got 1e+39"},
    {MATERIAL, "{\"units\":\"physical\",\"edge\":\"hard\"}",
     "t:2:28: bodies[0].material.edge must be a number or \"rigid\", got a string"},
    {MATERIAL, "{\"preset\":\"tweed\"}",
     "t:2:11: bodies[0].material.preset is no preset: \"tweed\"; `taut materials --presets` lists them"},
    {MATERIAL, "{\"preset\":\"linnen\"}",
     "t:2:11: bodies[0].material.preset is no preset: \"linnen\"; did you mean \"linen\"?"},
    {MATERIAL, "{\"preset\":1}", "t:2:11: bodies[0].material.preset must be a string, got a number"},
    {MATERIAL, "{\"units\":\"ratio\",\"preset\":\"silk\"}",
     "t:2:10: bodies[0].material.units must be \"physical\" like those of the preset \"silk\""},
    {MATERIAL, "{\"fricton\":1}", "t:2:2: bodies[0].material.fricton is not a key here; did you mean \"friction\"?"},
    {MATERIAL, "{\"presett\":1}", "t:2:2: bodies[0].material.presett is not a key here; did you mean \"preset\"?"},
    {MATERIAL, "{\"limits\":{}}", "t:2:2: bodies[0].material.limits is not a key here; did you mean \"limit\"?"},
    {MATERIAL, "{\"strain.xx\":1}", "t:2:2: bodies[0].material.\"strain.xx\" is not a key here"},
    {MATERIAL, "{\"bend\":{\"preset\":\"silk\"}}", "t:2:10: bodies[0].material.bend.preset is not a key here"},
    {MATERIAL, "{\"limit\":{\"x\":[0.5]}}", "t:2:15: bodies[0].material.limit.x must have 2 entries, got 1"},
    {MATERIAL, "{\"cookie\":1}", "t:2:2: bodies[0].material.cookie is not a key here"},

    {TRANSFORM, "{\"rotation\":[1,2]}",
     "t:2:13: bodies[0].transform.rotation must be 3 angles in degrees or 4 numbers of a quaternion"},
    {TRANSFORM, "{\"rotation\":[0,0,0,0]}", "t:2:13: bodies[0].transform.rotation must not be zero"},
    {TRANSFORM, "{\"rotation\":[0,0,1e7]}",
     "t:2:18: bodies[0].transform.rotation[2] must be in [-1000000,1000000], got 10000000"},
    {TRANSFORM, "{\"scale\":[1,1,1]}", "t:2:10: bodies[0].transform.scale must be a number, got an array"},
    {TRANSFORM, "{\"scale\":0}", "t:2:10: bodies[0].transform.scale must be above 0, got 0"},
    {TRANSFORM, "{\"translation\":[0,0,0]}", "t:2:2: bodies[0].transform.translation is not a key here"},

    {PINS, "{}", "t:2:1: bodies[0].pins must be an array, got an object"},
    {PINS, "[{}]", "t:2:2: bodies[0].pins[0] must have one way to select vertices, got 0"},
    {PINS, "[{\"vertex\":0,\"all\":true}]", "t:2:2: bodies[0].pins[0] must have one way to select vertices, got 2"},
    {PINS, "[{\"vertex\":20}]", "t:2:12: bodies[0].pins[0].vertex must be a whole number in [0,19], got 20"},
    {PINS, "[{\"vertex\":-1}]", "t:2:12: bodies[0].pins[0].vertex must be a whole number in [0,19], got -1"},
    {PINS, "[{\"vertices\":[0,1.5]}]",
     "t:2:17: bodies[0].pins[0].vertices[1] must be a whole number in [0,19], got 1.5"},
    {PINS, "[{\"vertices\":[]}]", "t:2:2: bodies[0].pins[0] selects no vertex"},
    {PINS, "[{\"group\":\"top\"}]", "t:2:11: bodies[0].pins[0].group names \"top\", which is not a group of the mesh"},
    {PINS, "[{\"box\":{\"min\":[0,0,0]}}]", "t:2:9: bodies[0].pins[0].box has no \"max\""},
    {PINS, "[{\"box\":{\"min\":[5,5,5],\"max\":[6,6,6]}}]", "t:2:2: bodies[0].pins[0] selects no vertex"},
    {PINS, "[{\"sphere\":{\"center\":[0,0,0],\"radius\":-1}}]",
     "t:2:39: bodies[0].pins[0].sphere.radius must be above 0, got -1"},
    {PINS, "[{\"boundary\":false}]", "t:2:14: bodies[0].pins[0].boundary must be true"},
    {PINS, "[{\"highest\":-1}]", "t:2:13: bodies[0].pins[0].highest must be at least 0, got -1"},
    {PINS, "[{\"vertex\":0,\"stiffness\":0}]", "t:2:26: bodies[0].pins[0].stiffness must be in (0,1], got 0"},
    {PINS, "[{\"vertx\":0}]", "t:2:3: bodies[0].pins[0].vertx is not a key here; did you mean \"vertex\"?"},

    {MESH, "7", "t:2:1: bodies[0].mesh must be a file's name or an object with a generator, got a number"},
    {MESH, "{}", "t:2:1: bodies[0].mesh has no \"generator\""},
    {MESH, "{\"generator\":\"cube\"}",
     "t:2:14: bodies[0].mesh.generator must be one of \"sheet\", \"irregular\", \"tube\", \"sphere\", \"beam\", "
     "\"torus\", \"strip\", \"chain\", \"branch\", \"merge\", \"fill\", got \"cube\""},
    {MESH, "{\"generator\":\"chain\",\"n\":5}", "t:2:1: bodies[0].mesh has no \"length\""},
    {MESH, "{\"generator\":\"chain\",\"n\":5,\"length\":1,\"width\":1}",
     "t:2:39: bodies[0].mesh.width is not a key here"},
    {MESH, "{\"generator\":\"chain\",\"n\":5,\"lenght\":1}",
     "t:2:28: bodies[0].mesh.lenght is not a key here; did you mean \"length\"?"},

    {COLLIDERS, "{}", "t:2:1: colliders must be an array, got an object"},
    {COLLIDERS, "[1]", "t:2:2: colliders[0] must be an object, got a number"},
    {COLLIDERS, "[{}]", "t:2:2: colliders[0] has no \"shape\""},
    {COLLIDERS, "[{\"shape\":\"cube\"}]",
     "t:2:11: colliders[0].shape must be one of \"plane\", \"sphere\", \"capsule\", "
     "\"box\", \"tapered\", \"hull\", \"mesh\", \"field\", got \"cube\""},
    {COLLIDERS, "[{\"shape\":\"plane\",\"radius\":1}]", "t:2:19: colliders[0].radius is not a key here"},
    {COLLIDERS, "[{\"shape\":\"sphere\",\"radius\":1}]", "t:2:2: colliders[0] has no \"center\""},
    {COLLIDERS, "[{\"shape\":\"plane\"},{\"shape\":\"capsule\",\"a\":[0,0,0],\"b\":[1,0,0],\"radius\":0}]",
     "t:2:72: colliders[1].radius must be above 0, got 0"},
    {COLLIDERS, "[{\"shape\":\"field\",\"mesh\":" SHEET "}]",
     "t:2:2: colliders[0]: the mesh of a field must be closed: each edge has two triangles, which run opposite ways"},
    {COLLIDERS, "[{\"shape\":\"field\",\n\"cell\":0}]", "t:3:8: colliders[0].cell must be above 0, got 0"},
    {COLLIDERS, "[{\"shape\":\"mesh\",\"mesh\":" SHEET ",\"fps\":5}]",
     "t:2:91: colliders[0].fps means nothing without \"follow\""},
    {COLLIDERS, "[{\"shape\":\"mesh\",\"mesh\":" SHEET ",\"follow\":7}]",
     "t:2:94: colliders[0].follow must be a string, got a number"},
    {COLLIDERS, "[{\"shape\":\"mesh\"}]", "t:2:2: colliders[0] has no \"mesh\""},
    {COLLIDERS, "[{\"shape\":\"mesh\",\"mesh\":" SHEET ",\"points\":[]}]",
     "t:2:85: colliders[0].points is not a key here"},
    {COLLIDERS, "[{\"shape\":\"mesh\",\"mesh\":{\"generator\":\"chain\",\"n\":3,\"length\":1}}]",
     "t:2:2: colliders[0]: the mesh of a collider has no triangles"},
    {COLLIDERS, "[{\"shape\":\"mesh\",\"mesh\":" SHEET ",\"keys\":[{\"time\":0,\"scale\":2}]}]",
     "t:2:92: colliders[0].keys must not scale a collider that is made of points"},
    {COLLIDERS, "[{\"shape\":\"plane\",\"normal\":[0,0,0]}]", "t:2:2: colliders[0]: collider.normal must not be zero"},
};

static void test_refuses(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1000];
        taut_error error;
        snprintf(text, sizeof text, "%s%s%s", frame[bad[i].where].before, bad[i].text, frame[bad[i].where].after);
        if (read_scene(text, &error)) fail_msg("%s was accepted", text);
        if (strcmp(error.text, bad[i].message) != 0) {
            print_error("%s\n  got  %s\n  want %s\n", bad[i].text, error.text, bad[i].message);
            wrong++;
        }
        assert_null(read_scene(text, NULL));
    }
    assert_int_equal(wrong, 0);
}

/* Errors of the library itself are passed on with the place in the file and the library's code. */
static void test_passes_on(void **state)
{
    (void)state;
    taut_error error, cause;
    taut_mesh mesh;
    char message[sizeof error.text + 64];
    assert_false(taut_mesh_sheet(&mesh, 1, 4, 1, 1, &cause));
    assert_null(read_scene("{\"bodies\":[{\"mesh\":\n "
                           "{\"generator\":\"sheet\",\"nx\":1,\"ny\":4,\"width\":1,\"height\":1}}]}",
                           &error));
    snprintf(message, sizeof message, "t:2:2: bodies[0].mesh: %s", cause.text);
    assert_string_equal(error.text, message);
    assert_int_equal(error.code, cause.code);
    assert_null(read_scene("{\"bodies\":[{\"mesh\":\"no-such-file.obj\"}]}", &error));
    assert_memory_equal(error.text, "t:1:20: bodies[0].mesh: no-such-file.obj", 40);
    assert_null(taut_scene_load("no-such-scene.json", &one_thread, &error));
    assert_non_null(strstr(error.text, "no-such-scene.json"));
    assert_null(taut_scene_parse("t", "{\"bodies\":[]}", 13, &(taut_scene_options){.threads = -1}, &error));
    assert_memory_equal(error.text, "t:1:1: the scene: ", 18);
}

/* ---- Materials ---- */

static taut_material good_material(const char *text)
{
    tt_scope scope;
    taut_error error;
    taut_material material = taut_default_material();
    tio_check check = {.error = &error};
    tt_scope_open(&scope, NULL);
    const tio_json *json = tio_json_parse(&scope, "t", text, strlen(text), &error);
    if (!json || !tio_read_material(&check, json, &material)) fail_msg("%s: %s", text, error.text);
    tt_scope_close(&scope);
    return material;
}

/* Every field of a material, each with a value that no other has. */
static void test_material_fields(void **state)
{
    (void)state;
    taut_material m = good_material(
        "{\"units\":\"physical\",\"density\":1,\"thickness\":2,\"edge\":3,\"strain\":{\"xx\":4,\"yy\":5,\"zz\":6,"
        "\"xy\":7,\"yz\":8,\"xz\":9,\"rest\":[10,11,12],\"area\":13,\"volume\":14,\"stretch_form\":\"raw\","
        "\"shear_form\":\"cosine\"},"
        "\"bend\":{\"model\":\"triangle\",\"stiffness\":15,\"kappa\":-16,\"mode\":\"at_least\","
        "\"creation\":\"midpoint\","
        "\"sided\":true,\"flat\":true},\"tether\":\"rigid\",\"tether_slack\":18,\"damping\":{\"global\":19,\"edge\":20,"
        "\"stretch\":21,\"shear\":22,\"area\":23,\"volume\":24,\"bend\":25,\"dry\":32},"
        "\"friction\":26,\"drag\":27,\"lift\":28,"
        "\"elastic\":{\"young\":29,\"poisson\":0.25,\"bend\":30,\"damping\":31}}");
    taut_material want = taut_default_material();
    want.units = TAUT_PHYSICAL;
    want.density = 1, want.thickness = 2, want.edge = 3;
    want.strain = (taut_strain){4, 5, 6, 7, 8, 9, {10, 11, 12}, 13, 14, TAUT_STRETCH_RAW, TAUT_SHEAR_COSINE};
    want.bend = (taut_bend){TAUT_BEND_TRIANGLE, 15, -16, TAUT_BEND_AT_LEAST, TAUT_BEND_MIDPOINT, true, true};
    want.tether = INFINITY, want.tether_slack = 18;
    want.damping = (taut_damping){19, 20, 21, 22, 23, 24, 25, 32};
    want.friction = 26, want.drag = 27, want.lift = 28;
    want.elastic = (taut_elastic){29, 0.25f, 30, 31};
    assert_int_equal(m.cookie, want.cookie);
    assert_int_equal(m.units, want.units);
    assert_memory_equal(&m.density, &want.density, sizeof(float) * 3);
    assert_memory_equal(&m.strain, &want.strain, sizeof m.strain);
    assert_int_equal(m.bend.model, want.bend.model);
    assert_true(m.bend.stiffness == 15 && m.bend.kappa == -16 && m.bend.sided && m.bend.flat);
    assert_int_equal(m.bend.mode, want.bend.mode);
    assert_int_equal(m.bend.creation, want.bend.creation);
    assert_true(isinf(m.tether) && m.tether_slack == 18);
    assert_memory_equal(&m.damping, &want.damping, sizeof m.damping);
    assert_memory_equal(&m.elastic, &want.elastic, sizeof m.elastic);
    assert_true(m.friction == 26 && m.drag == 27 && m.lift == 28);
}

static void test_material_choices(void **state)
{
    (void)state;
    static const char *const models[] = {"none", "dihedral", "isometric", "triangle", "stick"};
    static const char *const shears[] = {"angle", "cosine", "raw"};
    char text[100];
    for (int i = 0; i < 5; i++) {
        snprintf(text, sizeof text, "{\"bend\":{\"model\":\"%s\"}}", models[i]);
        assert_int_equal(good_material(text).bend.model, i);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "{\"strain\":{\"shear_form\":\"%s\"}}", shears[i]);
        assert_int_equal(good_material(text).strain.shear_form, i);
    }
    assert_int_equal(good_material("{\"bend\":{\"mode\":\"at_most\"}}").bend.mode, TAUT_BEND_AT_MOST);
}

static void test_material_bases(void **state)
{
    (void)state;
    taut_material plain = good_material("{}"), usual = taut_default_material();
    assert_memory_equal(&plain.density, &usual.density, sizeof(float) * 3);
    assert_memory_equal(&plain.strain, &usual.strain, sizeof plain.strain);
    taut_material ratio = good_material("{\"units\":\"ratio\",\"strain\":{\"xx\":0.25}}");
    assert_true(ratio.strain.xx == 0.25f && ratio.strain.yy == 1);
    /* Ratios are no moduli, so none of the default ones is kept. */
    taut_material bare = good_material("{\"units\":\"physical\",\"strain\":{\"yy\":100}}");
    assert_true(bare.strain.xx == 0 && bare.strain.yy == 100 && bare.strain.xy == 0 && bare.strain.volume == 0);
    assert_true(bare.tether == 0 && bare.bend.stiffness == 0 && bare.edge == 0 && bare.strain.rest[2] == 1);
    /* With elastic forces the default ratios are dropped too, unless the scene sets them. */
    taut_material elastic = good_material("{\"elastic\":{\"young\":5},\"edge\":0.5}");
    assert_true(elastic.elastic.young == 5 && elastic.edge == 0.5f && elastic.strain.xx == 0 && elastic.tether == 0);
    assert_true(elastic.bend.stiffness == 0 && elastic.strain.volume == 0 && elastic.drag == usual.drag);
    taut_material denim;
    assert_true(taut_preset_material("denim", &denim));
    taut_material stretchy = good_material("{\"preset\":\"denim\",\"elastic\":{\"young\":5}}");
    assert_true(stretchy.elastic.young == 5 && stretchy.strain.xx == denim.strain.xx);
    taut_material changed = good_material("{\"strain\":{\"xx\":77},\"preset\":\"denim\",\"units\":\"physical\"}");
    assert_int_equal(changed.units, TAUT_PHYSICAL);
    assert_true(changed.strain.xx == 77 && changed.strain.yy == denim.strain.yy && changed.density == denim.density);
}

/* A model can be built with each preset, and a scene finds it by its name. */
static void test_presets(void **state)
{
    (void)state;
    for (int i = 0; i < taut_preset_count(); i++) {
        char text[300];
        const taut_preset *preset = taut_preset_at(i);
        const char *mesh =
            preset->solid ? "{\"generator\":\"beam\",\"nx\":2,\"ny\":1,\"nz\":1,\"size\":[0.2,0.1,0.1]}" : SHEET;
        snprintf(text, sizeof text, "{\"bodies\":[{\"mesh\":%s,\"material\":{\"preset\":\"%s\"}}]}", mesh,
                 preset->name);
        taut_scene *scene = good_scene(text);
        taut_material material;
        assert_true(taut_preset_material(preset->name, &material));
        assert_memory_equal(taut_body_material(scene->world, 0), &material, sizeof material);
        for (int frame_number = 0; frame_number < 10; frame_number++) taut_world_step(scene->world, 1 / 60.0f);
        assert_int_equal(taut_world_stats(scene->world).bad_particles, 0);
        taut_scene_free(scene);
    }
}

/* ---- Scenes ---- */

static taut_world *world_by_calls(const taut_model *model)
{
    taut_error error;
    taut_world_def def = taut_default_world_def();
    memcpy(def.gravity, (float[]){0, -5, 0}, sizeof def.gravity);
    memcpy(def.wind, (float[]){1, 0, 2}, sizeof def.wind);
    def.air_density = 1.5f, def.substeps = 3, def.iterations = 4, def.threads = 1;
    taut_world *world = taut_world_create(&def, &error);
    taut_body_def place = taut_default_body_def();
    place = (taut_body_def){place.cookie, {1, 2, 3}, {0.5f, 0.5f, 0.5f, 0.5f}, {0, 0, 1}, 2, 5, {0, 0, 0}, 0.001f};
    int body = taut_world_add_body(world, model, &place, &error);
    assert_true(body >= 0 && taut_body_pin(world, body, 19, NULL, 0.5f, &error));
    taut_collider_def plane = taut_default_collider_def(), sphere = plane, capsule = plane;
    plane.a[1] = 1, plane.normal[2] = 0.1f, plane.friction = 0.25f;
    sphere.shape = TAUT_SPHERE, sphere.radius = 0.5f, sphere.spin[1] = 3, sphere.group = 4, sphere.mask = 2;
    memcpy(sphere.a, (float[]){1, 1, 3}, sizeof sphere.a);
    capsule.shape = TAUT_CAPSULE, capsule.radius = 0.2f;
    assert_true(taut_world_add_collider(world, &plane, &error) >= 0);
    assert_true(taut_world_add_collider(world, &sphere, &error) >= 0);
    assert_true(taut_world_add_collider(world, &capsule, &error) >= 0);
    return world;
}

/* A scene gives the same world, to the bit, as the same calls of the API. */
static void test_same_as_api(void **state)
{
    (void)state;
    taut_scene *scene = good_scene(
        "{\"gravity\":[0,-5,0],\"wind\":[1,0,2],\"air_density\":1.5,\"solver\":{\"substeps\":3,\"iterations\":4},"
        "\"fps\":24,\"frames\":10,\"bodies\":[{\"name\":\"flag\",\"mesh\":" SHEET ",\"transform\":{"
        "\"position\":[1,2,3],"
        "\"rotation\":[0.5,0.5,0.5,0.5],\"scale\":2},\"velocity\":[0,0,1],\"material\":{\"strain\":{\"xy\":0.25}},"
        "\"group\":2,\"mask\":5,"
        "\"pins\":[{\"vertices\":[0,4]},{\"vertex\":19,\"stiffness\":0.5}]}],"
        "\"colliders\":[{\"shape\":\"plane\",\"point\":[0,1,0],\"normal\":[0,1,0.1],\"friction\":0.25},"
        "{\"shape\":\"sphere\",\"center\":[1,1,3],\"radius\":0.5,\"spin\":[0,3,0],\"group\":4,\"mask\":2},"
        "{\"shape\":\"capsule\",\"a\":[0,0,0],\"b\":[0,1,0],\"radius\":0.2}]}");
    assert_true(scene->fps == 24);
    assert_int_equal(scene->frames, 10);
    assert_int_equal(scene->nbodies, 1);
    assert_string_equal(scene->body[0].name, "flag");

    taut_error error;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 5, 4, 2, 1.5f, &error));
    assert_true(taut_mesh_pin(&mesh, 0, &error) && taut_mesh_pin(&mesh, 4, &error));
    taut_material material = taut_default_material();
    material.strain.xy = 0.25f;
    taut_model *model = taut_model_build(&mesh, &material, NULL, &error);
    taut_world *world = world_by_calls(model);
    for (int i = 0; i < 30; i++) {
        assert_true(taut_world_hash(world) == taut_world_hash(scene->world));
        taut_world_step(world, 1 / 24.0f);
        taut_world_step(scene->world, 1 / 24.0f);
    }
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
    taut_scene_free(scene);
}

static void test_defaults(void **state)
{
    (void)state;
    taut_scene *scene = good_scene("{\"bodies\":[{\"mesh\":" SHEET "},{\"mesh\":" SHEET "}]}");
    assert_true(scene->fps == 60);
    assert_int_equal(scene->frames, 300);
    assert_string_equal(scene->body[0].name, "body0");
    assert_string_equal(scene->body[1].name, "body1");
    assert_int_equal(scene->body[0].file.npolygons, scene->body[0].file.mesh.ntris);
    taut_scene_free(scene);
    scene = good_scene("{\"bodies\":[]}");
    assert_int_equal(scene->nbodies, 0);
    taut_scene_free(scene);
    taut_scene_free(NULL);
}

static void test_rotation(void **state)
{
    (void)state;
    static const struct {
        const char *rotation;
        float want[3]; /* where vertex 4 of the sheet, (0.5, 0, 0), goes */
    } turns[] = {{"[0,0,90]", {0, 0.5f, 0}},  {"[0,90,0]", {0, 0, -0.5f}},  {"[90,0,0]", {0.5f, 0, 0}},
                 {"[90,0,90]", {0, 0.5f, 0}}, {"[0,90,90]", {0, 0, -0.5f}}, {"[0,0,-720]", {0.5f, 0, 0}},
                 {"[0,0,3,3]", {0, 0.5f, 0}}, {"[0,-7,0,0]", {-0.5f, 0, 0}}};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "{\"bodies\":[{\"mesh\":" SHEET ",\"imperfection\":0,\"transform\":{\"rotation\":%s}}]}",
                 turns[i].rotation);
        taut_scene *scene = good_scene(text);
        const float *x = taut_body_positions(scene->world, 0, NULL) + 12;
        for (int c = 0; c < 3; c++) assert_true(fabsf(x[c] - turns[i].want[c]) < 1e-6f);
        taut_scene_free(scene);
    }
}

/* ---- Pins ---- */

static void test_pins(void **state)
{
    (void)state;
    /* The sheet has 5 x 4 vertices, 0.25 m apart, its top edge at y = 0; here it stands 10 m higher, on its side. */
    static const struct {
        const char *pins;
        const char *pinned; /* one letter a vertex */
    } cases[] = {
        {"[{\"vertices\":[3,5]},{\"vertex\":7}]", "...#. #.#.. ..... ....."},
        {"[{\"boundary\":true}]", "##### #...# #...# #####"},
        {"[{\"all\":true}]", "##### ##### ##### #####"},
        {"[{\"highest\":0.01}]", "....# ....# ....# ....#"},
        {"[{\"highest\":0.26}]", "...## ...## ...## ...##"},
        {"[{\"lowest\":0.01}]", "#.... #.... #.... #...."},
        {"[{\"box\":{\"min\":[-0.1,9.7,-1],\"max\":[0.3,10.1,1]}}]", ".##.. .##.. ..... ....."},
        {"[{\"sphere\":{\"center\":[0.25,10,0],\"radius\":0.26}}]", "..#.. .###. ..#.. ....."},
        {"[{\"all\":true,\"stiffness\":0.5},{\"vertex\":0}]", "#.... ..... ..... ....."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "{\"bodies\":[{\"mesh\":" SHEET ",\"transform\":{\"position\":[0,10,0],\"rotation\":[0,0,90]},"
                 "\"pins\":%s}]}",
                 cases[i].pins);
        taut_scene *scene = good_scene(text);
        const unsigned char *pinned = scene->body[0].file.mesh.pinned;
        const char *letter = cases[i].pinned;
        for (int v = 0; v < 20; v++, letter++) {
            if (*letter == ' ') letter++;
            if ((*letter == '#') != (pinned[v] != 0)) fail_msg("%s: vertex %d", cases[i].pins, v);
        }
        taut_scene_free(scene);
    }
}

/* ---- Mesh files ---- */

/* A mesh file is found next to the scene, whatever the working folder, and its groups can be pinned. */
static void test_mesh_file(void **state)
{
    (void)state;
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 2 0\nf 1 2 3 4\ng tip\nf 3 5 4\n";
    static const char text[] = "{\"bodies\":[{\"mesh\":\"quad.obj\",\"transform\":{\"scale\":2},"
                               "\"pins\":[{\"group\":\"tip\"}]}]}";
    taut_error error;
    assert_true(taut_file_write(in_folder("quad.obj"), obj, strlen(obj), &error));
    assert_true(taut_file_write(in_folder("scene.json"), text, strlen(text), &error));
    taut_scene *scene = taut_scene_load(in_folder("scene.json"), &one_thread, &error);
    if (!scene) fail_msg("%s", error.text);
    const taut_mesh_file *file = &scene->body[0].file;
    assert_int_equal(file->npolygons, 2);
    assert_int_equal(file->mesh.ntris, 3);
    assert_true(file->mesh.x[6] == 2 && file->mesh.x[7] == 2);
    for (int v = 0; v < 5; v++) assert_int_equal(file->mesh.pinned[v] != 0, v >= 2);
    taut_scene_free(scene);
    remove(in_folder("quad.obj"));
    remove(in_folder("scene.json"));
}

static void test_generators(void **state)
{
    (void)state;
    static const struct {
        const char *mesh;
        int vertices;
    } cases[] = {
        {"\"irregular\",\"nx\":4,\"ny\":3,\"width\":1,\"height\":1,\"jitter\":0.3,\"seed\":7", 12},
        {"\"sphere\",\"levels\":1,\"radius\":1", 42},
        {"\"beam\",\"nx\":2,\"ny\":1,\"nz\":1,\"size\":[2,1,1]", 12},
        {"\"strip\",\"n\":5,\"length\":1,\"width\":0.1", 10},
        {"\"chain\",\"n\":5,\"length\":1", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text, "{\"bodies\":[{\"mesh\":{\"generator\":%s}}]}", cases[i].mesh);
        taut_scene *scene = good_scene(text);
        assert_int_equal(scene->body[0].file.mesh.nvertices, cases[i].vertices);
        taut_scene_free(scene);
    }
    static const char *const others[] = {"\"tube\",\"around\":6,\"along\":4,\"radius\":0.2,\"length\":1",
                                         "\"torus\",\"around\":8,\"rings\":1,\"big_radius\":1,\"small_radius\":0.3",
                                         "\"branch\",\"segments\":3,\"levels\":2,\"length\":1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char text[300];
        snprintf(text, sizeof text, "{\"bodies\":[{\"mesh\":{\"generator\":%s}}]}", others[i]);
        taut_scene *scene = good_scene(text);
        const taut_mesh *mesh = &scene->body[0].file.mesh;
        assert_true((i == 0 && mesh->ntris > 0) || (i == 1 && mesh->ntets > 0) || (i == 2 && mesh->nlines > 0));
        taut_scene_free(scene);
    }
}

/* ---- Words ---- */

static void test_edit_distance(void **state)
{
    (void)state;
    assert_int_equal(tio_edit_distance("", ""), 0);
    assert_int_equal(tio_edit_distance("", "abc"), 3);
    assert_int_equal(tio_edit_distance("abc", ""), 3);
    assert_int_equal(tio_edit_distance("material", "material"), 0);
    assert_int_equal(tio_edit_distance("materail", "material"), 1);
    assert_int_equal(tio_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(tio_edit_distance("ca", "abc"), 3);
    assert_int_equal(tio_edit_distance("ab", "ba"), 1);
    assert_int_equal(tio_edit_distance("abcdefghijklmnopqrstuvwxyz012345", "a"), 99);
}

/* A long key is shortened in the message, between characters. */
static void test_long_key(void **state)
{
    (void)state;
    char text[400] = "{\"bodies\":[],\"";
    taut_error error;
    for (int i = 0; i < 60; i++) strcat(text, "\xe2\x82\xac");
    strcat(text, "\":1}");
    assert_null(read_scene(text, &error));
    char want[400] = "t:1:14: \"";
    for (int i = 0; i < 14; i++) strcat(want, "\xe2\x82\xac");
    strcat(want, "...\" is not a key here");
    assert_string_equal(error.text, want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refuses),         cmocka_unit_test(test_passes_on),
        cmocka_unit_test(test_material_fields), cmocka_unit_test(test_material_choices),
        cmocka_unit_test(test_material_bases),  cmocka_unit_test(test_presets),
        cmocka_unit_test(test_same_as_api),     cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_rotation),        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_mesh_file),       cmocka_unit_test(test_generators),
        cmocka_unit_test(test_edit_distance),   cmocka_unit_test(test_long_key),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
