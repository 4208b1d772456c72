/* SPDX-License-Identifier: BSD-3-Clause
 * Opens one after another what keeps a program where it is, and says what the runtime says of each
 * while it is open; and that nothing is held before and behind it.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "act/handles/handles.h"
#include "act/handles/table/table.h"

static int rank, size;
static MPI_Comm ours; /* as the runtime has one that the program does not know */

static void say(const char *what)
{
    char why[256] = "";
    int held = xmpi_handles_hold(why, sizeof why);
    for (char *at = strstr(why, " at "); at != NULL && *at != '\0'; at = NULL)
        *at = '\0'; /* addresses differ */
    if (rank == 0)
        printf("%s: %s\n", what, held ? why : "free");
}

/* All ask, whoever has sent. */
static void say_unreceived(const char *what)
{
    char why[256] = "";
    int held = xmpi_handles_unreceived(MPI_COMM_WORLD, ours, why, sizeof why);
    PMPI_Barrier(ours); /* nobody sends the next before all have looked */
    if (rank == 0)
        printf("%s: %s\n", what, held ? why : "free");
}

static void hold_request(void)
{
    double number = 0;
    MPI_Request request, persistent;
    MPI_Irecv(&number, 1, MPI_DOUBLE, 0, 1, MPI_COMM_SELF, &request);
    say("receiving");
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("received");
    MPI_Recv_init(&number, 1, MPI_DOUBLE, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &persistent);
    say("persistent");
    MPI_Start(&persistent);
    say("started");
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    say("waited");
    MPI_Request_free(&persistent);
}

static void hold_window(void)
{
    int number = 0;
    MPI_Win win;
    MPI_Win_create(&number, sizeof number, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    say("window");
    MPI_Win_free(&win);
    say("no window");
}

static void hold_file(void)
{
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, "held.data",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    say("file");
    MPI_File_close(&file);
    say("no file");
}

static void hold_message(void)
{
    int number = 1, received, flag = 0;
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    MPI_Isend(&number, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &request);
    while (!flag)
        MPI_Improbe(0, 6, MPI_COMM_SELF, &flag, &message, &status);
    say("matched");
    MPI_Mrecv(&received, 1, MPI_INT, &message, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("got");
}

static void hold_unreceived(void)
{
    int number = rank;
    MPI_Comm comm;
    say_unreceived("no message");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (rank == size - 1)
        MPI_Send(&number, 1, MPI_INT, 0, 7, comm);
    say_unreceived("message");
    if (rank == 0)
        MPI_Recv(&number, 1, MPI_INT, size - 1, 7, comm, MPI_STATUS_IGNORE);
    say_unreceived("message received");
    MPI_Comm_free(&comm);
}

/* By a persistent request in a communicator whose ranks are not those of the world, and in one that
 * has got the handle of another in which the same rank was somebody else. */
static void hold_unreceived_elsewhere(void)
{
    int number = rank;
    MPI_Comm comm;
    MPI_Request request;
    for (int backwards = 0; backwards < 2; backwards++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, backwards ? -rank : rank, &comm);
        MPI_Send_init(&number, 1, MPI_INT, backwards ? size - 1 : 0, 8, comm, &request);
        if (rank == 1) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        say_unreceived("persistent message");
        if (rank == 0)
            MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 8, comm, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        MPI_Comm_free(&comm);
    }
    if (rank == 1)
        MPI_Sendrecv(&number, 1, MPI_INT, 0, 9, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    say_unreceived("half of an exchange");
    if (rank == 0)
        MPI_Recv(&number, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say_unreceived("received all");
}

/* Freed by the program, and needed by what is there still. */
static void hold_freed(void)
{
    double number = 0;
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Send_init(&number, 1, MPI_DOUBLE, rank, 1, comm, &request);
    MPI_Comm_free(&comm);
    say("freed");
    MPI_Request_free(&request);
    say("all freed");
}

/* Members of MPI_COMM_WORLD that are not of the world that the runtime takes for it. */
static void hold_strangers(void)
{
    MPI_Comm comm, world = xmpi_handles.world;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    xmpi_handles.world = MPI_COMM_SELF;
    say("strangers");
    xmpi_handles.world = world;
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    PMPI_Comm_dup(MPI_COMM_WORLD, &ours);
    xmpi_handles_begin();
    say("nothing");
    hold_request();
    hold_window();
    hold_file();
    hold_message();
    hold_unreceived();
    hold_unreceived_elsewhere();
    hold_freed();
    hold_strangers();
    say("nothing");
    MPI_Finalize();
    return 0;
}
