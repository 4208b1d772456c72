#include <xmpi_gen.h>
static long long xmpi_count, xmpi_displ;
#line 1 "braces.c"
/* A ring of cells: what a rank has of its own is in arrays that begin in braces, and in declarations of
 * several names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double warm(double t)
{
    return 0.9 * t + 1;
}

static double cool(double t)
{
    return 0.8 * t;
}

int main(int argc, char **argv)
{
    int rank, size, n = 60;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 22 "braces.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 23 "braces.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    const int block[] = {rank * n / size, (rank + 1) * n / size - rank * n / size};
    int first = block[0], count = block[1];
    int days = 0, before = (rank + size - 1) % size, behind = (rank + 1) % size;
    int nb[2] 
#line 27 "braces.c"
; if (xmpi_gen_initial()) { __builtin_memcpy(nb, (int[2])
#line 27 "braces.c"
                {MPI_PROC_NULL, MPI_PROC_NULL}
#line 27 "braces.c"
, sizeof nb)
#line 27 "braces.c"
                                              ;
#line 27 "braces.c"
} else { __builtin_memset(&nb, 0, sizeof nb); }
if (xmpi_gen_initial()) {
#line 28 "braces.c"
    if (rank > 0)
        nb[0] = rank - 1;
#line 29 "braces.c"
}
if (xmpi_gen_initial()) {
#line 30 "braces.c"
    if (rank + 1 < size)
        nb[1] = rank + 1;
#line 31 "braces.c"
}
    int whole[1] = {n}; 
#line 32 "braces.c"
int
#line 32 "braces.c"
                        part[1] 
#line 32 "braces.c"
; if (xmpi_gen_initial()) { __builtin_memcpy(part, (int[1])
#line 32 "braces.c"
                                  {count}
#line 32 "braces.c"
, sizeof part)
#line 32 "braces.c"
                                         ;
#line 32 "braces.c"
} else { __builtin_memset(&part, 0, sizeof part); }
#line 32 "braces.c"
                                           
#line 32 "braces.c"
int
#line 32 "braces.c"
                                           start[1] 
#line 32 "braces.c"
; if (xmpi_gen_initial()) { __builtin_memcpy(start, (int[1])
#line 32 "braces.c"
                                                      {first}
#line 32 "braces.c"
, sizeof start)
#line 32 "braces.c"
                                                             ;
#line 32 "braces.c"
} else { __builtin_memset(&start, 0, sizeof start); }
    MPI_Datatype slice;
if (xmpi_gen_initial()) {
#line 34 "braces.c"
    MPI_Type_create_subarray(1, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &slice);
#line 34 "braces.c"
} else { slice = 0; }
if (xmpi_gen_initial()) {
#line 35 "braces.c"
    MPI_Type_commit(&slice);
#line 35 "braces.c"
}
    char where[8] 
#line 36 "braces.c"
; if (xmpi_gen_initial()) { __builtin_memcpy(where, (char[8]){
#line 36 "braces.c"
                    "middle"
#line 36 "braces.c"
}, sizeof where)
#line 36 "braces.c"
                            ;
#line 36 "braces.c"
} else { __builtin_memset(&where, 0, sizeof where); }
if (xmpi_gen_initial()) {
#line 37 "braces.c"
    if (rank == 0)
        strcpy(where, "begin");
    else if (rank == size - 1)
        strcpy(where, "end");
#line 40 "braces.c"
}
    int mask[4] 
#line 41 "braces.c"
; if (xmpi_gen_initial()) { __builtin_memcpy(mask, (int[4])
#line 41 "braces.c"
                  {0}
#line 41 "braces.c"
, sizeof mask)
#line 41 "braces.c"
                     ;
#line 41 "braces.c"
} else { __builtin_memset(&mask, 0, sizeof mask); }
if (xmpi_gen_initial()) {
#line 42 "braces.c"
    mask[rank % 4] = 1;
#line 42 "braces.c"
}
    double (*change)(double) 
#line 43 "braces.c"
; if (xmpi_gen_initial()) { change
#line 43 "braces.c"
                             = rank % 2 == 0 ? warm : cool;
#line 43 "braces.c"
} else { change = 0; }
#line 43 "braces.c"
                                                            
#line 43 "braces.c"
double
#line 43 "braces.c"
                                                            *u = calloc((size_t)count, sizeof *u);
double
#line 44 "braces.c"
           *v; 
#line 44 "braces.c"
double
#line 44 "braces.c"
               sum = 0;
if (xmpi_gen_initial()) {
#line 45 "braces.c"
    for (int i = 0; i < count; i++)
        u[i] = (first + i) % 7;
#line 46 "braces.c"
}

    int ends[2] 
#line 48 "braces.c"
; if (xmpi_gen_initial()) { __builtin_memcpy(ends, (int[2])
#line 48 "braces.c"
                  {first, first + count - 1}
#line 48 "braces.c"
, sizeof ends)
#line 48 "braces.c"
                                            ;
#line 48 "braces.c"
} else { __builtin_memset(&ends, 0, sizeof ends); }
#line 48 "braces.c"
                                              
#line 48 "braces.c"
int
#line 48 "braces.c"
                                              length 
#line 48 "braces.c"
; if (xmpi_gen_initial()) { length
#line 48 "braces.c"
                                                     = count;
#line 48 "braces.c"
} else { length = 0; } xmpi_displ = (long long)first; xmpi_count = (long long)count; xmpi_gen_domain((long long)(n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &first, sizeof first); xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count); xmpi_gen_refresh(XMPI_GEN_COUNT, &length, sizeof length); xmpi_gen_refresh(XMPI_GEN_COUNT, &xmpi_count, sizeof xmpi_count); xmpi_gen_refresh(XMPI_GEN_DISPL, &xmpi_displ, sizeof xmpi_displ);
#line 48 "braces.c"
                                                              
#line 48 "braces.c"
int
#line 48 "braces.c"
                                                              odd;
    int wrong = 0;
{ extern char xmpi_wrap_strcmp[] __asm__("__wrap_strcmp") __attribute__((weak)), xmpi_replaced_strcmp[] __attribute__((weak)); xmpi_gen_library("braces.c:55", "strcmp", xmpi_wrap_strcmp, xmpi_replaced_strcmp); } xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("braces.c:44:sum", &sum, sizeof sum); xmpi_gen_elements("braces.c:44:sum", "f8"); xmpi_gen_live("braces.c:49:wrong", &wrong, sizeof wrong); xmpi_gen_elements("braces.c:49:wrong", "i4"); xmpi_gen_live("braces.c:26:days", &days, sizeof days); xmpi_gen_elements("braces.c:26:days", "i4"); xmpi_gen_live("braces.c:32:whole", &whole, sizeof whole); xmpi_gen_elements("braces.c:32:whole", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(40LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_least(1); xmpi_gen_loop_begin("braces.c:51", 0);
    for (int k = 0; 
#line 51 "braces.c"
xmpi_gen_joining() || (
#line 51 "braces.c"
                    k < 40
#line 51 "braces.c"
)
#line 51 "braces.c"
                          ; k++) {
#line 51 "braces.c"
xmpi_gen_live("braces.c:51:k", &k, sizeof k); xmpi_gen_elements("braces.c:51:k", "i4"); if (xmpi_gen_point()) {
#line 26 "braces.c"
                  before = (rank + size - 1) % size;
#line 26 "braces.c"
                                                     behind = (rank + 1) % size;
#line 27 "braces.c"
        __builtin_memcpy(nb, (int[2]) {MPI_PROC_NULL, MPI_PROC_NULL}, sizeof nb);
#line 28 "braces.c"
    if (rank > 0)
        nb[0] = rank - 1;
#line 30 "braces.c"
    if (rank + 1 < size)
        nb[1] = rank + 1;
#line 32 "braces.c"
                        __builtin_memcpy(part, (int[1]) {count}, sizeof part);
#line 32 "braces.c"
                                           __builtin_memcpy(start, (int[1]) {first}, sizeof start);
#line 34 "braces.c"
    MPI_Type_create_subarray(1, whole, part, start, MPI_ORDER_C, MPI_DOUBLE, &slice);
#line 35 "braces.c"
    MPI_Type_commit(&slice);
#line 36 "braces.c"
         __builtin_memcpy(where, (char[8]){ "middle"}, sizeof where);
#line 37 "braces.c"
    if (rank == 0)
        strcpy(where, "begin");
    else if (rank == size - 1)
        strcpy(where, "end");
#line 41 "braces.c"
        __builtin_memcpy(mask, (int[4]) {0}, sizeof mask);
#line 42 "braces.c"
    mask[rank % 4] = 1;
#line 43 "braces.c"
             change          = rank % 2 == 0 ? warm : cool;
#line 48 "braces.c"
        __builtin_memcpy(ends, (int[2]) {first, first + count - 1}, sizeof ends);
#line 48 "braces.c"
                                              length = count;
length = (int)(xmpi_count);
#line 51 "braces.c"
}
        odd = (nb[0] < 0) != (rank == 0) || (nb[1] < 0) != (rank == size - 1) ||
              ends[0] != first || ends[1] != first + length - 1 || !mask[rank % 4] ||
              mask[(rank + 1) % 4] || change != (rank % 2 == 0 ? warm : cool) ||
              strcmp(where, rank == 0 ? "begin" : rank == size - 1 ? "end" : "middle") != 0;
        int bytes;
        MPI_Type_size(slice, &bytes);
        odd = odd || bytes != count * (int)sizeof *u;
        double left;
        MPI_Sendrecv(&u[count - 1], 1, MPI_DOUBLE, behind, 0, &left, 1, MPI_DOUBLE, before, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        v = u;
        double own = 0;
        for (int i = count - 1; i >= 0; i--) {
            v[i] = 0.5 * (v[i] + (i > 0 ? v[i - 1] : left));
            own += v[i] * (first + i);
        }
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        int all;
        MPI_Allreduce(&odd, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        wrong += all;
        days++;
    }
#line 73 "braces.c"
xmpi_gen_loop_end();
    if (rank == 0)
        printf("result %.9g after %d days, wrong %d\n", sum, days, wrong);
    MPI_Type_free(&slice);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"braces.c:51\",\"sections\":[{\"event\":{\"arrays\":[\"u\"],\"calls\":[\"MPI_Sendrecv\"],\"line\":60},\"line\":52,\"repeated\":0,\"stages\":[{\"line\":52,\"loop\":true,\"reads\":[\"nb\",\"ends\",\"mask\",\"where\"],\"writes\":[]},{\"line\":58,\"loop\":false,\"reads\":[\"u\"],\"writes\":[]}],\"tiled\":false},{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":68},\"line\":64,\"repeated\":0,\"stages\":[{\"line\":64,\"loop\":true,\"reads\":[\"v\"],\"writes\":[\"v\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
