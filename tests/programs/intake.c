/* Parameters that rank 0 reads, and of which all hear whether they are good: who hands back that
 * they are not ends the program. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n, steps;
static double factor;

static int read_parameters(const char *text, int rank)
{
    int bad = 0;
    if (rank == 0) {
        char key[32];
        double value;
        n = steps = 0;
        for (int at = 0, used; sscanf(text + at, "%31s %lf%n", key, &value, &used) == 2; at += used)
            if (strcmp(key, "rows") == 0)
                n = (int)value;
            else if (strcmp(key, "steps") == 0)
                steps = (int)value;
            else if (strcmp(key, "factor") == 0)
                factor = value;
            else
                bad = 1;
        if (n < 1 || steps < 1)
            bad = 2;
    }
    MPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (bad)
        return bad;
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&factor, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return 0;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = read_parameters(argc > 1 ? argv[1] : "rows 57 steps 40 factor 0.5", rank);
    if (status != 0) {
        if (rank == 0)
            fprintf(stderr, "bad parameters: %d\n", status);
        MPI_Finalize();
        return 1;
    }
    int first = rank * n / size, count = (rank + 1) * n / size - first;
    double *r = malloc((size_t)count * sizeof *r), sum = 0;
    for (int i = 0; i < count; i++)
        r[i] = first + i;
#pragma xmpi loop
    for (int step = 0; step < steps; step++) {
        double own = 0;
        for (int i = 0; i < count; i++) {
            r[i] = (int)(r[i] * factor) + (first + i) % 7;
            own += r[i];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum %.9g\n", sum);
    free(r);
    MPI_Finalize();
    return 0;
}
