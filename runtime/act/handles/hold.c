/* SPDX-License-Identifier: BSD-3-Clause
 * What cannot be made again in another process, and where the program has opened it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "act/handles/comms.h"
#include "act/handles/handles.h"
#include "act/handles/requests.h"
#include "act/handles/sends.h"
#include "base/collective.h"

/* PLACE is where a call returns to: the one before is in it. */
static void say(char *why, size_t size, const char *what, const char *call, const void *place)
{
    Dl_info info = {0};
    const char *address = (const char *)place - 1;
    if (place == NULL || dladdr(address, &info) == 0 || info.dli_fname == NULL)
        snprintf(why, size, "%s (%s)", what, call);
    else if (info.dli_sname != NULL)
        snprintf(why, size, "%s (%s at %s+0x%tx in %s)", what, call, info.dli_sname,
                 address - (const char *)info.dli_saddr, info.dli_fname);
    else
        snprintf(why, size, "%s (%s at %p in %s)", what, call, (const void *)address,
                 info.dli_fname);
}

static xmpi_holds_t find_pin(char *why, size_t size)
{
    static const char *const what[] = {
        [XMPI_PIN_WINDOW] = "a window is open",
        [XMPI_PIN_FILE] = "a file of MPI is open",
        [XMPI_PIN_MESSAGE] = "a message has been matched and not received",
        [XMPI_PIN_SESSION] = "a session is open",
        [XMPI_PIN_DATAREP] = "a representation of data is registered",
    };
    if (xmpi_handles.pins == 0)
        return XMPI_HOLDS_NOTHING;
    const xmpi_pin_t *pin = &xmpi_handles.pin[0];
    for (int i = 1; i < xmpi_handles.pins && pin->alone; i++)
        pin = &xmpi_handles.pin[i];
    say(why, size, what[pin->kind], pin->call, pin->place);
    return pin->alone ? XMPI_HOLDS_THIS : XMPI_HOLDS_ALL;
}

static bool find_request(char *why, size_t size)
{
    uint32_t number = 0;
    const xmpi_handle_t *entry;
    while ((entry = xmpi_handle_next(XMPI_HANDLE_REQUEST, &number)) != NULL) {
        const xmpi_request_made_t *made = entry->made;
        if (made != NULL && made->persistent && !made->active)
            continue;
        say(why, size,
            made != NULL && made->persistent ? "a persistent request has been started and not "
                                               "waited for"
                                             : "a request is pending",
            entry->call, entry->place);
        return true;
    }
    return false;
}

/* Members outside the world are known by no rank. */
static bool has_strangers(MPI_Group group)
{
    int n = 0, i = 0;
    int *rank = xmpi_group_ranks(group, &n);
    while (rank != NULL && i < n && rank[i] != MPI_UNDEFINED)
        i++;
    free(rank);
    return rank == NULL || i < n;
}

static bool connects_strangers(MPI_Comm comm)
{
    int inter = 0;
    MPI_Group group;
    PMPI_Comm_group(comm, &group);
    bool found = has_strangers(group);
    PMPI_Group_free(&group);
    PMPI_Comm_test_inter(comm, &inter);
    if (found || !inter)
        return found;
    PMPI_Comm_remote_group(comm, &group);
    found = has_strangers(group);
    PMPI_Group_free(&group);
    return found;
}

static bool find_comm(char *why, size_t size)
{
    uint32_t number = 0;
    const xmpi_handle_t *entry;
    while ((entry = xmpi_handle_next(XMPI_HANDLE_COMM, &number)) != NULL) {
        bool freed = ((const xmpi_comm_made_t *)entry->made)->freed;
        if (!freed && !connects_strangers(entry->real))
            continue;
        say(why, size,
            freed ? "a communicator has been freed that persistent requests need"
                  : "a communicator has members outside MPI_COMM_WORLD",
            entry->call, entry->place);
        return true;
    }
    for (number = 0; (entry = xmpi_handle_next(XMPI_HANDLE_GROUP, &number)) != NULL;)
        if (has_strangers(entry->real)) {
            say(why, size, "a group has members outside MPI_COMM_WORLD", entry->call, entry->place);
            return true;
        }
    return false;
}

/* --- messages ----------------------------------------------------------------------------------
 */

static bool has_message(MPI_Comm comm, const char *name, char *why, size_t size)
{
    int flag = 0;
    MPI_Status status;
    PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
    if (flag)
        snprintf(why, size, "a message from rank %d with tag %d in %s has not been received",
                 status.MPI_SOURCE, status.MPI_TAG, name);
    return flag != 0;
}

/* Among those that are there. */
static bool find_message(char *why, size_t size)
{
    uint32_t number = 0;
    const xmpi_handle_t *entry;
    if (has_message(xmpi_handles.world, "MPI_COMM_WORLD", why, size) ||
        has_message(MPI_COMM_SELF, "MPI_COMM_SELF", why, size))
        return true;
    while ((entry = xmpi_handle_next(XMPI_HANDLE_COMM, &number)) != NULL) {
        char text[96];
        snprintf(text, sizeof text, "a communicator of %s", entry->call);
        if (has_message(entry->real, text, why, size))
            return true;
    }
    return false;
}

bool xmpi_handles_unreceived(MPI_Comm world, MPI_Comm ours, char *why, size_t size)
{
    if (!xmpi_handles.on)
        return false;
    xmpi_sends_arrive(world, ours);
    return find_message(why, size);
}

xmpi_holds_t xmpi_handles_hold(char *why, size_t size)
{
    if (!xmpi_handles.on)
        return XMPI_HOLDS_NOTHING;
    xmpi_holds_t pinned = find_pin(why, size);
    if (pinned != XMPI_HOLDS_ALL &&
        (find_request(why, size) || find_comm(why, size) || find_message(why, size)))
        return XMPI_HOLDS_ALL;
    return pinned;
}
