/* SPDX-License-Identifier: BSD-3-Clause
 * Calls that fail by their arguments, or have some that mean nothing: the program gets MPI's own
 * errors, also while its calls are counted. With ACTIVE the runtime is active. */
#include <stdbool.h>
#include <stdio.h>
#ifdef ACTIVE
#include <xmpi.h>
#else
#include <mpi.h>
#endif

static int class_of(int code)
{
    int class = -1;
    MPI_Error_class(code, &class);
    return class;
}

static int fail_in_all_ways(int size)
{
    int number = 0, wrong = 0, counts[64];
    MPI_Request request = MPI_REQUEST_NULL;
    for (int i = 0; i < size; i++)
        counts[i] = 1;
    wrong += class_of(MPI_Comm_size(MPI_COMM_WORLD, NULL)) != MPI_ERR_ARG;
    wrong += class_of(MPI_Comm_rank(MPI_COMM_WORLD, NULL)) != MPI_ERR_ARG;
    wrong += class_of(MPI_Comm_size(MPI_COMM_NULL, &number)) != MPI_ERR_COMM;
    wrong += class_of(MPI_Request_free(NULL)) == MPI_SUCCESS;
    wrong += class_of(MPI_Start(NULL)) == MPI_SUCCESS;
    wrong += class_of(MPI_Alltoallv(&number, NULL, counts, MPI_INT, &number, NULL, counts, MPI_INT,
                                    MPI_COMM_NULL)) != MPI_ERR_COMM;
    wrong += class_of(MPI_Allreduce(&number, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_NULL)) !=
             MPI_ERR_COMM;
    wrong +=
        class_of(MPI_Send(&number, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD)) != MPI_ERR_TYPE;
    wrong += class_of(MPI_Wait(NULL, MPI_STATUS_IGNORE)) == MPI_SUCCESS;
    wrong += class_of(MPI_Waitall(1, NULL, MPI_STATUSES_IGNORE)) == MPI_SUCCESS;
    wrong += MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    return wrong;
}

/* Roots of the other group give types that mean nothing; there are counts for the other group only.
 */
static int between_groups(int rank, int size)
{
    int number = rank, got[64] = {0}, one[1] = {1}, ones[64], zeros[64] = {0};
    MPI_Comm half, both;
    if (size < 3)
        return 0;
    for (int i = 0; i < 64; i++)
        ones[i] = 1;
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0, rank, &half); /* rank 0 alone, and the others */
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank > 0 ? 0 : 1, 8, &both);
    MPI_Gather(&number, 1, rank > 0 ? MPI_INT : (MPI_Datatype)77, got, 1, MPI_INT,
               rank > 0 ? 0 : MPI_ROOT, both);
    MPI_Alltoallv(ones, rank > 0 ? one : ones, zeros, MPI_INT, got + 32, rank > 0 ? one : ones,
                  zeros, MPI_INT, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    return rank == 0 && got[1] != 2;
}

/* MPICH lets a communicator without a handler of its own follow the world's. */
static int fail_on_early(MPI_Comm early)
{
    int number = 0;
    bool kept = MPI_Send(&number, 1, MPI_INT, 99, 1, early) != MPI_SUCCESS;
    MPI_Comm_free(&early);
    return kept ? 0 : 1;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm early;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &early);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int wrong = fail_in_all_ways(size) + between_groups(rank, size) + fail_on_early(early);
    MPI_Finalize();
    printf("wrong: %d\n", wrong);
    return 0;
}
