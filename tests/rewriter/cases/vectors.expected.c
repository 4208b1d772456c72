#include <xmpi_gen.h>
#line 1 "vectors.c"
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
#line 42 "vectors.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 43 "vectors.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    int lo = (int)((long)n * rank / size), cnt = (int)((long)n * (rank + 1) / size) - lo;
    struct vec x, r, p, q, d;
    vec_alloc(&x, cnt);
    vec_alloc(&r, cnt);
    vec_alloc(&p, cnt);
    vec_alloc(&q, cnt);
    vec_alloc(&d, cnt);
#line 50 "vectors.c"
xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &cnt, sizeof cnt); xmpi_gen_refresh(XMPI_GEN_COUNT, &x.n, sizeof x.n); xmpi_gen_refresh(XMPI_GEN_COUNT, &r.n, sizeof r.n); xmpi_gen_refresh(XMPI_GEN_COUNT, &p.n, sizeof p.n); xmpi_gen_refresh(XMPI_GEN_COUNT, &q.n, sizeof q.n); xmpi_gen_refresh(XMPI_GEN_COUNT, &d.n, sizeof d.n);
if (xmpi_gen_initial()) {
#line 51 "vectors.c"
    for (int i = 0; i < cnt; i++) {
        d.data[i] = 2 + (lo + i) % 7;
        r.data[i] = p.data[i] = 1 + 0.01 * (lo + i);
    }
#line 54 "vectors.c"
}
    double rr 
#line 55 "vectors.c"
; if (xmpi_gen_initial()) { rr
#line 55 "vectors.c"
              = dot(&r, &r);
#line 55 "vectors.c"
} xmpi_gen_live("vectors.c:55:rr", &rr, sizeof rr); xmpi_gen_elements("vectors.c:55:rr", "f8");
xmpi_gen_data("d.data", (void *)&d.data, sizeof *d.data, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("d.data", "f8"); xmpi_gen_data("p.data", (void *)&p.data, sizeof *p.data, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("p.data", "f8"); xmpi_gen_data("q.data", (void *)&q.data, sizeof *q.data, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("q.data", "f8"); xmpi_gen_data("r.data", (void *)&r.data, sizeof *r.data, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("r.data", "f8"); xmpi_gen_data("x.data", (void *)&x.data, sizeof *x.data, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("x.data", "f8"); xmpi_gen_constant("d.data"); xmpi_gen_live("vectors.c:55:rr", &rr, sizeof rr); xmpi_gen_elements("vectors.c:55:rr", "f8"); if (xmpi_gen_initial()) xmpi_gen_bound(30LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("vectors.c:57", 0);
    for (int k = 0; 
#line 57 "vectors.c"
xmpi_gen_joining() || (
#line 57 "vectors.c"
                    k < 30
#line 57 "vectors.c"
)
#line 57 "vectors.c"
                          ; k++) {
#line 57 "vectors.c"
xmpi_gen_live("vectors.c:57:k", &k, sizeof k); xmpi_gen_elements("vectors.c:57:k", "i4"); (void)xmpi_gen_point();
        for (int i = 0; i < p.n; i++)
            q.data[i] = d.data[i] * p.data[i];
        double alpha = rr / dot(&p, &q);
        axpy(&x, alpha, &p);
        axpy(&r, -alpha, &q);
        double next = dot(&r, &r);
        xpay(&p, next / (rr + 1e-300), &r);
        rr = next;
    }
#line 66 "vectors.c"
xmpi_gen_loop_end();
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
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"vectors.c:57\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":35},\"line\":58,\"repeated\":0,\"stages\":[{\"line\":58,\"loop\":true,\"reads\":[\"d.data\",\"p.data\"],\"writes\":[\"q.data\"]},{\"line\":33,\"loop\":true,\"reads\":[\"x.data\",\"r.data\",\"p.data\",\"q.data\"],\"writes\":[]}],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":35},\"line\":61,\"repeated\":0,\"stages\":[{\"line\":61,\"loop\":true,\"reads\":[\"p.data\",\"q.data\",\"x.data\",\"r.data\"],\"writes\":[\"x.data\",\"r.data\"]},{\"line\":62,\"loop\":true,\"reads\":[\"p.data\",\"q.data\",\"x.data\",\"r.data\"],\"writes\":[\"x.data\",\"r.data\"]},{\"line\":33,\"loop\":true,\"reads\":[\"x.data\",\"r.data\",\"p.data\",\"q.data\"],\"writes\":[]}],\"tiled\":false},{\"line\":64,\"repeated\":0,\"stages\":[{\"line\":64,\"loop\":true,\"reads\":[\"r.data\",\"p.data\"],\"writes\":[\"p.data\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
