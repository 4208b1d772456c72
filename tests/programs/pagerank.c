/* PageRank of a made-up web: pages are divided, the ranks of all pages are everywhere. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int64_t pages, begin, end;
    double damping;
} web_t;

static bool links(int64_t from, int64_t to)
{
    return from != to && (from * 31 + to * 17) % 13 < 3;
}

static int out_degree(const web_t *web, int64_t page)
{
    int degree = 0;
    for (int64_t to = 0; to < web->pages; to++)
        degree += links(page, to);
    return degree;
}

int main(int argc, char **argv)
{
    int me, procs;
    web_t web = {.pages = 60, .damping = 0.85};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    web.begin = me * web.pages / procs;
    web.end = (me + 1) * web.pages / procs;

    double *score = malloc(sizeof(double) * web.pages);
    double *fresh = malloc(sizeof(double) * (web.end - web.begin));
    int *degree = malloc(sizeof(int) * web.pages);
    int *counts = malloc(sizeof(int) * procs), *displs = malloc(sizeof(int) * procs);
    for (int64_t i = 0; i < web.pages; i++)
        score[i] = 1.0 / web.pages;
    for (int64_t i = 0; i < web.pages; i++)
        degree[i] = out_degree(&web, i);
    for (int r = 0; r < procs; r++) {
        displs[r] = (int)(r * web.pages / procs);
        counts[r] = (int)((r + 1) * web.pages / procs) - displs[r];
    }

    double delta;
    int rounds = 0;
#pragma xmpi loop interval(2)
    for (;;) {
        double own_delta = 0.0;
        for (int64_t to = web.begin; to < web.end; to++) {
            double sum = 0.0;
            for (int64_t from = 0; from < web.pages; from++)
                if (links(from, to))
                    sum += score[from] / degree[from];
            fresh[to - web.begin] = (1 - web.damping) / web.pages + web.damping * sum;
            double d = fresh[to - web.begin] - score[to];
            own_delta += d < 0 ? -d : d;
        }
        MPI_Allreduce(&own_delta, &delta, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allgatherv(fresh, (int)(web.end - web.begin), MPI_DOUBLE, score, counts, displs,
                       MPI_DOUBLE, MPI_COMM_WORLD);
        rounds++;
        if (delta < 1e-4 || rounds == 40)
            break;
    }
    if (me == 0)
        printf("%d rounds, %.12f %.12f\n", rounds, score[0], score[web.pages - 1]);
    free(score);
    free(fresh);
    free(degree);
    free(counts);
    free(displs);
    MPI_Finalize();
    return 0;
}
