#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    int n;
    char *out;
};

static void parse(int argc, char **argv, struct options *options)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "-o") == 0)
            options->out = argv[++i];
        else
            options->n = atoi(argv[i]);
    printf("n %d\n", options->n);
}

int main(int argc, char **argv)
{
    int rank, size;
    struct options options = {100, NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    parse(argc, argv, &options);
    int n = options.n;
    int count = n / size + (rank < n % size);
    int first = rank * (n / size) + (rank < n % size ? rank : n % size);
    double *x = malloc(count * sizeof(double));
    for (int i = 0; i < count; i++)
        x[i] = first + i;
#pragma xmpi loop divisible
    for (int s = 0; s < 40; s++)
        for (int i = 0; i < count; i++)
            x[i] = 0.5 * x[i] + 1;
    if (rank == 0 && options.out != NULL)
        puts(options.out);
    free(x);
    MPI_Finalize();
    return 0;
}
