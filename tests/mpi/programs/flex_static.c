/* SPDX-License-Identifier: BSD-3-Clause
 * The program of the initial processes of thesis Fig. 4.13: spawns three of flex_dynamic, removes
 * one.
 *
 * Usage: flex_static FLEX_DYNAMIC [wrong | kept | gone | window | file]: prints the size and the
 * members' sum after each change. With "wrong" it first makes mistakes, which must change nothing;
 * "kept" makes a communicator before the first change, uses it behind that one and frees it behind
 * the second; "gone" uses it there, where it is no more; "window" and "file" have one open of all
 * where a member is first to leave, which it could not. */
#include <stdio.h>
#include <string.h>

#include "xmpi.h"

static void show(const char *when, int rank)
{
    int size, sum, mine = rank + 1;
    MPI_Comm_size(XMPI_COMM_WORLD, &size);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, XMPI_COMM_WORLD);
    if (rank == 0)
        printf("%s: %d processes, sum %d\n", when, size, sum);
}

static void make_mistakes(const char *command, int rank)
{
    char *no_class[] = {"C99", "C99"};
    int codes = XMPI_Spawn(command, NULL, 0, MPI_INFO_NULL, NULL) != MPI_SUCCESS;
    codes += XMPI_Spawn(command, NULL, 2, MPI_INFO_NULL, no_class) != MPI_SUCCESS;
    codes += XMPI_Spawn("/nonexistent/program", NULL, 1, MPI_INFO_NULL, NULL) != MPI_SUCCESS;
    codes += XMPI_Remove(99, NULL) != MPI_SUCCESS;
    if (rank == 0)
        printf("%d refused\n", codes);
}

static void show_own(MPI_Comm own, int rank)
{
    int sum, one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, own);
    if (rank == 0)
        printf("own: %d processes\n", sum);
}

static void leave_open(const char *turn, int rank)
{
    MPI_Win window = MPI_WIN_NULL;
    MPI_File file = MPI_FILE_NULL;
    int memory = 0;
    if (strcmp(turn, "window") == 0)
        MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, XMPI_COMM_WORLD,
                       &window);
    else
        MPI_File_open(XMPI_COMM_WORLD, "flex.out", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL,
                      &file);
    if (XMPI_Remove(1, NULL) != MPI_SUCCESS && rank == 0)
        printf("refused\n");
    if (window != MPI_WIN_NULL)
        MPI_Win_free(&window);
    if (file != MPI_FILE_NULL)
        MPI_File_close(&file);
}

int main(int argc, char **argv)
{
    int rank, size, all[64];
    const char *turn = argc > 2 ? argv[2] : "";
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(XMPI_COMM_WORLD, &rank);
    if (strcmp(turn, "wrong") == 0)
        make_mistakes(argv[1], rank);
    if (strcmp(turn, "window") == 0 || strcmp(turn, "file") == 0)
        leave_open(turn, rank);
    if (strcmp(turn, "kept") == 0 || strcmp(turn, "gone") == 0)
        MPI_Comm_dup(XMPI_COMM_WORLD, &own);
    if (XMPI_Spawn(argv[1], NULL, 3, MPI_INFO_NULL, NULL) != MPI_SUCCESS)
        MPI_Abort(XMPI_COMM_WORLD, 1);
    show("spawned", rank);
    if (own != MPI_COMM_NULL)
        show_own(own, rank);
    if (XMPI_Remove(1, NULL) != MPI_SUCCESS)
        MPI_Abort(XMPI_COMM_WORLD, 1);
    if (XMPI_Get_process_status() != XMPI_REMOVED) {
        show("removed", rank);
        if (strcmp(turn, "gone") == 0)
            show_own(own, rank);
        MPI_Comm_rank(XMPI_COMM_WORLD, &rank);
        MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, XMPI_COMM_WORLD);
        MPI_Comm_size(XMPI_COMM_WORLD, &size);
        for (int i = 0; i < size; i++)
            if (all[i] != i)
                MPI_Abort(XMPI_COMM_WORLD, 1);
        if (own != MPI_COMM_NULL)
            MPI_Comm_free(&own);
    }
    MPI_Finalize();
    return 0;
}
