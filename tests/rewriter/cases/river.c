/* A river of which every process has the whole course, and computes the reaches from lo to hi only; what
 * flows in comes from the neighbour upstream. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct reach {
    long level, bed;
};

int main(int argc, char **argv)
{
    int rank, size, n = 53;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int share = (n + size - 1) / size;
    int lo = rank * share < n ? rank * share : n;
    int hi = lo + share < n ? lo + share : n;
    struct reach *river = malloc((size_t)n * sizeof *river);
    long *flow = malloc((size_t)n * sizeof *flow);
    for (int i = 0; i < n; i++) {
        river[i].level = i * i % 37 + 40;
        river[i].bed = (n - i) % 9;
        flow[i] = 0;
    }
    for (int day = 0; day < 3; day++)
        river[day].level += 100;
#pragma xmpi loop
    for (int hour = 0; hour < 48; hour++) {
        for (int i = lo; i < hi; i++)
            flow[i] = river[i].level > river[i].bed ? (river[i].level - river[i].bed) / 3 : 0;
        long in = 0, out = lo < hi ? flow[hi - 1] : 0;
        int full = lo < hi;
        long mine[2] = {out, full}, *others = malloc((size_t)size * sizeof mine);
        MPI_Allgather(mine, 2, MPI_LONG, others, 2, MPI_LONG, MPI_COMM_WORLD);
        for (int r = 0; r < rank; r++)
            in = others[2 * r + 1] ? others[2 * r] : in;
        for (int i = hi - 1; i >= lo; i--) {
            long from = i > lo ? flow[i - 1] : in;
            river[i].level += from - flow[i] + (i == 0 ? 5 + hour % 4 : 0);
        }
        free(others);
    }
    long own = 0, sum;
    for (int i = lo; i < hi; i++)
        own += river[i].level * (i + 1) + flow[i];
    MPI_Reduce(&own, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %ld\n", sum);
    free(river);
    free(flow);
    MPI_Finalize();
    return 0;
}
