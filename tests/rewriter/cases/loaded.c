/* A data set in a struct: one function divides the samples, makes the memory, and fills it; the struct of the model is
 * made on the heap by another one. Joining processes call both, and get the samples of the others then. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int samples, first, mine;
    double *x, *y;
} dataset;

typedef struct {
    double slope, offset, rate;
    int epochs;
} model;

static void load(dataset *data, int rank, int size, int samples)
{
    data->samples = samples;
    data->first = (int)((long)samples * rank / size);
    data->mine = (int)((long)samples * (rank + 1) / size) - data->first;
    data->x = malloc((size_t)data->mine * sizeof *data->x);
    data->y = malloc((size_t)data->mine * sizeof *data->y);
    for (int i = 0; i < data->mine; i++) {
        data->x[i] = (data->first + i) % 17 * 0.25;
        data->y[i] = 3 * data->x[i] - 1 + (data->first + i) % 3 * 0.125;
    }
}

static model *make_model(double rate)
{
    model *made = malloc(sizeof *made);
    made->slope = made->offset = 0;
    made->rate = rate;
    made->epochs = 0;
    return made;
}

static double learn(model *m, const dataset *data)
{
    double own[3] = {0, 0, 0}, all[3];
    for (int i = 0; i < data->mine; i++) {
        double error = m->slope * data->x[i] + m->offset - data->y[i];
        own[0] += error * data->x[i];
        own[1] += error;
        own[2] += error * error;
    }
    MPI_Allreduce(own, all, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    m->slope -= m->rate * all[0] / data->samples;
    m->offset -= m->rate * all[1] / data->samples;
    m->epochs++;
    return all[2] / data->samples;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    dataset data;
    load(&data, rank, size, 340);
    model *line = make_model(0.05);
    double loss = 1;
#pragma xmpi loop
    for (int epoch = 0; epoch < 60 && loss > 1e-4; epoch++) {
        loss = learn(line, &data);
        for (int i = 0; i < data.mine; i++)
            data.y[i] += 0.0009765625 * (data.first + i) / data.samples;
    }
    double own = 0, all;
    for (int i = 0; i < data.mine; i++)
        own += data.y[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %d %.8f %.8f %.8f\n", line->epochs, line->slope, line->offset, all);
    free(data.x);
    free(data.y);
    free(line);
    MPI_Finalize();
    return 0;
}
