/* SPDX-License-Identifier: BSD-3-Clause
 * Registration of data by hand: the functions XMPI_Register_* of xmpi.h. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "act/moving/redistribute.h"
#include "act/world/world.h"
#include "program/context.h"
#include "program/members/out_of_core.h"
#include "base/export.h"
#include "base/floating.h"
#include "xmpi.h"

/* One line about a call that is refused; gives CODE. */
static int refuse(int code, const char *call, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse(int code, const char *call, const char *format, ...)
{
    char text[256];
    int rank = xmpi_world.rank;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (xmpi_world.state == XMPI_STATE_PLAIN)
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "xmpi: rank %d: %s: %s\n", rank, call, text);
    return code;
}

/* What is registered cannot change while it moves. */
static int check_time(const char *call)
{
    if (!xmpi_context.execution.under_way)
        return MPI_SUCCESS;
    return refuse(MPI_ERR_OTHER, call,
                  "data are moving in the background; call it outside the adaptive loop");
}

/* --- checks ----------------------------------------------------------------------------------- */

/* There is no call that asks whether a datatype is committed; a message to nobody needs one that
 * is, and reads nothing. */
static bool can_be_sent(MPI_Datatype datatype)
{
    MPI_Comm comm;
    char nothing = 0;
    if (datatype == MPI_DATATYPE_NULL)
        return false;
    PMPI_Comm_dup(MPI_COMM_SELF, &comm);
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int result = PMPI_Send(&nothing, 1, datatype, MPI_PROC_NULL, 0, comm);
    PMPI_Comm_free(&comm);
    return result == MPI_SUCCESS;
}

static int check_datatype(const char *call, MPI_Datatype datatype, int64_t *bytes)
{
    MPI_Aint lower, extent;
    if (!can_be_sent(datatype))
        return refuse(MPI_ERR_TYPE, call,
                      "the datatype is not committed; call MPI_Type_commit before");
    PMPI_Type_get_extent(datatype, &lower, &extent);
    if (lower != 0 || extent <= 0)
        return refuse(
            MPI_ERR_TYPE, call,
            "the datatype begins at %lld and has an extent of %lld; it must begin at 0 and "
            "have an extent > 0",
            (long long)lower, (long long)extent);
    *bytes = extent;
    return MPI_SUCCESS;
}

static int check_index(const char *call, MPI_Datatype datatype, int64_t *bytes)
{
    const MPI_Datatype integers[] = {MPI_INT,      MPI_LONG,     MPI_LONG_LONG,
                                     MPI_INT32_T,  MPI_INT64_T,  MPI_UNSIGNED,
                                     MPI_UINT32_T, MPI_UINT64_T, MPI_UNSIGNED_LONG};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        if (datatype == integers[i])
            return check_datatype(call, datatype, bytes);
    return refuse(
        MPI_ERR_TYPE, call,
        "pointers and indices must be integers of 4 or 8 bytes, as MPI_INT or MPI_INT64_T");
}

static bool same_storage(const xmpi_array_t *array, const void *address)
{
    void *pointer;
    memcpy(&pointer, address, sizeof pointer);
    return pointer != NULL && array->slot != NULL && xmpi_array_pointer(array) == pointer;
}

static int check_address(const char *call, void *address)
{
    const xmpi_registry_t *registry = &xmpi_context.registry;
    if (check_time(call) != MPI_SUCCESS)
        return MPI_ERR_OTHER;
    if (address == NULL)
        return refuse(
            MPI_ERR_ARG, call,
            "the address is NULL; it is to be that of the variable that points to the data");
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].slot == address || same_storage(&registry->array[i], address))
            return refuse(MPI_ERR_ARG, call, "these data are registered already, as %s",
                          registry->array[i].name);
    return MPI_SUCCESS;
}

/* The rows that all structures share; -1 when there is none yet. */
static int64_t domain_of(const xmpi_registry_t *registry)
{
    if (registry->domain > 0)
        return registry->domain;
    for (int i = 0; i < registry->arrays; i++)
        if (registry->array[i].scheme != XMPI_GEN_REPLICATED)
            return registry->array[i].rows;
    return -1;
}

