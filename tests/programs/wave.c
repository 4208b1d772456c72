/* The wave equation on a string, in the manner of a course: three arrays that change places, one
 * value from each neighbour. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define TAG_LEFT 1
#define TAG_RIGHT 2

int main(int argc, char *argv[])
{
    const double c2 = 0.25;
    int taskid, numtasks, tpoints = 100, nsteps = 25;
    int left, right, npoints, first;
    double *values, *oldval, *newval;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &numtasks);
    MPI_Comm_rank(MPI_COMM_WORLD, &taskid);

    left = taskid == 0 ? MPI_PROC_NULL : taskid - 1;
    right = taskid == numtasks - 1 ? MPI_PROC_NULL : taskid + 1;

    /* points for each process, the first ones get one more */
    int nmin = tpoints / numtasks;
    int nleft = tpoints % numtasks;
    int k = 0;
    for (int i = 0; i < numtasks; i++) {
        int n = i < nleft ? nmin + 1 : nmin;
        if (taskid == i) {
            first = k;
            npoints = n;
        }
        k += n;
    }

    values = malloc(npoints * sizeof(double));
    oldval = malloc(npoints * sizeof(double));
    newval = malloc(npoints * sizeof(double));
    for (int j = 0; j < npoints; j++) {
        double x = (double)(first + j) / (tpoints - 1);
        values[j] = sin(2.0 * M_PI * x);
        oldval[j] = values[j];
    }

#pragma xmpi loop
    for (int step = 1; step <= nsteps; step++) {
        double from_left = 0.0, from_right = 0.0;
        MPI_Sendrecv(&values[0], 1, MPI_DOUBLE, left, TAG_LEFT, &from_right, 1, MPI_DOUBLE, right,
                     TAG_LEFT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&values[npoints - 1], 1, MPI_DOUBLE, right, TAG_RIGHT, &from_left, 1,
                     MPI_DOUBLE, left, TAG_RIGHT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int j = 0; j < npoints; j++) {
            int g = first + j;
            double l = j > 0 ? values[j - 1] : from_left;
            double r = j < npoints - 1 ? values[j + 1] : from_right;
            if (g == 0 || g == tpoints - 1)
                newval[j] = 0.0;
            else
                newval[j] = 2.0 * values[j] - oldval[j] + c2 * (l - 2.0 * values[j] + r);
        }
        double *t = oldval;
        oldval = values;
        values = newval;
        newval = t;
    }

    double sum = 0.0, all;
    for (int j = 0; j < npoints; j++)
        sum += values[j] * values[j];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (taskid == 0)
        printf("energy %.9f after %d steps\n", all, nsteps);
    free(values);
    free(oldval);
    free(newval);
    MPI_Finalize();
    return 0;
}
