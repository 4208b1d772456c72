/* Levels of water in one file that all ranks share: each reads and writes its own rows at their places
 * in the whole. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { COLUMNS = 16 };

int main(int argc, char **argv)
{
    int rank, size, rows = 26, steps = 24;
    const off_t bytes = COLUMNS * sizeof(long);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * rows / size;
    int count = (rank + 1) * rows / size - first;

    if (rank == 0) {
        int made = open("harbour.water", O_RDWR | O_CREAT | O_TRUNC, 0600);
        for (int i = 0; i < rows * COLUMNS; i++) {
            long level = 100 + i % 13;
            if (write(made, &level, sizeof level) != sizeof level)
                MPI_Abort(MPI_COMM_WORLD, 1);
        }
        close(made);
    }
    MPI_Barrier(MPI_COMM_WORLD);
#pragma xmpi setup
    int water = open("harbour.water", O_RDWR);

#pragma xmpi loop interval(1)
    for (int step = 0; step < steps; step++)
        for (int i = 0; i < count; i++) {
            long level[COLUMNS];
            if (pread(water, level, bytes, (first + i) * bytes) != bytes)
                MPI_Abort(MPI_COMM_WORLD, 1);
            for (int j = 0; j < COLUMNS; j++)
                level[j] = (level[j] * 31 + first + i + j) % 100003;
            if (pwrite(water, level, bytes, (first + i) * bytes) != bytes)
                MPI_Abort(MPI_COMM_WORLD, 1);
        }

    long sum = 0, all;
    for (int i = 0; i < count; i++) {
        long level[COLUMNS];
        if (pread(water, level, bytes, (first + i) * bytes) != bytes)
            MPI_Abort(MPI_COMM_WORLD, 1);
        for (int j = 0; j < COLUMNS; j++)
            sum += level[j] * (first + i + 1);
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    close(water);
    if (rank == 0) {
        printf("sum %ld\n", all);
        unlink("harbour.water");
    }
    MPI_Finalize();
    return 0;
}
