/* Conjugate gradients on vectors in structs: the same functions work on any of them. */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
struct vec {
    int n;
    double *data;
};
static void vec_alloc(struct vec *v, int n)
{
    v->n = n;
    v->data = calloc((size_t)n, sizeof *v->data);
}
static void vec_free(struct vec *v)
{
    free(v->data);
    v->data = NULL;
}
static void axpy(struct vec *y, double a, const struct vec *x)
{
    for (int i = 0; i < y->n; i++)
        y->data[i] += a * x->data[i];
}
static void xpay(struct vec *y, double a, const struct vec *x)
{
    for (int i = 0; i < y->n; i++)
        y->data[i] = x->data[i] + a * y->data[i];
}
static double dot(const struct vec *x, const struct vec *y)
{
    double s = 0, all;
    for (int i = 0; i < x->n; i++)
        s += x->data[i] * y->data[i];
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, n = 400;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int lo = (int)((long)n * rank / size), cnt = (int)((long)n * (rank + 1) / size) - lo;
    struct vec x, r, p, q, d;
    vec_alloc(&x, cnt);
    vec_alloc(&r, cnt);
    vec_alloc(&p, cnt);
    vec_alloc(&q, cnt);
    vec_alloc(&d, cnt);
    for (int i = 0; i < cnt; i++) {
        d.data[i] = 2 + (lo + i) % 7;
        r.data[i] = p.data[i] = 1 + 0.01 * (lo + i);
    }
    double rr = dot(&r, &r);
#pragma xmpi loop
    for (int k = 0; k < 30; k++) {
        for (int i = 0; i < p.n; i++)
            q.data[i] = d.data[i] * p.data[i];
        double alpha = rr / dot(&p, &q);
        axpy(&x, alpha, &p);
        axpy(&r, -alpha, &q);
        double next = dot(&r, &r);
        xpay(&p, next / (rr + 1e-300), &r);
        rr = next;
    }
    double xx = dot(&x, &x);
    if (rank == 0)
        printf("result %.9g\n", xx);
    vec_free(&x);
    vec_free(&r);
    vec_free(&p);
    vec_free(&q);
    vec_free(&d);
    MPI_Finalize();
    return 0;
}
