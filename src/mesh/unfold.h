/* The geometry of one triangle laid flat: how light from a source behind one of its sides falls through it.
 *
 *               apex (ax, ay)             A side lies on the x axis, from 0 to `length`; its triangle is above. The
 *                 /\                      source is below at (sx, -sy): that is its place when all triangles that the
 *                /  \                     light has crossed are unfolded into the plane of this one. The light comes
 *        -------/----\------ x            through the side between `lo` and `hi`.
 *        0   lo   hi   length
 *              \ |                        Every point of the beam is reached by a straight line across real triangles,
 *               \|                        so a distance measured in it is the length of a real path.
 *                S (sx, -sy)
 */
#ifndef TAUT_MESH_UNFOLD_H
#define TAUT_MESH_UNFOLD_H

#include <math.h>
#include <stdbool.h>

typedef struct tt_flat {
    double length;
    double ax, ay;
} tt_flat;

typedef struct tt_beam {
    double sx, sy;
    double lo, hi;
} tt_beam;

/* The distance from the source to x on the side. */
static inline double tt_beam_length(const tt_beam *beam, double x)
{
    return sqrt((x - beam->sx) * (x - beam->sx) + beam->sy * beam->sy);
}

/* The length of the shortest way from the source through the lit part of the side to the apex. It is straight, or bent
 * at an end of the lit part. */
static inline double tt_beam_to_apex(const tt_beam *beam, const tt_flat *flat)
{
    double depth = beam->sy + flat->ay;
    double x = depth > 0 ? beam->sx + (flat->ax - beam->sx) * (beam->sy / depth) : flat->ax;
    x = fmin(fmax(x, beam->lo), beam->hi);
    double dx = flat->ax - x;
    return tt_beam_length(beam, x) + sqrt(dx * dx + flat->ay * flat->ay);
}

/* The same seen from the other end of the side. */
static inline tt_beam tt_beam_mirror(tt_beam beam, double length)
{
    return (tt_beam){length - beam.sx, beam.sy, length - beam.hi, length - beam.lo};
}

static inline tt_flat tt_flat_mirror(tt_flat flat)
{
    return (tt_flat){flat.length, flat.length - flat.ax, flat.ay};
}

/* The part of the beam that leaves through the side from 0 to the apex, in that side's own coordinates (0 at 0, the
 * next triangle above); false when nothing does. The ray through x meets the side at the fraction
 * u = sy x / (sy ax + ay sx - ay x) of its length, which grows with x up to 1, where the ray meets the apex. */
static inline bool tt_beam_pass_left(const tt_beam *beam, const tt_flat *flat, tt_beam *out)
{
    double cross = beam->sx * flat->ay + beam->sy * flat->ax; /* source and apex, seen from 0 */
    if (!(cross > 0) || !(beam->sy > 0)) return false;
    double at_apex = cross / (beam->sy + flat->ay);
    if (beam->lo >= at_apex) return false;
    double length = sqrt(flat->ax * flat->ax + flat->ay * flat->ay);
    out->sx = (beam->sx * flat->ax - beam->sy * flat->ay) / length;
    out->sy = cross / length;
    out->lo = fmin(length, length * (beam->sy * beam->lo / (cross - flat->ay * beam->lo)));
    out->hi = length;
    if (beam->hi < at_apex) out->hi = fmin(length, length * (beam->sy * beam->hi / (cross - flat->ay * beam->hi)));
    return out->lo < out->hi;
}

#endif
