/* Scores that do not fit in memory: every rank keeps its players in a file, which it removes in the
 * end, and goes through them by several at a time. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { GAMES = 11 };

static const long bytes = GAMES * sizeof(int);

int main(int argc, char **argv)
{
    int rank, size, players = 47, rounds = 24;
    char name[64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int most = argc > 1 ? atoi(argv[1]) : 3;
    int first = rank * players / size;
    int count = (rank + 1) * players / size - first;

    snprintf(name, sizeof name, "scores.%d", rank);
    int scores = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (scores < 0) {
        perror(name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int i = 0; i < count; i++) {
        int line[GAMES];
        for (int j = 0; j < GAMES; j++)
            line[j] = (first + i) * 3 + j;
        if (pwrite(scores, line, bytes, i * bytes) != bytes)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }

    int *lines = malloc(most * bytes);
    long played = 0;
#pragma xmpi loop divisible interval(1)
    for (int round = 0; round < rounds; round++) {
        long won = 0;
        for (int at = 0; at < count; at += most) {
            int here = count - at < most ? count - at : most;
            if (pread(scores, lines, here * bytes, at * bytes) != here * bytes)
                MPI_Abort(MPI_COMM_WORLD, 2);
            for (int i = 0; i < here; i++)
                for (int j = 0; j < GAMES; j++) {
                    lines[i * GAMES + j] += (lines[i * GAMES + j] + first + at + i + played) % 5;
                    won += lines[i * GAMES + j] % 2;
                }
            if (pwrite(scores, lines, here * bytes, at * bytes) != here * bytes)
                MPI_Abort(MPI_COMM_WORLD, 3);
        }
        MPI_Allreduce(&won, &played, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }

    long sum = 0, all;
    for (int i = 0; i < count; i++) {
        int line[GAMES];
        if (pread(scores, line, bytes, i * bytes) != bytes)
            MPI_Abort(MPI_COMM_WORLD, 4);
        for (int j = 0; j < GAMES; j++)
            sum += line[j] * (j + 1L) * (first + i + 1);
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("played %ld, sum %ld\n", played, all);
    free(lines);
    close(scores);
    unlink(name);
    MPI_Finalize();
    return 0;
}
