/* SPDX-License-Identifier: BSD-3-Clause
 * What MPI itself does where a member is killed: shrink [VICTIM]. The others revoke the world and
 * shrink it when a reduction fails, or has a wrong sum, as ULFM has it; run it
 * with mpiexec -disable-auto-cleanup, so that nobody else ends them. It says of each step that it
 * has come there. (An MPI with which all come to "goes on" could go on in place.) */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITERATIONS = 20, KILLED_IN = 5 };

/* Whether all SIZE members of WORLD have taken part. */
static int add_up(MPI_Comm world, int size, int rank, int iteration)
{
    int one = 1, sum = 0, status = MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, world);
    if (status != MPI_SUCCESS || sum != size)
        fprintf(stderr, "%d: iteration %d: %s, sum %d of %d\n", rank, iteration,
                status == MPI_SUCCESS ? "success" : "failed", sum, size);
    return status == MPI_SUCCESS && sum == size;
}

static MPI_Comm without_the_dead(int rank)
{
    MPI_Comm rest;
    MPIX_Comm_revoke(MPI_COMM_WORLD);
    fprintf(stderr, "%d: has revoked\n", rank);
    if (MPIX_Comm_shrink(MPI_COMM_WORLD, &rest) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(stderr, "%d: has shrunk\n", rank);
    MPI_Comm_set_errhandler(rest, MPI_ERRORS_RETURN);
    return rest;
}

int main(int argc, char **argv)
{
    int rank, size, victim = argc > 1 ? atoi(argv[1]) : 2;
    signal(SIGPIPE, SIG_IGN);
    MPI_Init(&argc, &argv);
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        if (iteration == KILLED_IN && rank == victim)
            raise(SIGKILL);
        if (add_up(world, size, rank, iteration))
            continue;
        if (world != MPI_COMM_WORLD)
            MPI_Abort(MPI_COMM_WORLD, 1);
        world = without_the_dead(rank);
        size--;
    }
    fprintf(stderr, "%d: goes on with %d\n", rank, size);
    MPI_Finalize();
    return 0;
}
