/* A rod that cools: rank 0 keeps a log, a history and a picture, and nobody else has them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, steps;
    char name[16];
} config_t;

static double norm(const double *u, int count)
{
    double own = 0, all;
    for (int i = 0; i < count; i++)
        own += u[i] * u[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* All call it, and all but rank 0 hand it nothing. */
static void note(FILE *log, int rank, int k)
{
    if (rank != 0)
        return;
    fprintf(log, "until %d\n", k);
}

int main(int argc, char **argv)
{
    int rank, size;
    config_t config = {0, 0, ""};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        config.n = 64;
        config.steps = 40;
        snprintf(config.name, sizeof config.name, "%s", "rod");
    }
    MPI_Bcast(&config, sizeof config, MPI_BYTE, 0, MPI_COMM_WORLD);
    int n = config.n, lo = rank * n / size, m = (rank + 1) * n / size - lo;
    double *u = malloc((size_t)m * sizeof *u);
    for (int i = 0; i < m; i++)
        u[i] = 1 + (lo + i) % 5;
    double r0 = norm(u, m);
    FILE *out = stdout, *log = NULL;
    double *history = NULL, sum = 0, last[4], total = 0;
    const char *name = argc > 1 ? argv[1] : "unnamed";
    if (rank == 0) {
        log = tmpfile();
        history = calloc((size_t)config.steps + 1, sizeof *history);
    }
    int k = 0;
#pragma xmpi loop
    while (norm(u, m) > 1e-3 * r0 && k < config.steps) {
        double own = 0;
        for (int i = 0; i < m; i++) {
            u[i] *= 0.95;
            own += u[i] * (lo + i);
        }
        MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            history[k] = sum;
            last[k % 4] = sum;
            total += sum;
        }
        if (log && k % 5 == 0)
            fprintf(log, "%s %s %d %.9g\n", config.name, name, k, sum);
        if (k % 8 == 0)
            note(log, rank, k);
        if (rank == 0 && k % 20 == 0)
            fprintf(out, "result %s at %d: %.9g\n", config.name, k, sum);
        k++;
    }
    if (rank == 0) {
        double all = 0;
        for (int i = 0; i < k; i++)
            all += history[i];
        rewind(log);
        int lines = 0, c;
        while ((c = getc(log)) != EOF)
            lines += c == '\n';
        printf("result %.9g %.9g %.9g, %d lines, %d steps\n", all, total, last[0] + last[3], lines,
               k);
        fclose(log);
    }
    free(history);
    free(u);
    MPI_Finalize();
    return 0;
}
