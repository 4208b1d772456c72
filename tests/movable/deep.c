/* SPDX-License-Identifier: BSD-3-Clause
 * The point lies deep in a recursion, between setjmp and longjmp; what is asked to be done at the
 * end, signals, the environment and the folder are the program's. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <unistd.h>

#include "point.h"

static int rank, size;
static unsigned long sum;
static volatile sig_atomic_t signals;
static jmp_buf back;

static void on_signal(int number)
{
    (void)number;
    signals++;
}

static void last_words(void)
{
    if (rank == 0)
        printf("the end of %s, %d signals\n", getenv("DEEP"), (int)signals);
}

static double descend(int depth, double *above)
{
    double here[16];
    for (int i = 0; i < 16; i++)
        here[i] = above[i] + depth * i;
    if (depth > 0)
        return descend(depth - 1, here) + here[depth % 16];
    XMPI_Point();
    raise(SIGUSR2);
    double all;
    MPI_Allreduce(&here[3], &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if ((int)all % 3 == 0)
        longjmp(back, 1);
    return all;
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    double from[16] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    signal(SIGUSR2, on_signal);
    atexit(last_words);
    setenv("DEEP", "the program", 1);
    char *folder = get_current_dir_name();
    if (chdir("/") != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (volatile int step = 0; step < n; step++) {
        char text[16];
        from[step % 16] += rank + step;
        if (setjmp(back) == 0)
            sum = mix(sum, descend(20 + step % 5, from));
        else
            sum = mix(sum, -1.0);
        snprintf(text, sizeof text, "%d", step);
        setenv("DEEP", text, 1);
    }
    char *there = get_current_dir_name();
    say(there, sum + (unsigned long)signals);
    free(there);
    free(folder);
    MPI_Finalize();
    return 0;
}
