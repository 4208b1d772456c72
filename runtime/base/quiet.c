/* SPDX-License-Identifier: BSD-3-Clause
 * MPI calls whose errors are nobody else's business. */
#include "base/quiet.h"

#include <pthread.h>

/* Or one thread would take what another has set for the handlers of the program. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static MPI_Comm comm_of(int i)
{
    return i == 0 ? MPI_COMM_WORLD : MPI_COMM_SELF;
}

static bool is_quiet(MPI_Comm comm)
{
    MPI_Errhandler handler;
    PMPI_Comm_get_errhandler(comm, &handler);
    bool quiet = handler == MPI_ERRORS_RETURN;
    PMPI_Errhandler_free(&handler);
    return quiet;
}

xmpi_quiet_t xmpi_quiet_begin(bool all)
{
    xmpi_quiet_t quiet;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 2; i++) {
        PMPI_Comm_get_errhandler(comm_of(i), &quiet.handler[i]);
        if (all || quiet.handler[i] != MPI_ERRORS_ARE_FATAL)
            PMPI_Comm_set_errhandler(comm_of(i), MPI_ERRORS_RETURN);
    }
    return quiet;
}

void xmpi_quiet_end(xmpi_quiet_t *quiet)
{
    for (int i = 0; i < 2; i++) {
        if (is_quiet(comm_of(i)))
            PMPI_Comm_set_errhandler(comm_of(i), quiet->handler[i]);
        PMPI_Errhandler_free(&quiet->handler[i]);
    }
    pthread_mutex_unlock(&lock);
}
