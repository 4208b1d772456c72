/* Warnings of the host compiler beside everything that the rewriter inserts. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, count, displ; double *A;
	MPI_Init(&argc, &argv); { short before = argc; }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); { short a1 = rank; } MPI_Comm_size(MPI_COMM_WORLD, &size); { char a2 = size; }
#pragma xmpi initial
    int n = atol("7");
    { short a3 = n; }
#pragma xmpi initial
    n = atol("7"); { short a3 = n; }
#pragma xmpi domain(n) range(count, displ)
    count = displ = 3L * n; { short a4 = count; }
    A = malloc((size_t)count * sizeof *A); { short a5 = count; }
#pragma xmpi data distributed(A[n])
    { short a6 = displ; }
#pragma xmpi setup
	int left = atol("3"); { short a7 = left; }
#pragma xmpi setup
    { short a8 = left; } { short a9 = left; }
#pragma xmpi loop
	for (short i = n; i < (unsigned)n; i += atol("1")) { short b1 = n; if (n > 99) return atol("1"); { short b2 = n; }
        for (int r = 0; r < count; r++) { A[r] = left; { float b3 = A[r]; } if (A[r] > 1) return 1; } { short b4 = n; }
    } { short c1 = n; } { short c2 = n; }
    { short c3 = n; }
    return atol("0");
}
