/* What sheets are held against: closed forms, and equations that are solved without a mesh. */
#ifndef REF_CLOSED_H
#define REF_CLOSED_H

#include "ref_membrane.h"

/* Heavy elastica: an inextensible strip of length 1, clamped horizontally at one end, under its own
 * weight. load = q L^3 / B with q the weight per length and B the flexural rigidity (both per
 * width). Returns the fall of the free end, w / L, from theta'' = -load (1 - s) cos theta, theta(0)
 * = 0, theta'(1) = 0 by shooting with classical Runge-Kutta steps; theta is the angle below the
 * horizontal. Good to 1e-9 for load <= 100. */
double ref_elastica_fall(double load);

/* Stretches along the material's axes under forces per rest length (N/m, first Piola stress)
 * across them, without shear, by Newton from the rest state. */
void ref_biaxial_stretch(const ref_membrane *m, const double force[2], double stretch[2]);

/* Pressure (Pa) inside a thin sphere of rest radius `radius` (m) of an isotropic membrane,
 * stretched `stretch` times: 2 T / r with the tension T = S, the second Piola stress of an equal
 * biaxial stretch. */
double ref_balloon_pressure(const ref_membrane *m, double radius, double stretch);

#endif
