#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size, n = 64;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int displ = rank * n / size;
    int count = (rank + 1) * n / size - displ;
    char name[32];
    snprintf(name, sizeof name, "rows.%d", rank);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < count; i++) {
        double x = displ + i;
        pwrite(fd, &x, sizeof x, i * (off_t)sizeof x);
    }
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        for (int at = 0; at < count; at += 8) {
            double x[10], y[8];
            int m = count - at < 8 ? count - at : 8;
            pread(fd, x, m * sizeof *x, at * (off_t)sizeof *x);
            for (int i = 0; i < m; i++)
                y[i] = x[i] + displ + at + i;
            pwrite(fd, y, m * sizeof *y, at * (off_t)sizeof *y);
        }
    close(fd);
    if (rank > 0)
        unlink(name);
    MPI_Finalize();
    return 0;
}
