/* SPDX-License-Identifier: BSD-3-Clause
 * Rank 1 is killed once, and then a rank of the arguments, when there is a whole checkpoint in the
 * folder "sets" that was not there before. Arguments: iterations, and which rank is killed how
 * often. It writes a file, line by line, and has an object of MPI. */
#include <signal.h>

#include "point.h"

/* How often somebody has been killed already: as long as the file is. */
static long deaths(void)
{
    FILE *file = fopen("deaths", "r");
    long n = 0;
    while (file != NULL && getc(file) != EOF)
        n++;
    if (file != NULL)
        fclose(file);
    return n;
}

static void die(void)
{
    FILE *file = fopen("deaths", "a");
    fputc('x', file);
    fclose(file);
    raise(SIGKILL);
}

/* The number of the newest whole one behind SET; 0: there is none. */
static int newer(int set)
{
    char path[64];
    for (int i = set + 200; i > set; i--) {
        snprintf(path, sizeof path, "sets/set-%09d/whole", i);
        if (access(path, F_OK) == 0)
            return i;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]), victim = atoi(argv[2]), most = atoi(argv[3]), set = 0;
    long before = -1;
    unsigned long sum = 1;
    char name[64];
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &(int){1}, 0, &ring);
    snprintf(name, sizeof name, "lines.%d", rank);
    FILE *lines = fopen(name, rank == 0 ? "w" : "a");
    for (int step = 0; step < n; step++) {
        int left, right, got;
        XMPI_Point();
        if (rank == victim && deaths() != before) { /* it has come from a checkpoint */
            before = deaths();
            set = newer(0);
        }
        if (rank == victim && before < most && newer(set) > 0)
            die();
        MPI_Cart_shift(ring, 0, 1, &left, &right);
        MPI_Sendrecv(&step, 1, MPI_INT, right, 1, &got, 1, MPI_INT, left, 1, ring,
                     MPI_STATUS_IGNORE);
        sum = mix(sum, got + left);
        fprintf(lines, "step %d\n", step);
        usleep(2000);
    }
    fclose(lines);
    say("dies", sum);
    MPI_Finalize();
    return 0;
}
