/* SPDX-License-Identifier: BSD-3-Clause
 * A program's objects of MPI. */
#include "handles_made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mine_t mine;

void made_fail(const char *when, const char *what, int which)
{
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "process %d, %s: %s %d is wrong\n", rank, when, what, which);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* --- functions of the program ------------------------------------------------------------------
 */

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    mine.wrong += (comm != MPI_COMM_WORLD && comm != mine.comm[0]) || keyval != mine.comm_keyval ||
                  extra != &mine;
    mine.copied++;
    *(void **)out = (char *)in + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int destroy(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)value;
    mine.wrong += extra != &mine || (keyval != mine.comm_keyval && keyval != mine.freed_keyval);
    mine.deleted++;
    return MPI_SUCCESS;
}

static int destroy_of_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)value;
    (void)extra;
    mine.wrong += type != mine.type[0] || keyval != mine.type_keyval;
    mine.deleted++;
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)code;
    mine.wrong += *comm != mine.comm[0];
    mine.handled++;
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    mine.wrong += *type != MPI_DOUBLE;
    for (int i = 0; i < *length; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

/* (Of a type of the program, of four numbers.) */
static void add_typed(void *in, void *inout, int *length, MPI_Datatype *type)
{
    mine.wrong += *type != mine.type[1];
    for (int i = 0; i < 4 * *length; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

/* --- making ------------------------------------------------------------------------------------
 */

static void make_graphs(int rank, int size)
{
    int index[64], edges[128], next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (int i = 0; i < size; i++) {
        index[i] = 2 * (i + 1);
        edges[2 * i] = (i + 1) % size;
        edges[2 * i + 1] = (i + size - 1) % size;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &mine.comm[8]);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, &(int){rank + 7}, 1, &next,
                                   &(int){next + 7}, MPI_INFO_NULL, 0, &mine.comm[9]);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &(int){1}, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                          0, &mine.comm[10]);
}

static void make_comms(int rank, int size)
{
    int dims[2] = {0, 0}, periods[2] = {1, 0};
    MPI_Comm *comm = mine.comm, half;
    MPI_Group world, low;
    MPI_Request request;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
    MPI_Comm_dup_with_info(comm[0], mine.info, &comm[1]);
    MPI_Comm_split(comm[0], rank % 2, -rank, &comm[2]);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm[3]);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[1][3]){{0, (size - 1) / 2, 1}}, &low);
    MPI_Comm_create(MPI_COMM_WORLD, low, &comm[4]);
    comm[5] = MPI_COMM_NULL;
    if (rank <= (size - 1) / 2)
        MPI_Comm_create_group(MPI_COMM_WORLD, low, 3, &comm[5]);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm[6]);
    MPI_Cart_sub(comm[6], (int[]){1, 0}, &comm[7]);
    make_graphs(rank, size);
    MPI_Comm_dup(MPI_COMM_SELF, &comm[11]);
    MPI_Comm_idup(comm[2], &comm[12], &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &mine.inter);
    MPI_Comm_free(&half);
    MPI_Intercomm_merge(mine.inter, rank % 2, &comm[13]);
    MPI_Cart_create(MPI_COMM_SELF, 0, NULL, NULL, 0, &comm[14]);
    mine.group[0] = world;
    mine.group[1] = low;
    MPI_Comm_group(comm[2], &mine.group[2]);
    mine.group[3] = MPI_GROUP_EMPTY;
}

