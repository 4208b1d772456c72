#include <xmpi_gen.h>
#line 1 "comments.c"
/* Comments, macros, continuation lines and tabs round the pragmas. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
    do {                                                                                           \
        if ((call) != MPI_SUCCESS)                                                                 \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
    } while (0)
#define WORLD MPI_COMM_WORLD
#define ROWS (2 * (half_rows))
#define LIMIT(i) ((i) < 10)

int main(int argc, char **argv)
{
	int rank, size, half_rows, count, displ;
	double *v;

	CHECK(MPI_Init(&argc, &argv));
	CHECK(MPI_Comm_rank(WORLD, &rank));
#line 22 "comments.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
#line 22 "comments.c"
	                                    /* a comment
	that goes on */ CHECK(MPI_Comm_size(WORLD, &size));
#line 23 "comments.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);

	/* before */ if (xmpi_gen_initial()) {
	/* between */

	half_rows = atoi("8");
#line 28 "comments.c"
} xmpi_gen_live("comments.c:18:half_rows", &half_rows, sizeof half_rows); xmpi_gen_elements("comments.c:18:half_rows", "? i4");
#line 28 "comments.c"
	                       CHECK(MPI_Initialized(&size)); CHECK(MPI_Comm_size(WORLD, &size));
#line 28 "comments.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);




	count = ROWS / size;
#line 33 "comments.c"
xmpi_gen_domain((long long)(ROWS)); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
#line 33 "comments.c"
	                     displ = rank * (2 * half_rows / size);
	v = calloc((size_t)count, sizeof *v);
#ifdef NOT_DEFINED
#pragma xmpi nonsense
#endif
xmpi_gen_data("v", (void *)&v, sizeof *v, XMPI_GEN_DISTRIBUTED, (long long)(ROWS), 1); xmpi_gen_elements("v", "f8");
	{
if (xmpi_gen_initial()) {
		CHECK(MPI_Barrier(WORLD));
#line 41 "comments.c"
}
		CHECK(MPI_Init != NULL ? MPI_SUCCESS : 1);
	}
	int i = 0;
xmpi_gen_live("comments.c:44:i", &i, sizeof i); xmpi_gen_elements("comments.c:44:i", "i4"); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("comments.c:46", 0);
	for (/* nothing */; 
#line 46 "comments.c"
xmpi_gen_joining() || (
#line 46 "comments.c"
	                    LIMIT(i)
#line 46 "comments.c"
)
#line 46 "comments.c"
	                            ; /* i++ here */ i++) /* { */ {
#line 46 "comments.c"
(void)xmpi_gen_point();
#line 46 "comments.c"
	                                                            /* } */
		if (displ == 0) v[0] += i; /* 
#pragma xmpi loop
		*/
	}
#line 50 "comments.c"
xmpi_gen_loop_end();
#line 50 "comments.c"
	  /* done */ if (rank == 0) printf("result %.17g %d %s\n", v[0], i, "#pragma xmpi loop");
	free(v);
	CHECK(MPI_Finalize());
	return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"comments.c:46\",\"sections\":[{\"line\":47,\"repeated\":0,\"stages\":[{\"line\":47,\"loop\":false,\"reads\":[\"v\"],\"writes\":[\"v\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
