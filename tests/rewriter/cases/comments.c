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
	CHECK(MPI_Comm_rank(WORLD, &rank)); /* a comment
	that goes on */ CHECK(MPI_Comm_size(WORLD, &size));

	/* before */ # pragma  xmpi  initial // after
	/* between */

	half_rows = atoi("8"); CHECK(MPI_Initialized(&size)); CHECK(MPI_Comm_size(WORLD, &size));

#pragma xmpi domain(ROWS) \
             range(count, /* how many */ \
                   displ)
	count = ROWS / size; displ = rank * (2 * half_rows / size);
	v = calloc((size_t)count, sizeof *v);
#ifdef NOT_DEFINED
#pragma xmpi nonsense
#endif
#pragma xmpi data distributed(v[ROWS])
	{
#pragma xmpi initial
		CHECK(MPI_Barrier(WORLD));
		CHECK(MPI_Init != NULL ? MPI_SUCCESS : 1);
	}
	int i = 0;
#pragma xmpi loop
	for (/* nothing */; LIMIT(i); /* i++ here */ i++) /* { */ { /* } */
		if (displ == 0) v[0] += i; /* 
#pragma xmpi loop
		*/
	} /* done */ if (rank == 0) printf("result %.17g %d %s\n", v[0], i, "#pragma xmpi loop");
	free(v);
	CHECK(MPI_Finalize());
	return 0;
}