static void make_plain_types(void)
{
    int lengths[] = {2, 1}, displs[] = {4, 0};
    MPI_Aint far[] = {40, 0};
    MPI_Datatype *type = mine.type, inner;
    MPI_Type_contiguous(3, MPI_INT, &type[0]);
    MPI_Type_contiguous(4, MPI_DOUBLE, &type[1]);
    MPI_Type_vector(3, 2, 4, MPI_DOUBLE, &type[2]);
    MPI_Type_create_hvector(3, 1, 24, type[0], &type[3]);
    MPI_Type_indexed(2, lengths, displs, MPI_DOUBLE, &type[4]);
    MPI_Type_create_hindexed(2, lengths, far, MPI_FLOAT_INT, &type[5]);
    MPI_Type_create_indexed_block(2, 3, displs, MPI_CHAR, &type[6]);
    MPI_Type_create_hindexed_block(2, 1, far, type[6], &type[7]);
    MPI_Type_contiguous(2, type[0], &inner);
    MPI_Type_create_struct(2, lengths, far, (MPI_Datatype[]){inner, MPI_DOUBLE}, &type[8]);
    MPI_Type_create_resized(inner, -4, 64, &type[9]);
    MPI_Type_free(&inner); /* two need it still */
    MPI_Type_create_subarray(2, (int[]){8, 6}, (int[]){4, 3}, (int[]){2, 1}, MPI_ORDER_C,
                             MPI_DOUBLE, &type[10]);
    MPI_Type_create_darray(
        4, 1, 2, (int[]){8, 8}, (int[]){MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC},
        (int[]){MPI_DISTRIBUTE_DFLT_DARG, 2}, (int[]){2, 2}, MPI_ORDER_FORTRAN, MPI_INT, &type[11]);
    MPI_Type_dup(type[8], &type[12]);
}

static void make_large_types(void)
{
    MPI_Count lengths[] = {2, 1}, displs[] = {4, 0}, far[] = {40, 0};
    MPI_Datatype *type = mine.type;
    MPI_Type_contiguous_c(3, MPI_INT, &type[13]);
    MPI_Type_vector_c(3, 2, 4, MPI_DOUBLE, &type[14]);
    MPI_Type_create_hvector_c(3, 1, 24, type[13], &type[15]);
    MPI_Type_indexed_c(2, lengths, displs, MPI_DOUBLE, &type[16]);
    MPI_Type_create_hindexed_c(2, lengths, far, MPI_INT, &type[17]);
    MPI_Type_create_indexed_block_c(2, 3, displs, MPI_CHAR, &type[18]);
    MPI_Type_create_struct_c(2, lengths, far, (MPI_Datatype[]){type[16], MPI_DOUBLE}, &type[19]);
    MPI_Type_create_resized_c(type[19], -4, 128, &type[20]);
    MPI_Type_create_subarray_c(2, (MPI_Count[]){8, 6}, (MPI_Count[]){4, 3}, (MPI_Count[]){2, 1},
                               MPI_ORDER_C, MPI_DOUBLE, &type[21]);
}

static void make_marks(void)
{
    MPI_Comm_create_keyval(copy, destroy, &mine.comm_keyval, &mine);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &mine.same_keyval, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, destroy, &mine.freed_keyval, &mine);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, destroy_of_type, &mine.type_keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, mine.comm_keyval, (char *)&mine + 8);
    MPI_Comm_set_attr(MPI_COMM_WORLD, mine.same_keyval, (char *)&mine + 16);
    MPI_Info_create(&mine.info);
    MPI_Info_set(mine.info, "colour", "blue");
    MPI_Op_create(add, 1, &mine.op);
    MPI_Op_create(add_typed, 1, &mine.typed_op);
}

/* What is freed stays as long as something needs it. */
static void make_more_marks(void)
{
    int kept = mine.freed_keyval;
    MPI_Errhandler freed;
    MPI_Comm_set_attr(MPI_COMM_SELF, mine.same_keyval, (char *)&mine + 24);
    MPI_Comm_set_attr(mine.comm[2], mine.freed_keyval, (char *)&mine + 32);
    MPI_Comm_free_keyval(&mine.freed_keyval);
    mine.freed_keyval = kept;
    MPI_Type_set_attr(mine.type[0], mine.type_keyval, (char *)&mine + 40);
    MPI_Type_set_name(mine.type[8], "a structure");
    MPI_Comm_set_name(mine.comm[6], "a grid");
    MPI_Comm_create_errhandler(handle, &mine.handler);
    MPI_Comm_set_errhandler(mine.comm[0], mine.handler);
    MPI_Comm_create_errhandler(handle, &freed);
    MPI_Comm_set_errhandler(mine.comm[1], freed);
    MPI_Errhandler_free(&freed);
    for (int i = 0; i < TYPES; i++)
        MPI_Type_commit(&mine.type[i]);
}

