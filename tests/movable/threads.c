/* SPDX-License-Identifier: BSD-3-Clause
 * Threads of OpenMP between the points: a table that they fill together, memory that one has
 * allocated and another frees, tasks; as many as the program has said before, and no other
 * schedule.
 */
// flags: -fopenmp
#include <omp.h>

#include "point.h"

enum { ROWS = 24, THREADS = 3 };

static double *row[ROWS];

static double fibonacci(int n)
{
    double a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) if (n > 8)
    a = fibonacci(n - 1);
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

static void tell(void)
{
    omp_set_num_threads(THREADS + 2);
    omp_set_max_active_levels(3);
    omp_set_schedule(omp_sched_guided, 7);
}

static int told(void)
{
    int threads = 0, chunk;
    omp_sched_t kind;
#pragma omp parallel reduction(+ : threads)
    threads++;
    omp_get_schedule(&kind, &chunk);
    return threads + 10 * omp_get_max_threads() + 100 * omp_get_max_active_levels() +
           1000 * ((int)kind + chunk);
}

static void refill(int step, int rank)
{
#pragma omp parallel for num_threads(THREADS) schedule(dynamic)
    for (int i = 0; i < ROWS; i++) {
        int length = 10 + (i * 37 + step * 11) % 500;
        double before = row[i] != NULL ? row[i][9] : rank;
        free(row[i]);
        row[i] = malloc((size_t)length * sizeof(double));
        for (int k = 0; k < length; k++)
            row[i][k] = before / 2 + k * i + step;
    }
}

int main(int argc, char **argv)
{
    int rank, n = atoi(argv[1]), provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsigned long sum = 0;
    tell();
    for (int step = 0; step < n; step++) {
        double mine = 0, all, tasks = 0;
        XMPI_Point();
        refill(step, rank);
#pragma omp parallel num_threads(THREADS)
#pragma omp single
        tasks = fibonacci(10 + step % 3);
        for (int i = 0; i < ROWS; i++)
            mine += row[i][9];
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        sum = mix(mix(sum, all + tasks), told());
    }
    for (int i = 0; i < ROWS; i++)
        free(row[i]);
    say("threads", sum);
    MPI_Finalize();
    return 0;
}
