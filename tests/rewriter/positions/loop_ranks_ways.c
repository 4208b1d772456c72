/* Ways on which only some ranks get to the loop (WAY 1 to 10), and others, on which what is in rows,
 * memory, the size, a failure, or a function that another call hands the rank decides (0). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int half(int number)
{
    return number / 2;
}

static int fourth(int number)
{
    int part = half(number);
    return half(part);
}

static void halve(int number, int *part)
{
    *part = half(number);
}

static int kept;

static void keep(int number)
{
    kept = number;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60, idle = 0;
    double *mine = NULL;
    MPI_Comm some = MPI_COMM_WORLD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * n / size;
    int count = (rank + 1) * n / size - first;
    double *own = calloc((size_t)count, sizeof *own);
    for (int i = 0; i < count; i++)
        own[i] = first + i;
#if WAY == 0
    if (own == NULL || size > n)
        return 0;
    if (rank == 0 && argc > 7)
        return 3;
    int mine_of_all = fourth(rank), part;
    halve(rank, &mine_of_all);
    halve(9, &part);
    if (mine_of_all < 0)
        printf("%d is no rank\n", rank);
    if (fourth(size) > n || part > n)
        return 0;
    double top = 0;
    for (int i = 0; i < count; i++)
        if (own[i] > top)
            top = own[i];
    if (top < 1e30) {
#elif WAY == 1
    if (rank >= 5) {
        MPI_Finalize();
        return 0;
    }
    {
#elif WAY == 2
    if (rank >= 5)
        idle = 1;
    if (!idle) {
#elif WAY == 3
    if (rank < 5)
        mine = malloc(sizeof *mine);
    if (mine != NULL) {
#elif WAY == 4
    MPI_Comm_split(MPI_COMM_WORLD, rank < 5 ? 0 : MPI_UNDEFINED, rank, &some);
    if (some != MPI_COMM_NULL) {
#elif WAY == 5
    idle = first > 50;
    if (idle) {
        printf("%d waits\n", rank);
        goto done;
    }
    {
#elif WAY == 6
    idle = count == 0;
    if (!idle) {
#elif WAY == 7
    if (own[0] < 50) {
#elif WAY == 8
    if (fourth(size) < n && fourth(rank) < 3) {
#elif WAY == 9
    halve(rank, &idle);
    if (idle < 3) {
#elif WAY == 10
    keep(rank);
    if (kept < 3) {
#endif
#pragma xmpi loop divisible
        for (int k = 0; k < 9; k++)
            for (int i = 0; i < count; i++)
                own[i] += first + i + k;
    }
    goto done;
done:
    free(mine);
    free(own);
    MPI_Finalize();
    return idle && some == MPI_COMM_NULL;
}
