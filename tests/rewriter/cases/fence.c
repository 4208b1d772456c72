/* Posts of a fence lean on their neighbours; at its ends stand walls, whose places are in the variables that
 * receive those of the neighbours elsewhere. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 31, most = 500;
    long left = 40, right = -25, tilt = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int begin = rank * n / size, end = (rank + 1) * n / size;
    int before = begin > 0 ? rank - 1 : MPI_PROC_NULL, behind = end < n ? rank + 1 : MPI_PROC_NULL;
    long *post = malloc((size_t)(end - begin) * sizeof *post);
    for (int i = begin; i < end; i++)
        post[i - begin] = i * i % 23 * 10;
#pragma xmpi loop
    for (int t = 0; t < 40 && tilt < most * 100; t++) {
        MPI_Sendrecv(&post[end - begin - 1], 1, MPI_LONG, behind, 0, &left, 1, MPI_LONG, before, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&post[0], 1, MPI_LONG, before, 1, &right, 1, MPI_LONG, behind, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        long last = left, own = 0;
        for (int i = 0; i < end - begin; i++) {
            long next = i + 1 < end - begin ? post[i + 1] : right, here = post[i];
            post[i] = (last + 2 * here + next) / 4 + (begin + i) % 3;
            own += post[i] * (begin + i + 1);
            last = here;
        }
        MPI_Allreduce(&own, &tilt, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("result %ld\n", tilt);
    free(post);
    MPI_Finalize();
    return 0;
}
