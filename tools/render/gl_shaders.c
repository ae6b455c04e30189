/* Light: one key light with a soft shadow; the sky, whose light arrives with each vertex (gl_sky.h); and light that
 * the ground throws back. Everything is linear until highlights are compressed and the result is `encoded` for the
 * screen. Roots replace powers, because they cost next to nothing when a processor draws in software. */
#include "gl_shaders.h"

const char shader_head[] =
    "#version 300 es\n"
    "precision highp float;\n"
    "precision highp sampler2DShadow;\n"
    "vec3 linear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }\n"
    /* Linear up to KNEE, then bent towards 1, so that only highlights change. */
    "vec3 compressed(vec3 c) {\n"
    "    const float KNEE = 0.7;\n"
    "    vec3 over = max(c - KNEE, 0.0);\n"
    "    return min(c, KNEE) + over / (1.0 + over / (1.0 - KNEE));\n"
    "}\n"
    "vec3 encoded(vec3 c) {\n"
    "    vec3 r2 = sqrt(c), r4 = sqrt(r2), r8 = sqrt(r4);\n"
    "    return 0.662002687 * r2 + 0.684122060 * r4 - 0.323583601 * r8 - 0.0225411470 * c;\n"
    "}\n";

/* How much of the key light arrives: a disc of samples of its shadow map. */
#define KEY_SHADOW                                                                                           \
    "uniform sampler2DShadow key_shadow;\n"                                                                  \
    "uniform float key_spread;\n"                                                                            \
    "float look(vec3 q, float x, float y) {\n"                                                               \
    "    return textureLod(key_shadow, vec3(q.xy + vec2(x, y) * key_spread, q.z), 0.0);\n"                   \
    "}\n"                                                                                                    \
    "float key_at(vec3 q) {\n"                                                                               \
    "    q = vec3(q.xy * 0.5 + 0.5, min(q.z * 0.5 + 0.5, 0.9999));\n"                                        \
    "    return (look(q, -0.4, -0.9) + look(q, 0.9, -0.4) + look(q, 0.4, 0.9) + look(q, -0.9, 0.4)) / 4.0;\n"  \
    "}\n"

const shader_source shader_depth = {
    "layout(location = 0) in vec3 position;\n"
    "uniform mat4 matrix;\n"
    "void main() { gl_Position = matrix * vec4(position, 1.0); }\n",
    "void main() {}\n",
};

const shader_source shader_surface = {
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec4 front;\n"
    "layout(location = 3) in vec4 back;\n"
    "layout(location = 4) in vec2 sky;\n"
    "uniform mat4 matrix;\n"
    "out vec3 at, n;\n"
    "out vec4 front_color, back_color;\n"
    "out vec2 sky_sides;\n"
    "void main() {\n"
    "    gl_Position = matrix * vec4(position, 1.0);\n"
    "    at = position;\n"
    "    n = normal;\n"
    "    front_color = vec4(linear(front.rgb), front.a);\n"
    "    back_color = vec4(linear(back.rgb), back.a);\n"
    "    sky_sides = sky;\n"
    "}\n",
    KEY_SHADOW
    "in vec3 at, n;\n"
    "in vec4 front_color, back_color;\n"
    "in vec2 sky_sides;\n"
    "uniform mat4 key_matrix;\n"
    "uniform vec3 eye, key_light, key_color, sky_color, ground_color;\n"
    "uniform float key_offset;\n"
    "out vec4 color;\n"
    "void main() {\n"
    "    vec3 N = normalize(gl_FrontFacing ? n : -n), V = normalize(eye - at);\n"
    "    vec3 base = gl_FrontFacing ? front_color.rgb : back_color.rgb;\n"
    "    float above = gl_FrontFacing ? sky_sides.x : sky_sides.y;\n"
    "    float lit = dot(N, key_light);\n"
    "    vec3 from = at + (N * (sign(lit) * (2.0 - abs(lit))) + key_light) * key_offset;\n"
    "    float open = key_at((key_matrix * vec4(from, 1.0)).xyz);\n"
    /* Thin cloth lets some light through to the side away from it. */
    "    float smoothness = front_color.a, cloth = 1.0 - smoothness;\n"
    "    vec3 key = key_color * open;\n"
    "    vec3 sky = sky_color * above;\n"
    "    float around = clamp((sky_sides.x + sky_sides.y) * 1.2, 0.0, 1.0);\n"
    "    vec3 light = key * (max(lit, 0.0) + max(-lit, 0.0) * 0.2 * cloth) + sky +\n"
    "                 ground_color * (0.5 - 0.5 * N.y) * mix(0.3, 1.0, around);\n"
    /* Fibres that stand up catch light at grazing angles; smooth surfaces have a soft highlight. */
    "    float grazing = 1.0 - min(abs(dot(N, V)), 1.0);\n"
    "    grazing *= grazing;\n"
    "    vec3 fuzz = (base * 0.65 + 0.3) * (grazing * grazing * 0.5 * cloth);\n"
    "    vec3 result = base * light + fuzz * (sky + key * max(lit, 0.0) * 0.35);\n"
    "    float gloss = max(dot(N, normalize(key_light + V)), 0.0);\n"
    "    for (int i = 0; i < 5; i++) gloss *= gloss;\n"
    "    result += key * (gloss * mix(0.012, 0.07, smoothness) * step(0.0, lit));\n"
    /* A colour that is meant to be read off is exact where the surface faces the eye, and darker where the surface
     * turns away. */
    "    vec3 plain = base * (0.7 + 0.3 * min(abs(dot(N, V)), 1.0));\n"
    "    color = vec4(encoded(mix(compressed(result), plain, back_color.a)), 1.0);\n"
    "}\n",
};

