/* Closed forms of strips, and published figures of fabrics. */
#include "lab.h"

#include <math.h>
#include <string.h>

double lab_bending_length(const taut_material *material)
{
    return cbrt((double)material->bend.stiffness / ((double)material->density * LAB_GRAVITY));
}

/* Integrates from the tip back to the clamp, with lengths in units of c: theta'' = -s cos(theta), where s is the
 * distance from the tip. The strip is clamped where theta is 0. */
static void follow(double tip, double *length, double *chord)
{
    const double h = 1e-3;
    double theta = tip, slope = 0, s = 0, x = 0, y = 0;
    while (theta > 0 && s < 1000) {
        double middle = theta + h / 2 * slope, bend = -(s + h / 2) * cos(middle);
        theta += h * (slope + h / 2 * bend);
        slope += h * bend;
        x += h * cos(middle), y += h * sin(middle), s += h;
    }
    *length = s;
    *chord = atan2(y, x);
}

double lab_elastica_length(double angle)
{
    double low = 0, high = LAB_PI / 2, length = 0, chord;
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        follow(middle, &length, &chord);
        if (chord < angle) low = middle;
        else high = middle;
    }
    return length;
}

/* Textbook ranges of such fabrics, not measurements of one sample; drape by Cusick's method, 30 cm over 18 cm. */
static const lab_published published[] = {
    {"cotton", {15, 22}, {45, 70}},  {"silk", {12, 18}, {20, 45}},   {"denim", {25, 35}, {75, 95}},
    {"wool", {14, 20}, {35, 60}},    {"linen", {20, 30}, {60, 85}},  {"jersey", {8, 13}, {15, 40}},
    {"leather", {30, 45}, {75, 98}}, {"paper", {65, 85}, {95, 100}}, {"ripstop", {15, 25}, {45, 80}},
    {"felt", {35, 50}, {85, 100}},
};

const lab_published *lab_published_of(const char *preset)
{
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        if (strcmp(published[i].name, preset) == 0) return &published[i];
    return NULL;
}
