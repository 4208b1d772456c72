/* SPDX-License-Identifier: BSD-3-Clause
 * Attributes of communicators, datatypes and windows. */
#include "act/handles/attributes.h"

#include <stdlib.h>

#include "act/handles/table/table.h"
#include "base/export.h"
#include "base/misuse.h"

/* --- what the MPI calls ------------------------------------------------------------------------
 * Its extra state is how the keyval was made.
 */

static int copy(xmpi_keyval_made_t *made, xmpi_handle_kind_t kind, int from, void *in, void *out,
                int *flag)
{
    int result = MPI_SUCCESS;
    *flag = 0;
    if (xmpi_handles.quiet)
        return result;
    *flag = made->copies == XMPI_COPY_SAME;
    if (made->copies == XMPI_COPY_SAME)
        *(void **)out = in;
    if (made->copies == XMPI_COPY_CALLS)
        result = ((MPI_Comm_copy_attr_function *)made->copy)(
            xmpi_handle_ours(kind, from), made->ours, made->extra_state, in, out, flag);
    if (result == MPI_SUCCESS && *flag)
        made->attributes++;
    return result;
}

static int take_away(xmpi_keyval_made_t *made, xmpi_handle_kind_t kind, int from, void *value)
{
    int result = MPI_SUCCESS;
    if (made->delete != NULL && !xmpi_handles.quiet)
        result = ((MPI_Comm_delete_attr_function *)made->delete)(
            xmpi_handle_ours(kind, from), made->ours, value, made->extra_state);
    if (result == MPI_SUCCESS)
        made->attributes--;
    return result;
}

static int copy_comm(MPI_Comm comm, int keyval, void *made, void *in, void *out, int *flag)
{
    (void)keyval;
    return copy(made, XMPI_HANDLE_COMM, comm, in, out, flag);
}

static int delete_comm(MPI_Comm comm, int keyval, void *value, void *made)
{
    (void)keyval;
    return take_away(made, XMPI_HANDLE_COMM, comm, value);
}

static int copy_type(MPI_Datatype type, int keyval, void *made, void *in, void *out, int *flag)
{
    (void)keyval;
    return copy(made, XMPI_HANDLE_TYPE, type, in, out, flag);
}

static int delete_type(MPI_Datatype type, int keyval, void *value, void *made)
{
    (void)keyval;
    return take_away(made, XMPI_HANDLE_TYPE, type, value);
}

/* (Windows keep the MPI's handles, and are of no kind of ours: nothing is found for them.) */
static int copy_win(MPI_Win win, int keyval, void *made, void *in, void *out, int *flag)
{
    (void)keyval;
    return copy(made, XMPI_HANDLE_REQUEST, win, in, out, flag);
}

static int delete_win(MPI_Win win, int keyval, void *value, void *made)
{
    (void)keyval;
    return take_away(made, XMPI_HANDLE_REQUEST, win, value);
}

/* --- keyvals -----------------------------------------------------------------------------------
 */

int xmpi_attributes_keyval(xmpi_keyval_made_t *made, int *keyval)
{
    if (made->of == XMPI_OF_TYPE)
        return PMPI_Type_create_keyval(copy_type, delete_type, keyval, made);
    if (made->of == XMPI_OF_WIN)
        return PMPI_Win_create_keyval(copy_win, delete_win, keyval, made);
    return PMPI_Comm_create_keyval(copy_comm, delete_comm, keyval, made);
}

static int create(xmpi_of_t of, xmpi_function_t copies, xmpi_function_t deletes, int *keyval,
                  void *extra_state, const char *call, const void *place)
{
    xmpi_keyval_made_t *made = malloc(sizeof *made);
    if (made == NULL)
        xmpi_misuse("no memory for a keyval of the program");
    *made = (xmpi_keyval_made_t){.of = of,
                                 .copies = XMPI_COPY_CALLS,
                                 .copy = copies,
                                 .delete = deletes,
                                 .extra_state = extra_state};
    if (copies == (xmpi_function_t)MPI_NULL_COPY_FN)
        made->copies = XMPI_COPY_NONE;
    if (copies == (xmpi_function_t)MPI_DUP_FN)
        made->copies = XMPI_COPY_SAME;
    int result = xmpi_attributes_keyval(made, keyval);
    if (result != MPI_SUCCESS) {
        free(made);
        return result;
    }
    *keyval = made->ours = xmpi_handle_add(XMPI_HANDLE_KEYVAL, *keyval, call, place);
    xmpi_handle_at(XMPI_HANDLE_KEYVAL, *keyval)->made = made;
    return result;
}

