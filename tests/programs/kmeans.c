/* k-means: points are divided, the centres are everywhere; stops when no point changes. */
#include <float.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 4, DIM = 2 };

struct job {
    int rank, size;
    int npoints, local_n, offset;
};

static void partition(struct job *job)
{
    int base = job->npoints / job->size, rest = job->npoints % job->size;
    job->local_n = base + (job->rank < rest);
    job->offset = job->rank * base + (job->rank < rest ? job->rank : rest);
}

static int nearest(const double *p, double c[K][DIM])
{
    int best = 0;
    double best_d = DBL_MAX;
    for (int k = 0; k < K; k++) {
        double d = 0;
        for (int j = 0; j < DIM; j++)
            d += (p[j] - c[k][j]) * (p[j] - c[k][j]);
        if (d < best_d) {
            best_d = d;
            best = k;
        }
    }
    return best;
}

int main(int argc, char **argv)
{
    struct job job;
    double centre[K][DIM];
    int changed, iter = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.size);
    job.npoints = 400;
    partition(&job);

    double *points = malloc(sizeof(double) * DIM * job.local_n);
    int *label = malloc(sizeof(int) * job.local_n);
    for (int i = 0; i < job.local_n; i++) {
        int g = job.offset + i;
        points[i * DIM] = g * 37 % 101 + 50 * (g % 4);
        points[i * DIM + 1] = g * 53 % 97;
        label[i] = -1;
    }
    for (int k = 0; k < K; k++) {
        centre[k][0] = 40.0 * k;
        centre[k][1] = 30.0 * k;
    }

#pragma xmpi loop interval(2)
    do {
        double sum[K][DIM], all_sum[K][DIM];
        int num[K], all_num[K], local_changed = 0;
        memset(sum, 0, sizeof sum);
        memset(num, 0, sizeof num);
        for (int i = 0; i < job.local_n; i++) {
            int k = nearest(points + i * DIM, centre);
            if (label[i] != k) {
                label[i] = k;
                local_changed++;
            }
            num[k]++;
            for (int j = 0; j < DIM; j++)
                sum[k][j] += points[i * DIM + j];
        }
        MPI_Allreduce(sum, all_sum, K * DIM, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(num, all_num, K, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&local_changed, &changed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        for (int k = 0; k < K; k++)
            for (int j = 0; j < DIM; j++)
                if (all_num[k] > 0)
                    centre[k][j] = all_sum[k][j] / all_num[k];
        iter++;
    } while (changed > 0 && iter < 50);

    if (job.rank == 0) {
        printf("%d iterations\n", iter);
        for (int k = 0; k < K; k++)
            printf("%.9f %.9f\n", centre[k][0], centre[k][1]);
    }
    free(points);
    free(label);
    MPI_Finalize();
    return 0;
}
