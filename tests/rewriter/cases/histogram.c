/* Letters counted in growing parts of a text that rank 0 makes; full arrays and a struct.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int length, start, stop;
} slice_t;

enum { LETTERS = 26 };

static slice_t slice_of(int length, int rank, int size)
{
    slice_t slice;
    int part = (length + size - 1) / size;
    slice.length = length;
    slice.start = rank * part < length ? rank * part : length;
    slice.stop = (rank + 1) * part < length ? (rank + 1) * part : length;
    return slice;
}

int main(int argc, char **argv)
{
    int rank, size, length = 5000;
    long seen[LETTERS] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *text = malloc((size_t)length);
    if (rank == 0)
        for (int i = 0; i < length; i++)
            text[i] = (char)('a' + i * i % LETTERS);
    MPI_Bcast(text, length, MPI_CHAR, 0, MPI_COMM_WORLD);
    int start = slice_of(length, rank, size).start;
    int stop = slice_of(length, rank, size).stop;
#pragma xmpi loop
    for (int shift = 0; shift < 9; shift++) {
        long own[LETTERS], all[LETTERS];
        memset(own, 0, sizeof own);
        for (int i = start; i < stop; i++)
            own[(text[i] - 'a' + shift) % LETTERS]++;
        MPI_Allreduce(own, all, LETTERS, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        for (int k = 0; k < LETTERS; k++)
            seen[k] += (shift + 1) * all[k];
    }
    if (rank == 0)
        printf("result %ld %ld %ld\n", seen[0], seen[7], seen[25]);
    free(text);
    MPI_Finalize();
    return 0;
}
