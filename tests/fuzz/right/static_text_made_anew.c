/* A function with a buffer of its own says when the program began and when it ended: the buffer is
 * filled in each call before it is read. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 60, STEPS = 12 };

static void stamp(int step)
{
    static char text[80], line[100];
    time_t begin = 0;
    struct tm *at = gmtime(&begin);
    strftime(text, sizeof text, "%d %B %Y", at);
    snprintf(line, sizeof line, "%s: %d", text, step);
    printf("%s\n", line);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int first = N * rank / size, count = N * (rank + 1) / size - first;
    double *u = malloc((size_t)count * sizeof *u);
    for (int i = 0; i < count; i++)
        u[i] = first + i;
    if (rank == 0)
        stamp(0);
    double sum = 0;
#pragma xmpi loop
    for (int step = 0; step < STEPS; step++) {
        double own = 0;
        for (int i = 0; i < count; i++) {
            u[i] = 0.5 * u[i] + (first + i) % 5;
            own += u[i];
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        stamp(STEPS);
        printf("%.6f\n", sum);
    }
    free(u);
    MPI_Finalize();
    return 0;
}