#define CREATE_KEYVAL(name, Copy, Delete, OF)                                                      \
    XMPI_EXPORT int MPI_##name(Copy *copies, Delete *deletes, int *keyval, void *extra_state)      \
    {                                                                                              \
        if (!xmpi_handles.on || keyval == NULL)                                                    \
            return PMPI_##name(copies, deletes, keyval, extra_state);                              \
        return create(XMPI_OF_##OF, (xmpi_function_t)copies, (xmpi_function_t)deletes, keyval,     \
                      extra_state, "MPI_" #name, __builtin_return_address(0));                     \
    }

CREATE_KEYVAL(Comm_create_keyval, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function, COMM)
CREATE_KEYVAL(Type_create_keyval, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function, TYPE)
CREATE_KEYVAL(Win_create_keyval, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function, WIN)
CREATE_KEYVAL(Keyval_create, MPI_Copy_function, MPI_Delete_function, COMM)

static int free_real(const xmpi_keyval_made_t *made, int real)
{
    if (made->of == XMPI_OF_TYPE)
        return PMPI_Type_free_keyval(&real);
    return made->of == XMPI_OF_WIN ? PMPI_Win_free_keyval(&real) : PMPI_Comm_free_keyval(&real);
}

/* Keyvals that the program has freed and that nothing has an attribute of any more. */
static void collect(void)
{
    uint32_t number = 0;
    xmpi_handle_t *entry;
    while ((entry = xmpi_handle_next(XMPI_HANDLE_KEYVAL, &number)) != NULL) {
        const xmpi_keyval_made_t *made = entry->made;
        if (!made->freed || made->attributes > 0)
            continue;
        free_real(made, entry->real);
        xmpi_handle_drop(XMPI_HANDLE_KEYVAL, made->ours);
    }
}

/* True: KEYVAL is one of ours, and has been seen to. */
static bool release(int *keyval)
{
    xmpi_handle_t *entry = keyval == NULL ? NULL : xmpi_handle_at(XMPI_HANDLE_KEYVAL, *keyval);
    if (entry == NULL)
        return false;
    ((xmpi_keyval_made_t *)entry->made)->freed = 1;
    *keyval = MPI_KEYVAL_INVALID;
    collect();
    return true;
}

#define FREE_KEYVAL(name)                                                                          \
    XMPI_EXPORT int MPI_##name(int *keyval)                                                        \
    {                                                                                              \
        return release(keyval) ? MPI_SUCCESS : PMPI_##name(keyval);                                \
    }

FREE_KEYVAL(Comm_free_keyval)
FREE_KEYVAL(Type_free_keyval)
FREE_KEYVAL(Win_free_keyval)
FREE_KEYVAL(Keyval_free)

/* --- of an object ------------------------------------------------------------------------------
 */

static int get_value(xmpi_of_t of, int object, int keyval, void **value)
{
    int flag = 0;
    int result = of == XMPI_OF_TYPE ? PMPI_Type_get_attr(object, keyval, value, &flag)
                                    : PMPI_Comm_get_attr(object, keyval, value, &flag);
    return result == MPI_SUCCESS && flag;
}

void xmpi_attributes_put(xmpi_pack_t *pack, xmpi_of_t of, int object)
{
    uint32_t number = 0;
    void *value;
    xmpi_handle_t *entry;
    while ((entry = xmpi_handle_next(XMPI_HANDLE_KEYVAL, &number)) != NULL) {
        const xmpi_keyval_made_t *made = entry->made;
        if (made->of != of || made->attributes <= 0 || !get_value(of, object, entry->real, &value))
            continue;
        xmpi_pack_put(pack, &made->ours, sizeof made->ours);
        xmpi_pack_put(pack, &value, sizeof value);
    }
    xmpi_pack_put(pack, &(int){MPI_KEYVAL_INVALID}, sizeof(int));
}

/* False: there is no other. */
static bool next(xmpi_pack_t *pack, int *ours, void **value)
{
    xmpi_pack_get(pack, ours, sizeof *ours);
    if (pack->status != XMPI_OK || *ours == MPI_KEYVAL_INVALID)
        return false;
    xmpi_pack_get(pack, value, sizeof *value);
    return pack->status == XMPI_OK;
}

void xmpi_attributes_get(xmpi_pack_t *pack, xmpi_of_t of, int object)
{
    int ours;
    void *value;
    while (next(pack, &ours, &value)) {
        xmpi_handle_t *entry = xmpi_handle_at(XMPI_HANDLE_KEYVAL, ours);
        if (entry == NULL) {
            pack->status = XMPI_ERR_INTERNAL;
            return;
        }
        int result = of == XMPI_OF_TYPE ? PMPI_Type_set_attr(object, entry->real, value)
                                        : PMPI_Comm_set_attr(object, entry->real, value);
        if (result == MPI_SUCCESS)
            ((xmpi_keyval_made_t *)entry->made)->attributes++;
    }
}

void xmpi_attributes_skip(xmpi_pack_t *pack)
{
    int ours;
    void *value;
    while (next(pack, &ours, &value))
        ;
}

void xmpi_attributes_clear(MPI_Comm comm)
{
    uint32_t number = 0;
    void *value;
    xmpi_handle_t *entry;
    bool before = xmpi_handles.quiet;
    xmpi_handles.quiet = true;
    while ((entry = xmpi_handle_next(XMPI_HANDLE_KEYVAL, &number)) != NULL) {
        const xmpi_keyval_made_t *made = entry->made;
        if (made->of == XMPI_OF_COMM && get_value(XMPI_OF_COMM, comm, entry->real, &value))
            PMPI_Comm_delete_attr(comm, entry->real);
    }
    xmpi_handles.quiet = before;
}

/* (The MPI calls the delete function for a value that is replaced.) */
void xmpi_attributes_set(int keyval)
{
    xmpi_handle_t *entry = xmpi_handle_at(XMPI_HANDLE_KEYVAL, keyval);
    if (entry != NULL)
        ((xmpi_keyval_made_t *)entry->made)->attributes++;
}
