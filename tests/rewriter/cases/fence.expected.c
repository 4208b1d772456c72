#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "fence.c"
/* Posts of a fence lean on their neighbours; at its ends stand walls, whose places are in the variables that
 * receive those of the neighbours elsewhere. The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, n = 31, most = 500;
    long left = 40, right = -25, tilt = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 12 "fence.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 13 "fence.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int begin = rank * n / size, end = (rank + 1) * n / size;
#line 14 "fence.c"
xmpi_displ = (long long)begin; xmpi_count = (long long)end - (long long)begin; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ); xmpi_gen_refresh(XMPI_GEN_DISPL, &begin, sizeof begin);
    int before = begin > 0 ? rank - 1 : MPI_PROC_NULL, behind = end < n ? rank + 1 : MPI_PROC_NULL;
    long *post = malloc((size_t)(end - begin) * sizeof *post);
if (xmpi_gen_initial()) {
#line 17 "fence.c"
    for (int i = begin; i < end; i++)
        post[i - begin] = i * i % 23 * 10;
#line 18 "fence.c"
}
xmpi_gen_data("post", (void *)&post, sizeof *post, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("post", "i8"); xmpi_gen_live("fence.c:10:tilt", &tilt, sizeof tilt); xmpi_gen_elements("fence.c:10:tilt", "i8"); xmpi_gen_live("fence.c:9:most", &most, sizeof most); xmpi_gen_elements("fence.c:9:most", "i4"); xmpi_gen_live("fence.c:10:left", &left, sizeof left); xmpi_gen_elements("fence.c:10:left", "~ i8"); xmpi_gen_live("fence.c:10:right", &right, sizeof right); xmpi_gen_elements("fence.c:10:right", "~ i8"); xmpi_gen_live("fence.c:9:n", &n, sizeof n); xmpi_gen_elements("fence.c:9:n", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("fence.c:20", 0);
    for (int t = 0; 
#line 20 "fence.c"
xmpi_gen_joining() || (
#line 20 "fence.c"
                    t < 40 && tilt < most * 100
#line 20 "fence.c"
)
#line 20 "fence.c"
                                               ; t++) {
#line 20 "fence.c"
xmpi_gen_live("fence.c:20:t", &t, sizeof t); xmpi_gen_elements("fence.c:20:t", "i4"); if (xmpi_gen_point()) { end = (int)(xmpi_displ + xmpi_count); left = 40; right = -25;
#line 15 "fence.c"
        before = begin > 0 ? rank - 1 : MPI_PROC_NULL;
#line 15 "fence.c"
                                                       behind = end < n ? rank + 1 : MPI_PROC_NULL;
#line 20 "fence.c"
}
        MPI_Sendrecv(&post[end - begin - 1], 1, MPI_LONG, behind, 0, &left, 1, MPI_LONG, before, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&post[0], 1, MPI_LONG, before, 1, &right, 1, MPI_LONG, behind, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        long last = left, own = 0;
        for (int i = 0; i < end - begin; i++) {
            long next = i + 1 < end - begin ? post[i + 1] : right, here = post[i];
            post[i] = (last + 2 * here + next) / 4 + (begin + i) % 3;
            own += post[i] * (begin + i + 1);
            last = here;
        }
        MPI_Allreduce(&own, &tilt, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
#line 33 "fence.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %ld\n", tilt);
    free(post);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"fence.c:20\",\"sections\":[{\"event\":{\"arrays\":[\"post\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":21},\"line\":20,\"repeated\":0,\"stages\":[],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":32},\"line\":26,\"repeated\":0,\"stages\":[{\"line\":26,\"loop\":true,\"reads\":[\"post\"],\"writes\":[\"post\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
