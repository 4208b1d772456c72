/* Declarations of the advection code. */
#pragma once
#include <stddef.h>

typedef struct {
    int nx, ny;      /* cells of the whole field */
    double u, v, dt; /* velocity in cells per unit of time, and time step */
} problem_t;

typedef struct {
    int row, nrows; /* my rows */
} strip_t;

/* field.c: one upwind step from the whole field Q to my rows FRESH. */
void field_step(const problem_t *problem, const strip_t *strip, const double *q, double *fresh);
double field_mass(const problem_t *problem, const strip_t *strip, const double *fresh);

/* par.c: all that talks to others. */
double par_sum(double own);
void par_collect(const double *own, int n, double *whole, const int *counts, const int *displs);
