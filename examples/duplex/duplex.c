/* SPDX-License-Identifier: BSD-3-Clause
 * Where two strands of RNA bind to one another in most of a number of related species: in a table
 * of all pairs of bases, of which each process has a block of rows, the best duplex that ends there
 * is found for one species after another, and added up. The table of a species is gone through as a
 * pipeline of tiles, as each row follows from the one above. Both tables may be out of core. The
 * pragmas are for compilers that know them; any MPI compiler will do. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define USAGE "usage: duplex [-n BASES] [-m BASES] [-k SPECIES] [-t TILES]"

struct options {
    int n, m, species, tiles;
};

static const char *parse(int argc, char **argv, struct options *options)
{
    int option;
    *options = (struct options){.n = 2000, .m = 1000, .species = 10, .tiles = 8};
    opterr = 0;
    while ((option = getopt(argc, argv, "n:m:k:t:")) != -1) {
        if (option == 'n' && ((options->n = atoi(optarg)) < 1 || options->n > 1 << 20))
            return "-n: expected a number of bases from 1 to 1048576";
        if (option == 'm' && ((options->m = atoi(optarg)) < 1 || options->m > 1 << 20))
            return "-m: expected a number of bases from 1 to 1048576";
        if (option == 'k' && (options->species = atoi(optarg)) < 1)
            return "-k: expected a number of species";
        if (option == 't' && (options->tiles = atoi(optarg)) < 1)
            return "-t: expected a number of tiles";
        if (option == '?')
            return USAGE;
    }
    return optind == argc ? NULL : USAGE;
}

/* --- strands -------------------------------------------------------------------------------------
 */

static unsigned mixed(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x7feb352dU;
    x = (x ^ (x >> 15)) * 0x846ca68bU;
    return x ^ (x >> 16);
}

/* A, C, G or U; in each species one of eight bases is another one than that of their ancestor. */
static int base(int species, int strand, int i)
{
    unsigned place = 2 * (unsigned)i + (unsigned)strand;
    unsigned own = mixed(place + 0x9e3779b9U * (unsigned)(species + 1));
    return (int)((own % 8 == 0 ? own >> 8 : mixed(place)) & 3);
}

/* By how strongly they bind: C with G, A with U, G with U; others do not. */
static int bond(int one, int other)
{
    static const int strength[4][4] = {
        {-2, -2, -2, 2}, {-2, -2, 3, -2}, {-2, 3, -2, 1}, {2, -2, 1, -2}};
    return strength[one][other];
}

/* --- tables --------------------------------------------------------------------------------------
 */

enum { BULGE = 2 }; /* what a base costs that binds to none */

static int best_of(int with, int without, int other)
{
    int best = with > 0 ? with : 0;
    best = without - BULGE > best ? without - BULGE : best;
    return other - BULGE > best ? other - BULGE : best;
}

/* Columns FROM to TO of the table of a species, its first row the last one of the process before,
 * and of their sum. */
static void fill(int species, int displ, int count, int m, int from, int to, int *table, int *sum)
{
    for (int i = 1; i <= count; i++)
        for (int j = from; j < to; j++) {
            int corner = j > 0 ? table[(size_t)(i - 1) * m + j - 1] : 0;
            int left = j > 0 ? table[(size_t)i * m + j - 1] : 0;
            int with = corner + bond(base(species, 0, displ + i - 1), base(species, 1, j));
            table[(size_t)i * m + j] = best_of(with, table[(size_t)(i - 1) * m + j], left);
            sum[(size_t)(i - 1) * m + j] += table[(size_t)i * m + j];
        }
}

static int greatest(size_t n, const int *value)
{
    int most = 0;
    for (size_t i = 0; i < n; i++)
        most = value[i] > most ? value[i] : most;
    return most;
}

int main(int argc, char **argv)
{
    struct options options;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *why = parse(argc, argv, &options);
    if (why == NULL && options.n < size)
        why = "-n: there are more processes than bases";
    if (why != NULL) {
        if (rank == 0)
            fprintf(stderr, "duplex: %s\n", why);
        MPI_Finalize();
        return 2;
    }
    int n = options.n, m = options.m, tiles = options.tiles;
    int count = n / size + (rank < n % size);
    int displ = rank * (n / size) + (rank < n % size ? rank : n % size);
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int behind = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    int *table = calloc((size_t)(count + 2) * m, sizeof *table);
    int *sum = calloc((size_t)count * m, sizeof *sum);
    if (table == NULL || sum == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    double begin = MPI_Wtime();
    long strength = 0;
#pragma xmpi data outofcore(table[n][m] : 1, sum[n][m])
#pragma xmpi loop
    for (int species = 0; species < options.species; species++) {
        int own, best;
        for (int tile = 0; tile < tiles; tile++) {
            int from = (int)((long)m * tile / tiles), to = (int)((long)m * (tile + 1) / tiles);
            MPI_Recv(table + from, to - from, MPI_INT, before, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            fill(species, displ, count, m, from, to, table, sum);
            MPI_Send(table + (size_t)count * m + from, to - from, MPI_INT, behind, 0,
                     MPI_COMM_WORLD);
        }
        own = greatest((size_t)count * m, table + m);
        MPI_Allreduce(&own, &best, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        strength += best;
    }
    double seconds = MPI_Wtime() - begin;

    /* Where the most species bind, the first such pair, and a sum over all pairs. */
    int most, own_most = greatest((size_t)count * m, sum);
    long pair, own_pair = (long)n * m, checksum, own_checksum = 0;
    MPI_Allreduce(&own_most, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < m; j++) {
            long here = (long)(displ + i) * m + j;
            if (sum[(size_t)i * m + j] == most && here < own_pair)
                own_pair = here;
            own_checksum += sum[(size_t)i * m + j] * (here % 1009 + 1);
        }
    MPI_Reduce(&own_pair, &pair, 1, MPI_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&own_checksum, &checksum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("strength %ld\nmost %d\npair %ld %ld\nchecksum %ld\nseconds %.6f\n", strength, most,
               pair / m, pair % m, checksum, seconds);
    free(table);
    free(sum);
    MPI_Finalize();
    return 0;
}
