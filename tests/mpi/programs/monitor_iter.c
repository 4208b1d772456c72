/* SPDX-License-Identifier: BSD-3-Clause
 * Monitors its iterations by hand, as in thesis Figs 4.2 and 4.3, with an event of its own. */
#include <sde_lib.h>
#include <stdio.h>
#include <xmpi.h>

static long long operations, calls;

int main(int argc, char **argv)
{
    char *events[] = {"sde:::program::operations", "sde:::program::calls", NULL};
    char *one[] = {"sde:::program::calls", NULL}, *none[] = {"PAPI_NO_SUCH", NULL};
    long long counts[2];
    MPI_Init(&argc, &argv);
    papi_handle_t handle = papi_sde_init("program");
    papi_sde_register_counter(handle, "operations", PAPI_SDE_RO | PAPI_SDE_DELTA,
                              PAPI_SDE_long_long, &operations);
    papi_sde_register_counter(handle, "calls", PAPI_SDE_RO | PAPI_SDE_DELTA, PAPI_SDE_long_long,
                              &calls);
    printf("%d\n", XMPI_Monitor_iter_end(counts) == MPI_ERR_ARG);
    printf("%d\n", XMPI_Monitor_iter_begin(none) == MPI_ERR_ARG);
    for (int it = 0; it < 4; it++) {
        if (XMPI_Monitor_iter_begin(it < 3 ? events : one) != MPI_SUCCESS)
            return 1;
        operations += 1000 * (it + 1);
        calls++;
        if (XMPI_Monitor_iter_end(counts) != MPI_SUCCESS)
            return 1;
        printf("%lld", counts[0]);
        printf(it < 3 ? " %lld\n" : "\n", counts[1]);
    }
    MPI_Finalize();
    return 0;
}
