#include <xmpi_gen.h>
#line 1 "persistent.c"
/* Sand on a slope slides from row to row: ghost rows come by persistent requests, as many as there are
 * neighbours, which are made before the loop and freed after it. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { COLUMNS = 6 };

int main(int argc, char **argv)
{
    int rank, size, n = 33;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 13 "persistent.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 14 "persistent.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int first = n * rank / size, rows = n * (rank + 1) / size - first;
#line 15 "persistent.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &rows, sizeof rows);
    size_t room = ((size_t)rows + 2) * COLUMNS;
    int *sand = calloc(room, sizeof *sand), *next = calloc(room, sizeof *next);
if (xmpi_gen_initial()) {
#line 18 "persistent.c"
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < COLUMNS; j++)
            sand[i * COLUMNS + j] = (first + i) * (j + 3) % 17;
#line 20 "persistent.c"
}
    MPI_Request request[4];
    MPI_Status status[4];
    int requests = 0;
if (xmpi_gen_initial()) {
#line 24 "persistent.c"
    if (rank > 0) {
        MPI_Recv_init(&sand[0], COLUMNS, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &request[requests++]);
        MPI_Send_init(&sand[COLUMNS], COLUMNS, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, &request[requests++]);
    }
#line 27 "persistent.c"
} else { __builtin_memset(&request, 0, sizeof request); }
if (xmpi_gen_initial()) {
#line 28 "persistent.c"
    if (rank < size - 1) {
        MPI_Recv_init(&sand[(rows + 1) * COLUMNS], COLUMNS, MPI_INT, rank + 1, 1, MPI_COMM_WORLD,
                      &request[requests++]);
        MPI_Send_init(&sand[rows * COLUMNS], COLUMNS, MPI_INT, rank + 1, 0, MPI_COMM_WORLD,
                      &request[requests++]);
    }
#line 33 "persistent.c"
}
    int highest = 0;
xmpi_gen_data("sand", (void *)&sand, sizeof *sand, XMPI_GEN_DISTRIBUTED, (long long)(n), 6LL); xmpi_gen_halo("sand", 1LL); xmpi_gen_elements("sand", "i4"); xmpi_gen_data("next", (void *)&next, sizeof *next, XMPI_GEN_DISTRIBUTED, (long long)(n), 6LL); xmpi_gen_halo("next", 1LL); xmpi_gen_elements("next", "i4"); xmpi_gen_live("persistent.c:34:highest", &highest, sizeof highest); xmpi_gen_elements("persistent.c:34:highest", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("persistent.c:36", 0);
    for (int k = 0; 
#line 36 "persistent.c"
xmpi_gen_joining() || (
#line 36 "persistent.c"
                    k < 40
#line 36 "persistent.c"
)
#line 36 "persistent.c"
                          ; k++) {
#line 36 "persistent.c"
xmpi_gen_live("persistent.c:36:k", &k, sizeof k); xmpi_gen_elements("persistent.c:36:k", "i4"); if (xmpi_gen_point()) { requests = 0;
#line 24 "persistent.c"
    if (rank > 0) {
        MPI_Recv_init(&sand[0], COLUMNS, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &request[requests++]);
        MPI_Send_init(&sand[COLUMNS], COLUMNS, MPI_INT, rank - 1, 1, MPI_COMM_WORLD, &request[requests++]);
    }
#line 28 "persistent.c"
    if (rank < size - 1) {
        MPI_Recv_init(&sand[(rows + 1) * COLUMNS], COLUMNS, MPI_INT, rank + 1, 1, MPI_COMM_WORLD,
                      &request[requests++]);
        MPI_Send_init(&sand[rows * COLUMNS], COLUMNS, MPI_INT, rank + 1, 0, MPI_COMM_WORLD,
                      &request[requests++]);
    }
#line 36 "persistent.c"
}
        int own = 0, all;
        for (int r = 0; r < requests; r++)
            MPI_Start(&request[r]);
        MPI_Waitall(requests, request, status);
        for (int i = COLUMNS; i < (rows + 1) * COLUMNS; i++)
            next[i] = sand[i] + (sand[i - COLUMNS] > sand[i] + 1) - (sand[i] > sand[i + COLUMNS] + 1);
        for (int i = COLUMNS; i < (rows + 1) * COLUMNS; i++) {
            sand[i] = next[i];
            own = own > sand[i] ? own : sand[i];
        }
        MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        highest = (highest * 5 + all) % 10007;
    }
#line 49 "persistent.c"
xmpi_gen_loop_end();
    for (int r = 0; r < requests; r++)
        MPI_Request_free(&request[r]);
    if (rank == 0)
        printf("result %d\n", highest);
    free(sand);
    free(next);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"persistent.c:36\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Start\",\"MPI_Waitall\"],\"line\":38},\"line\":36,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":47},\"line\":41,\"repeated\":0,\"stages\":[{\"line\":41,\"loop\":true,\"reads\":[\"sand\"],\"writes\":[\"next\"]},{\"line\":43,\"loop\":true,\"reads\":[\"next\",\"sand\"],\"writes\":[\"sand\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