static int check_shape(const char *call, int64_t size, int64_t other, int64_t halo,
                       XMPI_Scheme scheme)
{
    int64_t domain = domain_of(&xmpi_context.registry);
    if (scheme != XMPI_DISTRIBUTED && scheme != XMPI_REPLICATED && scheme != XMPI_IDENTICAL)
        return refuse(MPI_ERR_ARG, call, "there is no scheme %d", (int)scheme);
    if (size < 0 || other < 0 || halo < 0)
        return refuse(MPI_ERR_COUNT, call, "a size or halo is negative");
    if (halo > 0 && scheme != XMPI_DISTRIBUTED)
        return refuse(MPI_ERR_ARG, call, "only distributed data have a halo");
    if (scheme != XMPI_IDENTICAL && domain >= 0 && size != domain)
        return refuse(MPI_ERR_COUNT, call,
                      "%" PRId64 " rows, but what was registered before has %" PRId64
                      "; all must share one domain",
                      size, domain);
    return MPI_SUCCESS;
}

/* --- weights -----------------------------------------------------------------------------------
 */

static int weight_type(MPI_Datatype datatype)
{
    int size = 0;
    if (datatype == MPI_DOUBLE)
        return XMPI_GEN_DOUBLE;
    if (datatype == MPI_FLOAT)
        return XMPI_GEN_FLOAT;
    if (datatype != MPI_INT && datatype != MPI_LONG && datatype != MPI_LONG_LONG &&
        datatype != MPI_INT32_T && datatype != MPI_INT64_T)
        return -1;
    PMPI_Type_size(datatype, &size);
    return size == 4 ? XMPI_GEN_INT32 : XMPI_GEN_INT64;
}

XMPI_EXPORT int XMPI_Set_weights(void *address, MPI_Datatype datatype, XMPI_Scheme scheme)
{
    XMPI_OWN_FLOATING;
    int type = weight_type(datatype);
    if (scheme != XMPI_DISTRIBUTED && scheme != XMPI_REPLICATED && scheme != XMPI_IDENTICAL)
        return refuse(MPI_ERR_ARG, __func__, "there is no scheme %d", (int)scheme);
    if (address != NULL && type < 0)
        return refuse(
            MPI_ERR_TYPE, __func__,
            "weights must be of MPI_DOUBLE, MPI_FLOAT or an integer type of 4 or 8 bytes");
    xmpi_context.weights = (xmpi_given_weights_t){
        address, type, scheme == XMPI_DISTRIBUTED ? XMPI_GEN_DISTRIBUTED : XMPI_GEN_REPLICATED};
    return MPI_SUCCESS;
}

/* --- registering ------------------------------------------------------------------------------ */

static int scheme_of(XMPI_Scheme scheme)
{
    return scheme == XMPI_DISTRIBUTED  ? XMPI_GEN_DISTRIBUTED
           : scheme == XMPI_REPLICATED ? XMPI_SCHEME_OWNED
                                       : XMPI_GEN_REPLICATED;
}

/* SHAPE without its name. */
static int append(const char *call, const char *what, const xmpi_array_t *shape)
{
    char name[64];
    xmpi_registry_t *registry = &xmpi_context.registry;
    snprintf(name, sizeof name, "%s %d", what, registry->arrays + 1);
    xmpi_array_t *array = xmpi_registry_append(registry, name);
    if (array == NULL)
        return refuse(MPI_ERR_NO_MEM, call, "no memory");
    char *own_name = array->own_name;
    *array = *shape;
    array->name = own_name;
    array->own_name = own_name;
    xmpi_redistribute_ready();
    return MPI_SUCCESS;
}

/* Bytes of a row, and whether all together can be counted. */
static bool fits(int64_t rows, int64_t length, int64_t bytes, int64_t *row_bytes)
{
    int64_t all;
    return !__builtin_mul_overflow(length, bytes, row_bytes) &&
           !__builtin_mul_overflow(*row_bytes, rows > 0 ? rows : 1, &all);
}

static int check_matrix(const char *call, const XMPI_Matrix *matrix, XMPI_Scheme scheme)
{
    int64_t rows = matrix->by_columns ? matrix->columns : matrix->rows;
    int64_t others = matrix->by_columns ? matrix->rows : matrix->columns;
    int result = check_shape(call, rows, others, matrix->halo, scheme);
    if (result != MPI_SUCCESS)
        return result;
    if (matrix->leading < 0 ||
        (!matrix->by_columns && matrix->leading > 0 && matrix->leading < matrix->columns))
        return refuse(MPI_ERR_COUNT, call,
                      "a leading dimension of %" PRId64 " is less than the %" PRId64 " columns",
                      matrix->leading, matrix->columns);
    return MPI_SUCCESS;
}

