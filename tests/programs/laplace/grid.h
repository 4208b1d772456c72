#ifndef GRID_H
#define GRID_H

typedef struct grid {
    int nrows, ncols; /* of the whole */
    int first, local;
} grid_t;

void grid_relax(const grid_t *grid, const double *old, double *fresh);
double largest(double own);
void say(const char *format, ...);

#endif
