#include "gl_ground.h"

#include <stdlib.h>

enum { INDICES = 6 * (GROUND_RINGS - 1) * GROUND_SPOKES };

static GLuint buffer_of(GLenum target, const void *data, size_t size)
{
    GLuint buffer;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, data, GL_STATIC_DRAW);
    return buffer;
}

static void fill_indices(unsigned *next)
{
    for (unsigned ring = 0; ring + 1 < GROUND_RINGS; ring++)
        for (unsigned spoke = 0; spoke < GROUND_SPOKES; spoke++) {
            unsigned a = ring * GROUND_SPOKES + spoke, b = ring * GROUND_SPOKES + (spoke + 1) % GROUND_SPOKES;
            const unsigned corner[6] = {a, b, a + GROUND_SPOKES, b, b + GROUND_SPOKES, a + GROUND_SPOKES};
            for (int k = 0; k < 6; k++) *next++ = corner[k];
        }
}

bool gl_ground_open(gl_ground *g)
{
    unsigned *index = malloc(sizeof *index * INDICES);
    if (!index) return false;
    fill_indices(index);
    for (int v = 0; v < GROUND_VERTICES; v++) {
        int ring = v / GROUND_SPOKES, spoke = v % GROUND_SPOKES;
        float t = (float)ring / (GROUND_RINGS - 1), radius = 0.45f * t + 0.55f * t * t * t;
        float turn = 6.2831853f * (float)spoke / GROUND_SPOKES;
        g->place[v][0] = radius * cosf(turn);
        g->place[v][1] = radius * sinf(turn);
    }
    glGenVertexArrays(1, &g->array);
    glBindVertexArray(g->array);
    g->places = buffer_of(GL_ARRAY_BUFFER, g->place, sizeof g->place);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glEnableVertexAttribArray(0);
    g->skies = buffer_of(GL_ARRAY_BUFFER, g->sky, sizeof g->sky);
    glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, sizeof(sky_sides), NULL);
    glEnableVertexAttribArray(1);
    g->indices = buffer_of(GL_ELEMENT_ARRAY_BUFFER, index, sizeof *index * INDICES);
    free(index);
    return true;
}

/* Averages with the neighbours, a few times, so that the shadows of single lights do not show. */
static void smooth(gl_ground *g)
{
    static const int TIMES = 7;
    float before[GROUND_SPOKES] = {0}, here[GROUND_SPOKES];
    for (int time = 0; time < TIMES; time++)
        for (int ring = 0; ring < GROUND_RINGS; ring++) {
            sky_sides *row = &g->sky[ring * GROUND_SPOKES];
            for (int k = 0; k < GROUND_SPOKES; k++) here[k] = row[k].front;
            for (int k = 0; k < GROUND_SPOKES; k++) {
                float inner = ring > 0 ? before[k] : here[k];
                float outer = ring + 1 < GROUND_RINGS ? row[k + GROUND_SPOKES].front : here[k];
                float left = here[(k + GROUND_SPOKES - 1) % GROUND_SPOKES], right = here[(k + 1) % GROUND_SPOKES];
                row[k].front = 0.4f * here[k] + 0.15f * (inner + outer + left + right);
            }
            for (int k = 0; k < GROUND_SPOKES; k++) before[k] = here[k];
        }
}

void gl_ground_light(gl_ground *g, const sky *s, point center, float reach)
{
    for (int v = 0; v < GROUND_VERTICES; v++)
        g->vertex[v] = (ground_vertex){
            {center.x + reach * g->place[v][0], center.y, center.z + reach * g->place[v][1]}, {0, 1, 0}};
    sky_shine(s, g->vertex[0].position, g->vertex[0].normal, sizeof *g->vertex, GROUND_VERTICES, g->sky);
    smooth(g);
    glBindBuffer(GL_ARRAY_BUFFER, g->skies);
    glBufferData(GL_ARRAY_BUFFER, sizeof g->sky, g->sky, GL_STREAM_DRAW);
}

void gl_ground_draw(const gl_ground *g)
{
    glBindVertexArray(g->array);
    glDrawElements(GL_TRIANGLES, INDICES, GL_UNSIGNED_INT, NULL);
}
