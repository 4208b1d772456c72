/* SPDX-License-Identifier: BSD-3-Clause
 * Functions of the program that the MPI calls with handles. What the MPI calls them with does not
 * tell which one is meant, so that each needs a function of ours of its own. */
#include "act/handles/functions.h"

#include <stdlib.h>

#include "act/handles/table/table.h"
#include "base/export.h"
#include "base/misuse.h"

/* So many different functions of each kind. More are given to the MPI as they are: they see its own
 * handles, which all calls take as well. */
enum { SLOTS = 64 };

static xmpi_function_t in_slot[3][SLOTS];
typedef enum { OPS, LARGE_OPS, HANDLERS } slots_t;

static void call_op(int slot, void *in, void *inout, int *length, MPI_Datatype *type)
{
    MPI_Datatype ours = xmpi_handle_ours(XMPI_HANDLE_TYPE, *type);
    ((MPI_User_function *)in_slot[OPS][slot])(in, inout, length, &ours);
}

static void call_handler(int slot, MPI_Comm *comm, int *code)
{
    MPI_Comm ours = xmpi_handle_ours(XMPI_HANDLE_COMM, *comm);
    ((MPI_Comm_errhandler_function *)in_slot[HANDLERS][slot])(&ours, code);
}

#define EIGHT(define, row)                                                                         \
    define(row##0) define(row##1) define(row##2) define(row##3) define(row##4) define(row##5)      \
        define(row##6) define(row##7)
#define ALL(define)                                                                                \
    EIGHT(define, 00)                                                                              \
    EIGHT(define, 01)                                                                              \
    EIGHT(define, 02)                                                                              \
    EIGHT(define, 03) EIGHT(define, 04) EIGHT(define, 05) EIGHT(define, 06) EIGHT(define, 07)
#define DEFINE_OP(n)                                                                               \
    static void op_##n(void *in, void *inout, int *length, MPI_Datatype *type)                     \
    {                                                                                              \
        call_op(n, in, inout, length, type);                                                       \
    }
#define DEFINE_HANDLER(n)                                                                          \
    static void handler_##n(MPI_Comm *comm, int *code, ...)                                        \
    {                                                                                              \
        call_handler(n, comm, code);                                                               \
    }
#define NAME_OP(n) op_##n,
#define NAME_HANDLER(n) handler_##n,

ALL(DEFINE_OP)
ALL(DEFINE_HANDLER)
static MPI_User_function *const our_op[SLOTS] = {ALL(NAME_OP)};
static MPI_Comm_errhandler_function *const our_handler[SLOTS] = {ALL(NAME_HANDLER)};

#if MPI_VERSION >= 4
static void call_large_op(int slot, void *in, void *inout, MPI_Count *length, MPI_Datatype *type)
{
    MPI_Datatype ours = xmpi_handle_ours(XMPI_HANDLE_TYPE, *type);
    ((MPI_User_function_c *)in_slot[LARGE_OPS][slot])(in, inout, length, &ours);
}

#define DEFINE_LARGE_OP(n)                                                                         \
    static void large_op_##n(void *in, void *inout, MPI_Count *length, MPI_Datatype *type)         \
    {                                                                                              \
        call_large_op(n, in, inout, length, type);                                                 \
    }
#define NAME_LARGE_OP(n) large_op_##n,

ALL(DEFINE_LARGE_OP)
static MPI_User_function_c *const our_large_op[SLOTS] = {ALL(NAME_LARGE_OP)};
#endif

/* That of FUNCTION, which keeps it; -1: there is none left. */
static int slot_of(slots_t slots, xmpi_function_t function)
{
    for (int i = 0; i < SLOTS; i++) {
        if (in_slot[slots][i] == NULL)
            in_slot[slots][i] = function;
        if (in_slot[slots][i] == function)
            return i;
    }
    return -1;
}

/* --- operations --------------------------------------------------------------------------------
 */

int xmpi_functions_op(const xmpi_op_made_t *made, MPI_Op *op)
{
    int slot = slot_of(made->large ? LARGE_OPS : OPS, made->function);
#if MPI_VERSION >= 4
    if (made->large)
        return PMPI_Op_create_c(slot < 0 ? (MPI_User_function_c *)made->function
                                         : our_large_op[slot],
                                made->commutes, op);
#endif
    return PMPI_Op_create(slot < 0 ? (MPI_User_function *)made->function : our_op[slot],
                          made->commutes, op);
}

static int make_op(xmpi_op_made_t made, MPI_Op *op, const char *call, const void *place)
{
    xmpi_op_made_t *kept = malloc(sizeof *kept);
    if (kept == NULL)
        xmpi_misuse("no memory for an operation of the program");
    *kept = made;
    int result = xmpi_functions_op(&made, op);
    if (result != MPI_SUCCESS) {
        free(kept);
        return result;
    }
    *op = xmpi_handle_add(XMPI_HANDLE_OP, *op, call, place);
    xmpi_handle_at(XMPI_HANDLE_OP, *op)->made = kept;
    return result;
}

XMPI_EXPORT int MPI_Op_create(MPI_User_function *function, int commutes, MPI_Op *op)
{
    if (!xmpi_handles.on || function == NULL || op == NULL)
        return PMPI_Op_create(function, commutes, op);
    xmpi_op_made_t made = {.function = (xmpi_function_t)function, .commutes = commutes};
    return make_op(made, op, "MPI_Op_create", __builtin_return_address(0));
}

#if MPI_VERSION >= 4
XMPI_EXPORT int MPI_Op_create_c(MPI_User_function_c *function, int commutes, MPI_Op *op)
{
    if (!xmpi_handles.on || function == NULL || op == NULL)
        return PMPI_Op_create_c(function, commutes, op);
    xmpi_op_made_t made = {
        .function = (xmpi_function_t)function, .commutes = commutes, .large = true};
    return make_op(made, op, "MPI_Op_create_c", __builtin_return_address(0));
}
#endif

/* --- error handlers ----------------------------------------------------------------------------
 */

/* By the MPI's handles, which it gives again: as many as there have been at a time. */
static struct {
    MPI_Errhandler real;
    xmpi_errhandler_made_t made;
} * known; /* malloc */
static int knowns;

static void learn(MPI_Errhandler real, const xmpi_errhandler_made_t *made)
{
    int i = 0;
    while (i < knowns && known[i].real != real)
        i++;
    if (i == knowns) {
        void *more = realloc(known, (size_t)(knowns + 1) * sizeof *known);
        if (more == NULL)
            xmpi_misuse("no memory for an error handler of the program");
        known = more;
        knowns++;
    }
    known[i].real = real;
    known[i].made = *made;
}

const xmpi_errhandler_made_t *xmpi_functions_of_errhandler(MPI_Errhandler real)
{
    for (int i = 0; i < knowns; i++)
        if (known[i].real == real)
            return &known[i].made;
    return NULL;
}

static int create(const xmpi_errhandler_made_t *made, MPI_Errhandler *errhandler)
{
    int slot = made->of == XMPI_OF_COMM ? slot_of(HANDLERS, made->function) : -1;
    switch (made->of) {
    case XMPI_OF_WIN:
        return PMPI_Win_create_errhandler((MPI_Win_errhandler_function *)made->function,
                                          errhandler);
    case XMPI_OF_FILE:
        return PMPI_File_create_errhandler((MPI_File_errhandler_function *)made->function,
                                           errhandler);
#if MPI_VERSION >= 4
    case XMPI_OF_SESSION:
        return PMPI_Session_create_errhandler((MPI_Session_errhandler_function *)made->function,
                                              errhandler);
#endif
    default:
        return PMPI_Comm_create_errhandler(slot < 0 ? (MPI_Comm_errhandler_function *)made->function
                                                    : our_handler[slot],
                                           errhandler);
    }
}

int xmpi_functions_errhandler(const xmpi_errhandler_made_t *made, MPI_Errhandler *errhandler)
{
    int result = create(made, errhandler);
    if (result == MPI_SUCCESS)
        learn(*errhandler, made);
    return result;
}

static int make_handler(xmpi_of_t of, xmpi_function_t function, MPI_Errhandler *errhandler,
                        const char *call, const void *place)
{
    xmpi_errhandler_made_t made = {.function = function, .of = of};
    int result = xmpi_functions_errhandler(&made, errhandler);
    if (result == MPI_SUCCESS)
        *errhandler = xmpi_handle_add(XMPI_HANDLE_ERRHANDLER, *errhandler, call, place);
    return result;
}

#define CREATE_ERRHANDLER(name, Of, OF)                                                            \
    XMPI_EXPORT int MPI_##name(MPI_##Of##_errhandler_function *function,                           \
                               MPI_Errhandler *errhandler)                                         \
    {                                                                                              \
        if (!xmpi_handles.on || function == NULL || errhandler == NULL)                            \
            return PMPI_##name(function, errhandler);                                              \
        return make_handler(XMPI_OF_##OF, (xmpi_function_t)function, errhandler, "MPI_" #name,     \
                            __builtin_return_address(0));                                          \
    }

CREATE_ERRHANDLER(Comm_create_errhandler, Comm, COMM)
CREATE_ERRHANDLER(Errhandler_create, Comm, COMM)
CREATE_ERRHANDLER(Win_create_errhandler, Win, WIN)
CREATE_ERRHANDLER(File_create_errhandler, File, FILE)
#if MPI_VERSION >= 4
CREATE_ERRHANDLER(Session_create_errhandler, Session, SESSION)
#endif
