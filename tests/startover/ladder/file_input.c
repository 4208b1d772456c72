/* SPDX-License-Identifier: BSD-3-Clause
 * Rank 0 reads a file of parameters and broadcasts a struct as bytes. */
#include "ladder.h"

typedef struct {
    int n, steps;
    double factor, shift;
    char title[32];
} input_t;

static input_t input;

static void read_input(int rank, const char *number)
{
    if (rank == 0) {
        FILE *f = fopen("input.txt", "r");
        input.n = number != NULL ? atoi(number) : 40;
        input.steps = 30;
        input.factor = 0.9;
        input.shift = 0.2;
        strcpy(input.title, "none");
        if (f != NULL) {
            fscanf(f, "%d %lf %lf %31s", &input.steps, &input.factor, &input.shift, input.title);
            fclose(f);
        }
    }
    MPI_Bcast(&input, sizeof input, MPI_BYTE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    read_input(rank, argv[1]);
    int first = (int)((long)input.n * rank / size), count = (int)((long)input.n * (rank + 1) / size) - first;
    double *u = malloc((count + 1) * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = first + i;
#pragma xmpi loop
    for (int k = 0; k < input.steps; k++)
        for (int i = 0; i < count; i++)
            u[i] = input.factor * u[i] + input.shift * ((first + i) % 3);
    if (rank == 0)
        printf("%s\n", input.title);
    tell(u, count);
    MPI_Finalize();
    return 0;
}
