/* A rope that swings, its ends fixed: all in file scope, ghost values by persistent requests. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double *now, *before, *after;
static double low, high; /* of the neighbours; 0 where the rope is tied */
static MPI_Request *request;
static int points, first;

static MPI_Request *orders(const double *edge, int last, int rank, int size)
{
    MPI_Request *r = malloc(4 * sizeof *r);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    MPI_Recv_init(&low, 1, MPI_DOUBLE, up, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Recv_init(&high, 1, MPI_DOUBLE, down, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Send_init(edge, 1, MPI_DOUBLE, up, 1, MPI_COMM_WORLD, r + 2);
    MPI_Send_init(edge + last, 1, MPI_DOUBLE, down, 0, MPI_COMM_WORLD, r + 3);
    return r;
}

static void exchange(void)
{
    MPI_Startall(4, request);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

static double swing(void)
{
    double most = 0;
    for (int i = 0; i < points; i++) {
        double l = i > 0 ? now[i - 1] : low, r = i + 1 < points ? now[i + 1] : high;
        after[i] = 1.5 * now[i] - before[i] + 0.25 * (l + r);
    }
    for (int i = 0; i < points; i++) {
        before[i] = now[i];
        now[i] = after[i];
        most = fmax(most, fabs(now[i]));
    }
    return most;
}

int main(int argc, char **argv)
{
    int rank, size, n = 150;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    first = rank * n / size;
    points = (rank + 1) * n / size - first;
    now = malloc((size_t)points * sizeof *now);
    before = malloc((size_t)points * sizeof *before);
    after = malloc((size_t)points * sizeof *after);
    for (int i = 0; i < points; i++)
        now[i] = before[i] = sin(0.3 * (first + i)) / (1 + 0.01 * (first + i));
    request = orders(now, points - 1, rank, size);

    double highest = 0, sum = 0;
#pragma xmpi loop
    for (int t = 0; t < 50; t++) {
        exchange();
        double own = swing();
        MPI_Allreduce(&own, &highest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        sum += highest;
    }
    if (rank == 0)
        printf("highest %.12f, on average %.12f\n", highest, sum / 50);
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&request[i]);
    free(request);
    MPI_Finalize();
    return 0;
}
