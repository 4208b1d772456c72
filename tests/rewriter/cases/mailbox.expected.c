#include <xmpi_gen.h>
#line 1 "mailbox.c"
/* Rumours go along a street: what the neighbours at the ends say is kept in memory of its own, which persistent
 * requests fill; a struct has the requests, and functions make, start and free them. The result is the same
 * for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct mailbox {
    int *left, *right;
    int before, after;
    MPI_Request request[4];
};

static void mailbox_open(struct mailbox *box, int *people, int n, int rank, int size)
{
    box->left = calloc(1, sizeof *box->left);
    box->right = calloc(1, sizeof *box->right);
    box->before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    box->after = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Recv_init(box->left, 1, MPI_INT, box->before, 0, MPI_COMM_WORLD, &box->request[0]);
    MPI_Recv_init(box->right, 1, MPI_INT, box->after, 1, MPI_COMM_WORLD, &box->request[1]);
    MPI_Send_init(people, 1, MPI_INT, box->before, 1, MPI_COMM_WORLD, &box->request[2]);
    MPI_Ssend_init(people + n - 1, 1, MPI_INT, box->after, 0, MPI_COMM_WORLD, &box->request[3]);
}

static void mailbox_deliver(struct mailbox *box)
{
    MPI_Status status[4];
    MPI_Startall(4, box->request);
    MPI_Waitall(4, box->request, status);
}

static void mailbox_close(struct mailbox *box)
{
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&box->request[i]);
    free(box->left);
    free(box->right);
}

int main(int argc, char **argv)
{
    int rank, size, n = 57;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 45 "mailbox.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 46 "mailbox.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = n * rank / size, m = n * (rank + 1) / size - first;
#line 47 "mailbox.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &m, sizeof m);
    int *people = malloc((size_t)m * sizeof *people), *told = malloc((size_t)m * sizeof *told);
if (xmpi_gen_initial()) {
#line 49 "mailbox.c"
    for (int i = 0; i < m; i++)
        people[i] = (first + i) * 37 % 101;
#line 50 "mailbox.c"
}
    struct mailbox box;
if (xmpi_gen_initial()) {
#line 52 "mailbox.c"
    mailbox_open(&box, people, m, rank, size);
#line 52 "mailbox.c"
} else { box.left = 0; box.right = 0; box.before = 0; box.after = 0; __builtin_memset(&box.request, 0, sizeof box.request); }
    long heard = 0;
xmpi_gen_data("people", (void *)&people, sizeof *people, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("people", "i4"); xmpi_gen_data("told", (void *)&told, sizeof *told, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("told", "i4"); xmpi_gen_live("mailbox.c:53:heard", &heard, sizeof heard); xmpi_gen_elements("mailbox.c:53:heard", "i8"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("mailbox.c:55", 0);
    for (int day = 0; 
#line 55 "mailbox.c"
xmpi_gen_joining() || (
#line 55 "mailbox.c"
                      day < 40
#line 55 "mailbox.c"
)
#line 55 "mailbox.c"
                              ; day++) {
#line 55 "mailbox.c"
xmpi_gen_live("mailbox.c:55:day", &day, sizeof day); xmpi_gen_elements("mailbox.c:55:day", "i4"); if (xmpi_gen_point()) { { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); box.before = (int)(xmpi_rank > 0 ? xmpi_rank - 1 : -1); } { int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); box.after = (int)(xmpi_rank + 1 < xmpi_size ? xmpi_rank + 1 : -1); } xmpi_gen_free(box.left); box.left = 0; xmpi_gen_free(box.right); box.right = 0;
#line 52 "mailbox.c"
    mailbox_open(&box, people, m, rank, size);
#line 55 "mailbox.c"
}
        long own = 0, all;
        mailbox_deliver(&box);
        for (int i = 0; i < m; i++) {
            int left = i > 0 ? people[i - 1] : *box.left, right = i < m - 1 ? people[i + 1] : *box.right;
            told[i] = (2 * left + 3 * people[i] + right) % 101;
        }
        for (int i = 0; i < m; i++) {
            people[i] = told[i];
            own += told[i];
        }
        MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        heard = (heard * 7 + all) % 100003;
    }
#line 68 "mailbox.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %ld\n", heard);
    mailbox_close(&box);
    free(people);
    free(told);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"mailbox.c:55\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Startall\",\"MPI_Waitall\"],\"line\":57},\"line\":55,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":66},\"line\":58,\"repeated\":0,\"stages\":[{\"line\":58,\"loop\":true,\"reads\":[\"people\",\"box.left\",\"box.right\"],\"writes\":[\"told\"]},{\"line\":62,\"loop\":true,\"reads\":[\"told\"],\"writes\":[\"people\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
