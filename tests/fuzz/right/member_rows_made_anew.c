/* SPDX-License-Identifier: BSD-3-Clause
 * A member of fixed size has the own rows. Each iteration sets them before it reads them, and what
 * follows the loop reads those of the last one: they are each process's own, and no state. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MOST 40
struct world {
  int rank, size, n, count, displ;
  double x[MOST][2], *v;
};
int main(int argc, char **argv) {
  struct world *w = malloc(sizeof *w);
  double t = 0, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &w->size);
  w->n = 30;
  w->displ = w->rank * w->n / w->size;
  w->count = (w->rank + 1) * w->n / w->size - w->displ;
  w->v = calloc(w->count, sizeof(double));
  for (int i = 0; i < w->count; i++)
    w->v[i] = w->displ + i;
  memset(w->x, 0, sizeof w->x);
  for (int i = 0; i < w->count; i++)
    for (int j = 0; j < 2; j++)
      w->x[i][j] = w->displ + i;
#pragma xmpi loop
  for (int k = 0; k < 20; k++) {
    for (int i = 0; i < w->count; i++)
      for (int j = 0; j < 2; j++)
        w->x[i][j] = .5 * w->v[i] + w->displ + i + j;
    for (int i = 0; i < w->count; i++)
      w->v[i] = w->x[i][0] - .25 * w->x[i][1];
  }
  for (int i = 0; i < w->count; i++)
    t += w->x[i][0] + 2 * w->x[i][1] + w->v[i];
  MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (w->rank == 0)
    printf("%.9g\n", all);
  free(w->v);
  free(w);
  MPI_Finalize();
  return 0;
}
