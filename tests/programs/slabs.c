/* Damped waves on a string bundle that does not fit in memory: every rank keeps its strings in two
 * files and goes through them in slabs of several strings at a time. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { POINTS = 20, MOST = 4 };

static void stop(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int open_file(const char *kind, int rank, char *name)
{
    sprintf(name, "%s.%d", kind, rank);
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0)
        stop(name);
    return file;
}

static void read_slab(int file, int at, int strings, long *values)
{
    const size_t bytes = POINTS * sizeof *values;
    if (pread(file, values, strings * bytes, at * bytes) != (ssize_t)(strings * bytes))
        stop("read");
}

static void write_slab(int file, int at, int strings, const long *values)
{
    const size_t bytes = POINTS * sizeof *values;
    if (pwrite(file, values, strings * bytes, at * bytes) != (ssize_t)(strings * bytes))
        stop("write");
}

int main(int argc, char **argv)
{
    int rank, size, strings = 41, steps = 30;
    char name[2][64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * strings / size;
    int count = (rank + 1) * strings / size - first;

    int place = open_file("place", rank, name[0]), speed = open_file("speed", rank, name[1]);
    for (int i = 0; i < count; i++) {
        long x[POINTS], v[POINTS];
        for (int j = 0; j < POINTS; j++) {
            x[j] = (first + i) * 100 + j * j % 7;
            v[j] = 0;
        }
        write_slab(place, i, 1, x);
        write_slab(speed, i, 1, v);
    }
#pragma xmpi data file(long place[strings][POINTS], long speed[strings][POINTS])

    long energy = 0;
    long *x = malloc(MOST * POINTS * sizeof *x), *v = malloc(MOST * POINTS * sizeof *v);
#pragma xmpi loop interval(1)
    for (int step = 0; step < steps; step++) {
        long moved = 0;
        for (int at = 0; at < count; at += MOST) {
            int here = count - at < MOST ? count - at : MOST;
            read_slab(place, at, here, x);
            read_slab(speed, at, here, v);
            for (int i = 0; i < here; i++) {
                long *string = x + i * POINTS, *faster = v + i * POINTS;
                for (int j = 1; j < POINTS - 1; j++) {
                    long pull = string[j - 1] - 2 * string[j] + string[j + 1];
                    faster[j] += pull / 4 + (first + at + i) % 3 - energy % 2;
                    moved += faster[j] * faster[j] % 1009;
                }
            }
            for (int k = 0; k < here * POINTS; k++)
                x[k] += v[k] / 8;
            write_slab(place, at, here, x);
            write_slab(speed, at, here, v);
        }
        MPI_Allreduce(&moved, &energy, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }

    long sum = 0, all;
    for (int i = 0; i < count; i++) {
        long line[POINTS];
        read_slab(place, i, 1, line);
        for (int j = 0; j < POINTS; j++)
            sum += line[j] * (j + 1) + first + i;
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("energy %ld, sum %ld\n", energy, all);
    free(x);
    free(v);
    close(place);
    close(speed);
    for (int i = 0; i < 2; i++)
        unlink(name[i]);
    MPI_Finalize();
    return 0;
}
