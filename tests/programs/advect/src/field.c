#include "advect.h"

void field_step(const problem_t *p, const strip_t *strip, const double *q, double *fresh)
{
    for (int r = 0; r < strip->nrows; r++) {
        int i = strip->row + r, up = (i + p->nx - 1) % p->nx;
        for (int j = 0; j < p->ny; j++) {
            int left = (j + p->ny - 1) % p->ny;
            fresh[r * p->ny + j] = q[i * p->ny + j] -
                                   p->dt * (p->u * (q[i * p->ny + j] - q[up * p->ny + j]) +
                                            p->v * (q[i * p->ny + j] - q[i * p->ny + left]));
        }
    }
}

double field_mass(const problem_t *p, const strip_t *strip, const double *fresh)
{
    double mass = 0;
    for (int k = 0; k < strip->nrows * p->ny; k++)
        mass += fresh[k];
    return mass;
}
