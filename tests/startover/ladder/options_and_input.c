/* SPDX-License-Identifier: BSD-3-Clause
 * Options, and a file of parameters that rank 0 reads and broadcasts; vectors that are carved out
 * of one piece of memory.
 * Arguments: -v -s 25 parameters.txt */
#include "ladder.h"
#include <getopt.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    int n, steps, verbose;
    double factor, shift;
} options_t;

static void parse(int argc, char **argv, options_t *options)
{
    int c;
    while ((c = getopt(argc, argv, "vs:")) != -1)
        switch (c) {
        case 'v': options->verbose = 1; break;
        case 's': options->steps = atoi(optarg); break;
        }
    if (optind < argc)
        options->n = atoi(argv[optind]);
}

static void read_parameters(options_t *options, const char *name)
{
    char line[80], key[32];
    double value;
    FILE *f = fopen(name, "r");
    if (f == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    while (fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "%31s %lf", key, &value) == 2) {
            if (strcmp(key, "factor") == 0)
                options->factor = value;
            if (strcmp(key, "shift") == 0)
                options->shift = value;
        }
    fclose(f);
}

int main(int argc, char **argv)
{
    int rank, size;
    options_t options = {.n = 40, .steps = 30, .factor = 0.9, .shift = 0.1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    parse(argc, argv, &options);
    if (rank == 0)
        read_parameters(&options, optind + 1 < argc ? argv[optind + 1] : "parameters.txt");
    MPI_Bcast(&options, sizeof options, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (options.verbose && rank == 0) {
        char host[64];
        time_t now = time(NULL);
        FILE *log = fopen("log.txt", "w");
        gethostname(host, sizeof host);
        fprintf(log, "%s: %s", host, ctime(&now));
        fclose(log);
    }
    const int n = options.n;
    int first = (int)((long)n * rank / size), count = (int)((long)n * (rank + 1) / size) - first;
    double *all = calloc(2 * (size_t)count + 2, sizeof *all), *u = all, *v = u + count, rho = 1;
    for (int i = 0; i < count; i++)
        u[i] = v[i] = 1 + (first + i) % 4;
#pragma xmpi loop
    for (int k = 0; k < options.steps; k++) {
        double own = 0;
        for (int i = 0; i < count; i++) {
            v[i] = options.factor * v[i] + options.shift * u[i] / rho;
            u[i] += v[i];
            own += v[i] * v[i];
        }
        MPI_Allreduce(&own, &rho, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    tell(u, count);
    MPI_Finalize();
    return 0;
}
