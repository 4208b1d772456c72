/* SPDX-License-Identifier: BSD-3-Clause
 * Two loops one after the other, and one inside of another; a function that is called with other
 * arguments each time; rows of structs in columns of a whole array. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double value;
    int id;
    float weight;
} cell_t;

typedef struct {
    cell_t *cell;
    int first, count;
} part_t;

enum { CELLS = 64 };

static int rank, size;
static double norm;

static void smooth(part_t *p, double factor, int rounds, int *outer, double *sum)
{
    int inner;
#pragma xmpi loop state(rows(p->cell[CELLS] from p->first, p->count at p->first), \
                        same(inner, factor, norm), same(outer[1], sum[1]))
    for (inner = 0; inner < rounds; inner++) {
        double mine = 0;
        for (int i = p->first; i < p->first + p->count; i++) {
            p->cell[i].value = p->cell[i].value * factor + p->cell[i].id * 1e-3;
            p->cell[i].weight += 1;
            mine += (long)(p->cell[i].value * 4096) % 65536; /* whole numbers: any order is right */
        }
        MPI_Allreduce(&mine, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        *sum += norm + factor;
    }
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 10, i, outer;
    double sum = 0;
    static long counter;
    part_t part;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    part.first = CELLS * rank / size;
    part.count = CELLS * (rank + 1) / size - part.first;
    part.cell = calloc(CELLS, sizeof *part.cell);
    for (int k = 0; k < CELLS; k++)
        part.cell[k] = (cell_t){k * 0.5, k * 31 % 17, 0};
#pragma xmpi loop state(rows(part.cell[CELLS] from part.first, part.count at part.first), same(i, counter))
    for (i = 0; i < steps; i++) {
        for (int k = part.first; k < part.first + part.count; k++)
            part.cell[k].value += part.cell[k].id & 3;
        counter += i;
        if (i == steps - 3)
            break;
    }
    if (rank == 0)
        printf("between: %d %ld\n", i, counter);
    for (outer = 0; outer < 4; outer++) {
        smooth(&part, 1.0 / (outer + 2), steps / 4, &outer, &sum);
        if (rank == 0)
            printf("outer %d norm %.17g sum %.17g\n", outer, norm, sum);
    }
    double mine[2] = {0, 0}, all[2];
    for (int k = part.first; k < part.first + part.count; k++) {
        mine[0] += part.cell[k].weight;
        mine[1] += (long)(part.cell[k].value * 4096);
    }
    MPI_Reduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("weights %g values %.17g\n", all[0], all[1]);
    MPI_Finalize();
    return 0;
}