static void make_requests(int rank, int size)
{
    MPI_Datatype freed;
    MPI_Request *request = mine.request;
    MPI_Comm ring = mine.comm[0];
    int next = (rank + 1) % size, before = (rank + size - 1) % size, in, out, n;
    MPI_Type_contiguous(2, MPI_DOUBLE, &freed);
    MPI_Type_commit(&freed);
    MPI_Send_init(mine.sent, 1, freed, next, 9, ring, &request[0]);
    MPI_Recv_init(mine.received, 2, MPI_DOUBLE, before, 9, MPI_COMM_WORLD, &request[1]);
    MPI_Request_free(&request[1]);
    MPI_Recv_init(mine.received, 1, freed, before, 9, ring, &request[1]);
    MPI_Type_free(&freed);
    MPI_Bcast_init(mine.part, 1, mine.type[1], size - 1, mine.comm[0], MPI_INFO_NULL, &request[2]);
    MPI_Allreduce_init(mine.sent + 8, mine.received + 8, 1, mine.type[1], mine.typed_op,
                       MPI_COMM_WORLD, MPI_INFO_NULL, &request[3]);
    MPI_Dist_graph_neighbors_count(mine.comm[9], &in, &out, &n);
    for (int i = 0; i < size; i++) {
        mine.counts[i] = 1;
        mine.displs[i] = 32 * i;
        mine.far[i] = 32 * i;
        mine.part_type[i] = mine.type[1];
    }
    MPI_Alltoallw_init(mine.sent, mine.counts, mine.displs, mine.part_type, mine.received,
                       mine.counts, mine.displs, mine.part_type, mine.comm[0], MPI_INFO_NULL,
                       &request[4]);
    MPI_Neighbor_alltoallw_init(mine.sent, mine.counts, mine.far, mine.part_type, mine.received,
                                mine.counts, mine.far, mine.part_type, mine.comm[9], MPI_INFO_NULL,
                                &request[5]);
    MPI_Barrier_init(mine.comm[2], MPI_INFO_NULL, &request[6]);
}

static void find_facts(int *fact, int *n);

void made_make(void)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    make_marks();
    make_comms(rank, size);
    make_plain_types();
    make_large_types();
    make_more_marks();
    make_requests(rank, size);
    find_facts(mine.fact, &mine.facts);
}

/* --- what can be told --------------------------------------------------------------------------
 */

static int *facts;
static int told;

static void tell(long value)
{
    if (getenv("TELL") != NULL && told == atoi(getenv("TELL")))
        abort();
    if (told == FACTS)
        made_fail("telling", "number", told);
    facts[told++] = (int)value;
}

static void tell_text(const char *text)
{
    unsigned sum = 0;
    for (; *text != '\0'; text++)
        sum = 31 * sum + (unsigned char)*text;
    tell((long)(sum & 0x7fffffff));
}

static void tell_group(MPI_Group group)
{
    int rank, size, one = 0, there;
    MPI_Group_rank(group, &rank);
    MPI_Group_size(group, &size);
    tell(rank);
    tell(size);
    for (; one < size; one++) {
        MPI_Group_translate_ranks(group, 1, &one, mine.group[0], &there);
        tell(there);
    }
}

static void tell_attribute(MPI_Comm comm, int keyval)
{
    int flag;
    char *value = NULL;
    MPI_Comm_get_attr(comm, keyval, &value, &flag);
    tell(flag);
    tell(flag ? value - (char *)&mine : -1);
}

static void tell_topology(MPI_Comm comm)
{
    int kind, n, m, weighed, a[64] = {0}, b[64] = {0}, c[64] = {0}, d[64] = {0};
    MPI_Topo_test(comm, &kind);
    tell(kind);
    if (kind == MPI_CART) {
        MPI_Cartdim_get(comm, &n);
        MPI_Cart_get(comm, n, a, b, c);
        tell(n);
    } else if (kind == MPI_GRAPH) {
        MPI_Graphdims_get(comm, &n, &m);
        MPI_Graph_get(comm, n, m, a, b);
        tell(n);
        tell(m);
    } else if (kind == MPI_DIST_GRAPH) {
        MPI_Dist_graph_neighbors_count(comm, &n, &m, &weighed);
        MPI_Dist_graph_neighbors(comm, n, a, weighed ? b : MPI_UNWEIGHTED, m, c,
                                 weighed ? d : MPI_UNWEIGHTED);
        tell(weighed);
    }
    for (int i = 0; i < 8; i++) {
        tell(a[i]);
        tell(b[i]);
        tell(c[i]);
        tell(d[i]);
    }
}

