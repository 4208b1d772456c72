/* SPDX-License-Identifier: BSD-3-Clause
 * What the MPI of the installation is and can do, found by asking it: lines for xmpi-info. Started
 * alone, it may spawn one process of itself. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "act/processes/join.h"

static void tell_version(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length, version, subversion;
    MPI_Get_library_version(text, &length);
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\t' || *c == '\n')
            *c = *c == '\t' ? ' ' : '\v';
    printf("version: %s\n", text); /* all of it: calibrations are of one */
    text[strcspn(text, "\v")] = '\0';
    MPI_Get_version(&version, &subversion);
    printf("library: %s\nstandard: MPI %d.%d\n", text, version, subversion);
}

/* Whether a process can be spawned and then be left alone, which is what growing and shrinking ask
 * for. */
static int spawns(const char *program)
{
    MPI_Comm child;
    int code = MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Comm_spawn(program, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &child, &code) !=
            MPI_SUCCESS ||
        code != MPI_SUCCESS)
        return 0;
    MPI_Comm_disconnect(&child);
    return 1;
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return 0;
    }
    tell_version();
    printf("threads: %s\n",
           level == MPI_THREAD_MULTIPLE ? "MPI_THREAD_MULTIPLE" : "less than MPI_THREAD_MULTIPLE");
    int ports = xmpi_port_probe();
    printf("ports: %s\n", ports ? "yes" : "no");
    fflush(stdout); /* an MPI that cannot spawn may end us */
    int spawned = ports && spawns(argv[0]);
    printf("spawns: %s\n", spawned ? "yes" : "no");
    printf("backends: %s\n", spawned ? "spawn, pool" : "pool");
    MPI_Finalize();
    return 0;
}