static int add_matrix(const char *call, const char *what, void *address, const XMPI_Matrix *matrix,
                      MPI_Datatype datatype, XMPI_Scheme scheme)
{
    int64_t bytes = 0, ignored;
    xmpi_array_t array = {.scheme = scheme_of(scheme), .halo = matrix->halo, .slot = address};
    int result = check_address(call, address);
    if (result == MPI_SUCCESS)
        result = check_matrix(call, matrix, scheme);
    if (result == MPI_SUCCESS)
        result = check_datatype(call, datatype, &bytes);
    if (result != MPI_SUCCESS)
        return result;
    array.rows = matrix->by_columns ? matrix->columns : matrix->rows;
    array.row_length = matrix->by_columns ? matrix->rows : matrix->columns;
    if (!fits(array.rows, array.row_length, bytes, &array.row_bytes) ||
        !fits(matrix->rows, matrix->leading, bytes, &ignored))
        return refuse(MPI_ERR_COUNT, call, "there are more bytes than 64 bits can count");
    if (matrix->by_columns) {
        array.shape = XMPI_SHAPE_COLUMNS;
        array.lines = matrix->rows;
        array.element_bytes = bytes;
        array.line_stride = matrix->leading * bytes;
    } else {
        array.row_stride = matrix->leading * bytes;
    }
    return append(call, what, &array);
}

XMPI_EXPORT int XMPI_Register_vector(void *address, int64_t size, MPI_Datatype datatype,
                                     XMPI_Scheme scheme)
{
    XMPI_Matrix matrix = {.rows = size, .columns = 1};
    return add_matrix(__func__, "vector", address, &matrix, datatype, scheme);
}

XMPI_EXPORT int XMPI_Register_dense(void *address, int64_t size, MPI_Datatype datatype,
                                    XMPI_Scheme scheme)
{
    XMPI_Matrix matrix = {.rows = size, .columns = size};
    return add_matrix(__func__, "matrix", address, &matrix, datatype, scheme);
}

/* Copies a description of SIZE bytes to one of ROOM: what the caller does not know is 0, and what
 * this library does not know must be. */