static void tell_comm(MPI_Comm comm)
{
    int length, how, inter;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Group group;
    MPI_Errhandler handler;
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_group(comm, &group);
    tell(inter);
    tell_group(group);
    MPI_Group_free(&group);
    if (!inter)
        tell_topology(comm);
    MPI_Comm_get_name(comm, name, &length);
    tell_text(name);
    MPI_Comm_compare(comm, mine.comm[2], &how);
    tell(how);
    tell_attribute(comm, mine.comm_keyval);
    tell_attribute(comm, mine.same_keyval);
    MPI_Comm_get_errhandler(comm, &handler);
    tell(handler == mine.handler);
    tell(handler == MPI_ERRORS_ARE_FATAL);
    if (handler != MPI_ERRORS_ARE_FATAL)
        MPI_Errhandler_free(&handler);
}

static void tell_type(MPI_Datatype type)
{
    int size, n[4], length, integer[64] = {0};
    MPI_Aint lb, extent, address[16] = {0};
    MPI_Count c[4], count[16] = {0};
    MPI_Datatype part[8];
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_envelope_c(type, &c[0], &c[1], &c[2], &c[3], &n[3]);
    MPI_Type_get_contents_c(type, c[0], c[1], c[2], c[3], integer, address, count, part);
    MPI_Type_get_name(type, name, &length);
    tell_text(name);
    tell(size);
    tell(lb);
    tell(extent);
    tell(n[3]);
    for (int i = 0; i < c[0]; i++)
        tell(integer[i]);
    for (int i = 0; i < c[1]; i++)
        tell(address[i]);
    for (int i = 0; i < c[2]; i++)
        tell(count[i]);
    for (int i = 0; i < c[3]; i++) {
        int which = 0;
        while (which < TYPES && mine.type[which] != part[i])
            which++;
        tell(which); /* the program's own handles */
        MPI_Type_size(part[i], &size);
        tell(size);
        if (which < TYPES || part[i] == (MPI_Datatype)0 || (unsigned)part[i] >> 30 == 0)
            MPI_Type_free(&part[i]);
    }
}

static void find_facts(int *fact, int *n)
{
    int flag, keys;
    char value[32] = "";
    void *attribute = NULL;
    facts = fact;
    told = 0;
    tell_comm(MPI_COMM_WORLD);
    tell_comm(MPI_COMM_SELF);
    for (int i = 0; i < COMMS; i++)
        tell_comm(mine.comm[i]);
    tell_comm(mine.inter);
    for (int i = 0; i < GROUPS; i++)
        tell_group(mine.group[i]);
    for (int i = 0; i < TYPES; i++)
        tell_type(mine.type[i]);
    MPI_Type_get_attr(mine.type[0], mine.type_keyval, &attribute, &flag);
    tell((char *)attribute - (char *)&mine);
    MPI_Info_get(mine.info, "colour", 31, value, &flag);
    tell_text(value);
    MPI_Info_get_nkeys(mine.info, &keys);
    tell(keys);
    tell(mine.copied);
    tell(mine.deleted);
    tell(mine.wrong);
    *n = told;
}

void made_compare(const char *when)
{
    static int now[FACTS];
    int n;
    find_facts(now, &n);
    if (n != mine.facts)
        made_fail(when, "the number of facts", n);
    for (int i = 0; i < n; i++)
        if (now[i] != mine.fact[i]) {
            fprintf(stderr, "%d instead of %d: ", now[i], mine.fact[i]);
            made_fail(when, "fact", i);
        }
}

/* --- using them --------------------------------------------------------------------------------
 */

static void use_comm(MPI_Comm comm, const char *when, int which)
{
    int rank, size, inter;
    double in, out = 0;
    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_rank(comm, &rank);
    inter ? MPI_Comm_remote_size(comm, &size) : MPI_Comm_size(comm, &size);
    in = rank + 1;
    MPI_Allreduce(&in, &out, 1, MPI_DOUBLE, inter ? MPI_SUM : mine.op, comm);
    if (out != size * (size + 1) / 2.0)
        made_fail(when, "the sum over communicator", which);
}

