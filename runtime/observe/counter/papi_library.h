/* SPDX-License-Identifier: BSD-3-Clause
 * PAPI and its software-defined events, loaded when something is to be counted that they count. */
#ifndef XMPI_OBSERVE_COUNTER_PAPI_LIBRARY_H
#define XMPI_OBSERVE_COUNTER_PAPI_LIBRARY_H

#include <papi.h>
#include <sde_lib.h>

#include "base/process/library.h"

#define XMPI_PAPI_CALLS(X)                                                                         \
    X(PAPI_add_named_event)                                                                        \
    X(PAPI_assign_eventset_component)                                                              \
    X(PAPI_cleanup_eventset) X(PAPI_create_eventset) X(PAPI_destroy_eventset)                      \
        X(PAPI_event_name_to_code) X(PAPI_get_event_component) X(PAPI_library_init) X(PAPI_read)   \
            X(PAPI_remove_event) X(PAPI_set_opt) X(PAPI_start) X(PAPI_stop)
#define XMPI_SDE_CALLS(X) X(papi_sde_init) X(papi_sde_register_counter)

typedef struct {
    XMPI_PAPI_CALLS(XMPI_LIBRARY_ADDRESS)
} xmpi_papi_t;

typedef struct {
    XMPI_SDE_CALLS(XMPI_LIBRARY_ADDRESS)
} xmpi_sde_t;

/* The functions, when they have been loaded. */
extern xmpi_papi_t xmpi_papi;
extern xmpi_sde_t xmpi_sde;

xmpi_status_t xmpi_papi_load(xmpi_error_t *error);

#endif
