/* SPDX-License-Identifier: BSD-3-Clause
 * Measuring what messages cost, by ping-pong. */
#define _GNU_SOURCE
#include "observe/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    TAG_PING = 111,
    TAG_STOP = 112,
    EAGER = 131072 - 128, /* MPICH's ch3: MPIR_CVAR_CH3_EAGER_MAX_MSG_SIZE, less the header */
    MOST_ROUNDS = 64,
    SIZES = 7,
};

static const int sizes[SIZES] = {8, 1024, 8192, 65536, 262144, 1048576, 4194304};
enum { SHORT_SIZES = 4, QUICK_SIZES = 2 };
static const int quick_sizes[QUICK_SIZES] = {8, 32768};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* --- one size ---------------------------------------------------------------------------------
 */

/* The other side: sends everything back until it is told to stop. */
static void echo(MPI_Comm comm, char *buffer, int size)
{
    MPI_Status status;
    for (;;) {
        int bytes;
        PMPI_Recv(buffer, size, MPI_BYTE, 0, MPI_ANY_TAG, comm, &status);
        if (status.MPI_TAG == TAG_STOP)
            return;
        PMPI_Get_count(&status, MPI_BYTE, &bytes);
        PMPI_Send(buffer, bytes, MPI_BYTE, 0, TAG_PING, comm);
    }
}

/* Seconds one way: the median of the rounds that fit into SECONDS, without the first, which may
 * have to connect. */
static double ping(MPI_Comm comm, int partner, char *buffer, int bytes, double seconds)
{
    double rounds[MOST_ROUNDS], begin = PMPI_Wtime();
    int n = 0;
    for (int i = 0; i <= MOST_ROUNDS && (n == 0 || PMPI_Wtime() - begin < seconds); i++) {
        double start = PMPI_Wtime();
        PMPI_Send(buffer, bytes, MPI_BYTE, partner, TAG_PING, comm);
        PMPI_Recv(buffer, bytes, MPI_BYTE, partner, TAG_PING, comm, MPI_STATUS_IGNORE);
        if (i > 0)
            rounds[n++] = (PMPI_Wtime() - start) / 2;
    }
    qsort(rounds, (size_t)n, sizeof *rounds, compare);
    return rounds[n / 2];
}

/* --- the line ---------------------------------------------------------------------------------
 */

/* Least squares of relative errors: seconds = alpha + bytes * beta. */
static void fit(int n, const int *bytes, const double *seconds, double *alpha, double *beta)
{
    double w = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; i++) {
        double weight = 1 / (seconds[i] * seconds[i]);
        w += weight;
        x += weight * bytes[i];
        y += weight * seconds[i];
        xx += weight * bytes[i] * (double)bytes[i];
        xy += weight * bytes[i] * seconds[i];
    }
    double determinant = w * xx - x * x;
    *beta = determinant > 0 ? fmax(0, (w * xy - x * y) / determinant) : 0;
    *alpha = fmax(0, (y - *beta * x) / w);
}

static void measure(MPI_Comm comm, int partner, char *buffer, double seconds, bool full,
                    xmpi_link_t *link)
{
    const int *list = full ? sizes : quick_sizes;
    int n = full ? SIZES : QUICK_SIZES, few = full ? SHORT_SIZES : QUICK_SIZES;
    double measured[SIZES];
    for (int i = 0; i < n; i++)
        measured[i] = ping(comm, partner, buffer, list[i], seconds / n);
    link->eager = EAGER;
    fit(few, list, measured, &link->alpha, &link->beta);
    if (full) {
        fit(n - few, list + few, measured + few, &link->long_alpha, &link->long_beta);
    } else {
        link->long_alpha = link->alpha;
        link->long_beta = link->beta;
    }
}

bool xmpi_links_measure(MPI_Comm comm, int partner, double seconds, bool full, xmpi_link_t *link)
{
    int rank, size = full ? sizes[SIZES - 1] : quick_sizes[QUICK_SIZES - 1];
    char *buffer = calloc(1, (size_t)size);
    PMPI_Comm_rank(comm, &rank);
    int able = buffer != NULL, both = 0;
    PMPI_Sendrecv(&able, 1, MPI_INT, rank == 0 ? partner : 0, TAG_STOP, &both, 1, MPI_INT,
                  rank == 0 ? partner : 0, TAG_STOP, comm, MPI_STATUS_IGNORE);
    both = both && able;
    if (both && rank == 0) {
        measure(comm, partner, buffer, seconds, full, link);
        PMPI_Send(NULL, 0, MPI_BYTE, partner, TAG_STOP, comm);
    } else if (both) {
        echo(comm, buffer, size);
    }
    free(buffer);
    return both;
}

/* --- computing --------------------------------------------------------------------------------
 */

enum { REDUCED = 1 << 13, FILLED = 1 << 20, REPEATS = 5 };

double xmpi_links_gamma(void)
{
    double best = 0, *in = calloc(REDUCED, sizeof *in), *out = calloc(REDUCED, sizeof *out);
    for (int i = 0; i < REPEATS && in != NULL && out != NULL; i++) {
        double start = PMPI_Wtime();
        PMPI_Reduce_local(in, out, REDUCED, MPI_DOUBLE, MPI_SUM);
        double seconds = PMPI_Wtime() - start;
        best = best <= 0 || seconds < best ? seconds : best;
    }
    free(in);
    free(out);
    return best / (REDUCED * sizeof *in);
}

double xmpi_links_fresh(void)
{
    double best = 0;
    for (int i = 0; i < REPEATS; i++) {
        double start = PMPI_Wtime();
        char *memory = /* of the kernel: malloc may have some that was used */
            mmap(NULL, FILLED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return 0;
        memset(memory, 1, FILLED);
        double first = PMPI_Wtime();
        memset(memory, 2, FILLED);
        double again = PMPI_Wtime() - first, seconds = first - start - again;
        munmap(memory, FILLED);
        best = best <= 0 || (seconds > 0 && seconds < best) ? seconds : best;
    }
    return fmax(0, best) / FILLED;
}