static void use_requests(const char *when, int rank, int size)
{
    MPI_Status status[2];
    double expected = (rank + size - 1) % size + 0.5;
    for (int i = 0; i < 64; i++) {
        mine.sent[i] = rank + 0.5;
        mine.received[i] = -1;
    }
    mine.part[0] = rank;
    MPI_Startall(2, mine.request);
    MPI_Waitall(2, mine.request, status);
    if (mine.received[0] != expected || mine.received[1] != expected || mine.received[2] != -1 ||
        status[1].MPI_TAG != 9)
        made_fail(when, "persistent message", rank);
    for (int i = 2; i < REQUESTS; i++) {
        MPI_Start(&mine.request[i]);
        MPI_Wait(&mine.request[i], MPI_STATUS_IGNORE);
        if (mine.request[i] == MPI_REQUEST_NULL || (i == 2 && mine.part[0] != size - 1) ||
            (i == 3 && mine.received[11] != size * size / 2.0) ||
            (i == 4 && mine.received[4 * (size - 1)] != size - 0.5) ||
            (i == 5 && mine.received[3] != expected))
            made_fail(when, "persistent operation", i);
    }
}

/* A message that has a type of the program at both ends, and one that fails. */
static void use_messages(const char *when, int rank, int size)
{
    double in[48], out[48] = {0};
    int handled = mine.handled, next = (rank + 1) % size, before = (rank + size - 1) % size;
    MPI_Request request[2];
    for (int i = 0; i < 48; i++)
        in[i] = rank + i;
    MPI_Isend(in, 1, mine.type[10], next, 4, mine.comm[6], &request[0]);
    MPI_Irecv(out, 1, mine.type[10], before, 4, mine.comm[6], &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    if (request[0] != MPI_REQUEST_NULL || out[2 * 6 + 1] != before + 13 || out[0] != 0)
        made_fail(when, "message", rank);
    if (MPI_Send(in, 1, MPI_DOUBLE, 99, 1, mine.comm[0]) == MPI_SUCCESS ||
        mine.handled != handled + 1)
        made_fail(when, "error handler", mine.handled);
}

void made_use(const char *when)
{
    int rank, size;
    MPI_Comm again;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    use_comm(MPI_COMM_WORLD, when, -1);
    for (int i = 0; i < COMMS; i++)
        use_comm(mine.comm[i], when, i);
    use_comm(mine.inter, when, COMMS);
    use_requests(when, rank, size);
    use_messages(when, rank, size);
    if (MPI_Comm_split(mine.comm[6], rank, 0, &again) == MPI_SUCCESS)
        MPI_Comm_free(&again);
    if (again != MPI_COMM_NULL || mine.wrong != 0)
        made_fail(when, "a call of a function", mine.wrong);
}

void made_free(void)
{
    for (int i = 0; i < REQUESTS; i++)
        MPI_Request_free(&mine.request[i]);
    for (int i = 0; i < COMMS; i++)
        if (mine.comm[i] != MPI_COMM_NULL)
            MPI_Comm_free(&mine.comm[i]);
    MPI_Comm_free(&mine.inter);
    for (int i = 0; i < GROUPS - 1; i++)
        MPI_Group_free(&mine.group[i]);
    int deleted = mine.deleted;
    MPI_Type_delete_attr(mine.type[0], mine.type_keyval);
    if (mine.deleted != deleted + 1)
        made_fail("at the end", "the attribute of a type", mine.deleted);
    for (int i = 0; i < TYPES; i++)
        MPI_Type_free(&mine.type[i]);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, mine.comm_keyval);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, mine.same_keyval);
    MPI_Comm_delete_attr(MPI_COMM_SELF, mine.same_keyval);
    MPI_Comm_free_keyval(&mine.comm_keyval);
    MPI_Comm_free_keyval(&mine.same_keyval);
    MPI_Type_free_keyval(&mine.type_keyval);
    MPI_Op_free(&mine.op);
    MPI_Op_free(&mine.typed_op);
    MPI_Errhandler_free(&mine.handler);
    MPI_Info_free(&mine.info);
    if (mine.type[3] != MPI_DATATYPE_NULL || mine.comm[6] != MPI_COMM_NULL ||
        mine.op != MPI_OP_NULL || mine.request[2] != MPI_REQUEST_NULL || mine.wrong != 0)
        made_fail("at the end", "a freed handle", mine.wrong);
}
