/* Tiles on a long roof dry from row to row, in arrays of fixed size with room for all rows: each process has its
 * own rows and ghost rows at the begin of them. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 5 };

struct tile {
    int wet, age;
};

static struct tile roof[ROWS + 2][COLUMNS], dried[ROWS + 2][COLUMNS];

static void exchange(struct tile rows[][COLUMNS], int n, int before, int after)
{
    MPI_Status status;
    int bytes = (int)sizeof rows[0];
    MPI_Sendrecv(rows[1], bytes, MPI_BYTE, before, 0, rows[n + 1], bytes, MPI_BYTE, after, 0, MPI_COMM_WORLD,
                 &status);
    MPI_Sendrecv(rows[n], bytes, MPI_BYTE, after, 1, rows[0], bytes, MPI_BYTE, before, 1, MPI_COMM_WORLD,
                 &status);
}

int main(int argc, char **argv)
{
    int rank, size, wettest = 0, rain[ROWS] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = ROWS * rank / size, last = ROWS * (rank + 1) / size - 1, n = last - first + 1;
    int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, after = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    memset(roof, 0, sizeof roof);
    for (int i = 1; i <= n; i++)
        for (int j = 0; j < COLUMNS; j++)
            roof[i][j].wet = (first + i) * (j + 2) % 23;
#pragma xmpi loop
    for (int hour = 0; hour < 40; hour++) {
        int own = 0, all;
        exchange(roof, n, before, after);
        for (int i = first; i <= last; i++)
            rain[i] = (rain[i] * 3 + hour + i) % 11;
        for (int i = 1; i <= n; i++)
            for (int j = 0; j < COLUMNS; j++) {
                dried[i][j].wet = (2 * roof[i - 1][j].wet + roof[i][j].wet + roof[i + 1][j].wet) / 4;
                dried[i][j].age = roof[i][j].age + (dried[i][j].wet > 4);
            }
        for (int i = 1; i <= n; i++)
            for (int j = 0; j < COLUMNS; j++) {
                roof[i][j] = dried[i][j];
                roof[i][j].wet += rain[first + i - 1];
                own = own > roof[i][j].wet + roof[i][j].age ? own : roof[i][j].wet + roof[i][j].age;
            }
        MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        wettest = (wettest * 5 + all) % 10007;
    }
    if (rank == 0)
        printf("result %d\n", wettest);
    MPI_Finalize();
    return 0;
}
