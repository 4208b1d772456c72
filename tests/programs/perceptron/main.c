/* Training of a small neural network, data parallel: a project of several files with a makefile. */
#include "data.h"
#include "net.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 192

int main(int argc, char **argv)
{
    int rank, size;
    struct net net;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    const int first = rank * SAMPLES / size;
    const int count = (rank + 1) * SAMPLES / size - first;
    double *inputs = malloc(sizeof(double) * NIN * count);
    double *targets = malloc(sizeof(double) * count);
    if (!inputs || !targets) {
        fprintf(stderr, "rank %d: out of memory\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < count; i++)
        targets[i] = data_sample(first + i, inputs + i * NIN);
    net_init(&net);

    double loss = 1e9;
    int epoch = 0;
#pragma xmpi loop
    while (epoch < 100 && loss > 0.01) {
        double grad[NPARAM + 1] = {0};
        for (int i = 0; i < count; i++)
            grad[NPARAM] += net_backward(&net, &inputs[i * NIN], targets[i], grad);
        MPI_Allreduce(MPI_IN_PLACE, grad, NPARAM + 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        net_step(&net, grad, 0.3 / SAMPLES);
        loss = grad[NPARAM] / SAMPLES;
        epoch++;
    }
    if (rank == 0)
        printf("epoch %d, loss %.9f, first weight %.9f\n", epoch, loss, net.p[0]);
    free(inputs);
    free(targets);
    MPI_Finalize();
    return 0;
}
