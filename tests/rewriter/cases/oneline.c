/* Everything as close together as C allows, and an if around the loop. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int c, char **v) { int r, s, n = 10, k, d; double *a; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &s);
#pragma xmpi domain(n) range(k, d)
k = n / s, d = r * k; a = malloc((size_t)(k + 1) * sizeof *a);
#pragma xmpi data distributed(a[n])
#pragma xmpi initial
for (int i = 0; i <= k; i++) a[i] = i + d; double t = 0; if (n > 5) { double f = 0.5;
#pragma xmpi loop
for (int i = 0; i < 8; i++) for (int j = (t += f, 0); j < k; j++) a[j] *= f; }
if (r == 0) printf("result %.17g\n", t); free(a); MPI_Finalize(); return 0; }
