#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { M = 5 };

static const off_t bytes = M * sizeof(double);

static int begin(const char *name, int first, int rows)
{
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < rows + 2; i++) {
        double row[M];
        for (int j = 0; j < M; j++)
            row[j] = first + i - 1 + j;
        pwrite(file, row, bytes, i * bytes);
    }
    return file;
}

static void exchange(int file, int rows, int up, int down)
{
    double own[M], other[M];
    pread(file, own, bytes, bytes);
    pread(file, other, bytes, (rows + 1) * bytes);
    MPI_Sendrecv(own, M, MPI_DOUBLE, up, 0, other, M, MPI_DOUBLE, down, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    pwrite(file, other, bytes, (rows + 1) * bytes);
    pread(file, own, bytes, rows * bytes);
    pread(file, other, bytes, 0);
    MPI_Sendrecv(own, M, MPI_DOUBLE, down, 0, other, M, MPI_DOUBLE, up, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    pwrite(file, other, bytes, 0);
}

int main(int argc, char **argv)
{
    int rank, size, n = 64;
    char name[2][32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i < 2; i++)
        snprintf(name[i], sizeof name[i], "rows.%d.%d", i, rank);
    int now = begin(name[0], displ, count), next = begin(name[1], displ, count);
    double *x = malloc((8 + 2) * bytes), *y = malloc(8 * bytes);
#pragma xmpi loop
    for (int k = 0; k < 9; k++) {
        for (int at = 0; at < count; at += 8) {
            int m = count - at < 8 ? count - at : 8;
            pread(now, x, (m + 2) * bytes, at * bytes);
            for (int i = 0; i < m; i++)
                for (int j = 0; j < M; j++)
                    y[i * M + j] = (x[i * M + j] + x[(i + 2) * M + j]) / 2;
            pwrite(next, y, m * bytes, (at + 1) * bytes);
        }
        exchange(next, count, up, down);
        int other = now;
        now = next;
        next = other;
    }
    close(now);
    close(next);
    MPI_Finalize();
    return 0;
}