/* Edges are pulled a little towards the eye, so that the surface they lie on does not hide them. */
const shader_source shader_wire = {
    "layout(location = 0) in vec3 position;\n"
    "uniform mat4 matrix;\n"
    "uniform vec3 eye;\n"
    "void main() { gl_Position = matrix * vec4(mix(position, eye, 0.0015), 1.0); }\n",
    "out vec4 color;\n"
    "uniform float strength;\n"
    "void main() { color = vec4(0.05, 0.06, 0.09, strength); }\n",
};

/* The ground has the backdrop's colour, except for a pool of light and the shadows in it, and fades into the backdrop.
 * Both of its layers are blended as backdrop * color.a + color.rgb, in encoded colours. */
#define GROUND_VERTEX                                                                                        \
    "layout(location = 0) in vec2 place;\n"                                                                  \
    "layout(location = 1) in float sky;\n"                                                                   \
    "uniform mat4 matrix, key_matrix;\n"                                                                     \
    "uniform vec3 center, pool, key_light;\n"                                                                \
    "uniform float reach, pool_reach, key_offset;\n"                                                         \
    "out vec3 key_place;\n"                                                                                  \
    "out vec2 across;\n"                                                                                     \
    "out float sky_here;\n"                                                                                  \
    "void main() {\n"                                                                                        \
    "    vec3 p = center + vec3(place.x, 0.0, place.y) * reach;\n"                                           \
    "    gl_Position = matrix * vec4(p, 1.0);\n"                                                             \
    "    key_place = (key_matrix * vec4(p + (key_light + vec3(0.0, 1.0, 0.0)) * key_offset, 1.0)).xyz;\n"    \
    "    across = (p - pool).xz / pool_reach;\n"                                                             \
    "    sky_here = sky;\n"                                                                                  \
    "}\n"
#define GROUND_FADE                                                                                          \
    "in vec2 across;\n"                                                                                      \
    "float fade() { return 1.0 - smoothstep(0.2, 1.0, length(across)); }\n"

const shader_source shader_ground = {
    GROUND_VERTEX,
    GROUND_FADE
    "in float sky_here;\n"
    "out vec4 color;\n"
    "void main() {\n"
    "    float faded = fade(), open = min(sky_here, 1.0);\n"
    "    float keep = mix(1.0, 0.42 + 0.58 * open * sqrt(open), faded);\n"
    "    color = vec4(vec3(0.03, 0.033, 0.045) * (1.0 - keep) + 0.03 * faded * faded * open, keep);\n"
    "}\n",
};

const shader_source shader_shadow = {
    GROUND_VERTEX,
    KEY_SHADOW
    GROUND_FADE
    "in vec3 key_place;\n"
    "out vec4 color;\n"
    "void main() {\n"
    "    float keep = mix(1.0, 0.60 + 0.40 * key_at(key_place), fade());\n"
    "    color = vec4(vec3(0.06, 0.065, 0.085) * (1.0 - keep), keep);\n"
    "}\n",
};

const shader_source shader_backdrop = {
    "out vec2 place;\n"
    "void main() {\n"
    "    place = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
    "    gl_Position = vec4(place, 0.0, 1.0);\n"
    "}\n",
    "in vec2 place;\n"
    "out vec4 color;\n"
    "void main() {\n"
    "    vec3 low = vec3(0.82, 0.815, 0.805), high = vec3(0.93, 0.935, 0.945);\n"
    "    vec3 c = mix(low, high, smoothstep(-1.0, 1.0, place.y));\n"
    "    c *= 1.0 - 0.04 * dot(place, place);\n"
    /* Half a step of noise hides the bands of a smooth gradient. */
    "    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));\n"
    "    color = vec4(c + (noise - 0.5) / 255.0, 1.0);\n"
    "}\n",
};