static bool take_description(void *own, size_t room, const void *given, size_t size)
{
    const char *bytes = given;
    memset(own, 0, room);
    memcpy(own, given, size < room ? size : room);
    for (size_t i = room; i < size; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

static const char too_new[] = "the description says what this version of XMPI does not know";

XMPI_EXPORT int XMPI_Register_matrix_sized(void *address, const XMPI_Matrix *matrix, size_t size,
                                           MPI_Datatype datatype, XMPI_Scheme scheme)
{
    static const char call[] = "XMPI_Register_matrix";
    XMPI_Matrix own;
    if (matrix == NULL)
        return refuse(MPI_ERR_ARG, call, "the description of the matrix is NULL");
    if (!take_description(&own, sizeof own, matrix, size))
        return refuse(MPI_ERR_ARG, call, too_new);
    return add_matrix(call, "matrix", address, &own, datatype, scheme);
}

static int check_compressed(const char *call, void *const address[3], const XMPI_Compressed *matrix,
                            XMPI_Scheme scheme)
{
    int result = check_shape(call, matrix->size, 0, matrix->halo, scheme);
    for (int i = 0; i < 3 && result == MPI_SUCCESS; i++)
        result = check_address(call, address[i]);
    if (result != MPI_SUCCESS)
        return result;
    if (address[0] == address[1] || address[0] == address[2] || address[1] == address[2])
        return refuse(MPI_ERR_ARG, call, "two of the three addresses are the same");
    if (matrix->base != 0 && matrix->base != 1)
        return refuse(MPI_ERR_ARG, call, "the pointers must begin with 0 or 1, not %d",
                      matrix->base);
    return MPI_SUCCESS;
}

/* The row pointers, then the two arrays whose elements they count. */
static int add_compressed(const char *call, void *const address[3], const XMPI_Compressed *matrix,
                          MPI_Datatype datatype, XMPI_Scheme scheme)
{
    static const char *const what[] = {"row pointers", "indices", "nonzeros"};
    int64_t bytes[3];
    int first = xmpi_context.registry.arrays;
    int result = check_compressed(call, address, matrix, scheme);
    if (result == MPI_SUCCESS)
        result = check_index(call, matrix->pointers, &bytes[0]);
    if (result == MPI_SUCCESS)
        result = check_index(call, matrix->indices, &bytes[1]);
    if (result == MPI_SUCCESS)
        result = check_datatype(call, datatype, &bytes[2]);
    for (int i = 0; i < 3 && result == MPI_SUCCESS; i++) {
        xmpi_array_t array = {.scheme = scheme_of(scheme),
                              .rows = matrix->size,
                              .row_length = 1,
                              .row_bytes = bytes[i],
                              .shape = i == 0 ? XMPI_SHAPE_OFFSETS : XMPI_SHAPE_ENTRIES,
                              .halo = matrix->halo,
                              .origin = matrix->base,
                              .global = matrix->global != 0,
                              .offsets = first,
                              .offset_bytes = (int)bytes[0],
                              .slot = address[i]};
        result = append(call, what[i], &array);
    }
    if (result != MPI_SUCCESS)
        xmpi_registry_remove(&xmpi_context.registry, first, xmpi_context.registry.arrays - first);
    return result;
}

XMPI_EXPORT int XMPI_Register_sparse(void *address_ia, void *address_ja, void *address_a,
                                     int64_t size, MPI_Datatype datatype, XMPI_Scheme scheme)
{
    XMPI_Compressed matrix = {.size = size, .pointers = MPI_INT, .indices = MPI_INT};
    void *address[] = {address_ia, address_ja, address_a};
    return add_compressed(__func__, address, &matrix, datatype, scheme);
}

XMPI_EXPORT int XMPI_Register_compressed_sized(void *address_ia, void *address_ja, void *address_a,
                                               const XMPI_Compressed *matrix, size_t size,
                                               MPI_Datatype datatype, XMPI_Scheme scheme)
{
    static const char call[] = "XMPI_Register_compressed";
    void *address[] = {address_ia, address_ja, address_a};
    XMPI_Compressed own;
    if (matrix == NULL)
        return refuse(MPI_ERR_ARG, call, "the description of the matrix is NULL");
    if (!take_description(&own, sizeof own, matrix, size))
        return refuse(MPI_ERR_ARG, call, too_new);
    return add_compressed(call, address, &own, datatype, scheme);
}

/* The structure at ADDRESS: its first array, and N of how many; -1: none. */
static int find_structure(void *address, int *n)
{
    const xmpi_registry_t *registry = &xmpi_context.registry;
    int at = address == NULL ? -1 : xmpi_registry_find_slot(registry, address);
    if (at >= 0 && registry->array[at].shape == XMPI_SHAPE_ENTRIES)
        at = registry->array[at].offsets;
    *n = at >= 0 && registry->array[at].shape == XMPI_SHAPE_OFFSETS ? 3 : 1;
    return at;
}

XMPI_EXPORT int XMPI_Declare_constant(void *address)
{
    int n, at = find_structure(address, &n);
    if (check_time(__func__) != MPI_SUCCESS)
        return MPI_ERR_OTHER;
    if (at < 0)
        return refuse(MPI_ERR_ARG, __func__, "nothing is registered at this address");
    for (int i = 0; i < n; i++)
        xmpi_context.registry.array[at + i].constant = true;
    return MPI_SUCCESS;
}

XMPI_EXPORT int XMPI_Declare_out_of_core(void *address)
{
    int n, at = find_structure(address, &n);
    xmpi_registry_t *registry = &xmpi_context.registry;
    if (check_time(__func__) != MPI_SUCCESS)
        return MPI_ERR_OTHER;
    if (at < 0 || registry->array[at].shape != XMPI_SHAPE_ROWS ||
        registry->array[at].scheme != XMPI_GEN_DISTRIBUTED)
        return refuse(MPI_ERR_ARG, __func__,
                      "no structure that is distributed by rows is registered at this address");
    registry->array[at].outofcore = true;
    if (xmpi_world.state != XMPI_STATE_PLAIN)
        xmpi_out_of_core_follow(&xmpi_context);
    return MPI_SUCCESS;
}

XMPI_EXPORT int XMPI_Deregister(void *address)
{
    int n, at = find_structure(address, &n);
    if (check_time(__func__) != MPI_SUCCESS)
        return MPI_ERR_OTHER;
    if (at < 0 || xmpi_context.registry.array[at].own_name == NULL)
        return refuse(MPI_ERR_ARG, __func__, "nothing is registered at this address");
    xmpi_registry_remove(&xmpi_context.registry, at, n);
    return MPI_SUCCESS;
}
