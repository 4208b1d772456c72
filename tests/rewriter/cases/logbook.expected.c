#include <xmpi_gen.h>
#line 1 "logbook.c"
/* A rod that cools: rank 0 keeps a log, a history and a picture, and nobody else has them. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, steps;
    char name[16];
} config_t;

static double norm(const double *u, int count)
{
    double own = 0, all;
    for (int i = 0; i < count; i++)
        own += u[i] * u[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* All call it, and all but rank 0 hand it nothing. */
static void note(FILE *log, int rank, int k)
{
    if (rank != 0)
        return;
    fprintf(log, "until %d\n", k);
}

int main(int argc, char **argv)
{
    int rank, size;
    config_t config = {0, 0, ""};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 33 "logbook.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 34 "logbook.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
if (xmpi_gen_initial()) {
#line 35 "logbook.c"
    if (rank == 0) {
        config.n = 64;
        config.steps = 40;
        snprintf(config.name, sizeof config.name, "%s", "rod");
    }
#line 39 "logbook.c"
} xmpi_gen_live("logbook.c:31:config.n", &config.n, sizeof config.n); xmpi_gen_elements("logbook.c:31:config.n", "i4"); xmpi_gen_live("logbook.c:31:config.steps", &config.steps, sizeof config.steps); xmpi_gen_elements("logbook.c:31:config.steps", "i4"); xmpi_gen_live("logbook.c:31:config.name", &config.name, sizeof config.name); xmpi_gen_elements("logbook.c:31:config.name", "16i1");
if (xmpi_gen_initial()) {
#line 40 "logbook.c"
    MPI_Bcast(&config, sizeof config, MPI_BYTE, 0, MPI_COMM_WORLD);
#line 40 "logbook.c"
} xmpi_gen_live("logbook.c:31:config", &config, sizeof config); xmpi_gen_elements("logbook.c:31:config", "2i4 16i1");
    int n = config.n, lo = rank * n / size, m = (rank + 1) * n / size - lo;
#line 41 "logbook.c"
xmpi_gen_domain((long long)(config.n)); xmpi_gen_refresh(XMPI_GEN_DISPL, &lo, sizeof lo); xmpi_gen_refresh(XMPI_GEN_COUNT, &m, sizeof m);
    double *u = malloc((size_t)m * sizeof *u);
if (xmpi_gen_initial()) {
#line 43 "logbook.c"
    for (int i = 0; i < m; i++)
        u[i] = 1 + (lo + i) % 5;
#line 44 "logbook.c"
}
    double r0 
#line 45 "logbook.c"
; if (xmpi_gen_initial()) { r0
#line 45 "logbook.c"
              = norm(u, m);
#line 45 "logbook.c"
} xmpi_gen_live("logbook.c:45:r0", &r0, sizeof r0); xmpi_gen_elements("logbook.c:45:r0", "f8");
    FILE *out = stdout, *log = NULL;
    double *history = NULL, sum = 0, last[4], total = 0;
    const char *name = argc > 1 ? argv[1] : "unnamed";
if (xmpi_gen_initial()) {
#line 49 "logbook.c"
    if (rank == 0) {
        log = tmpfile();
        history = calloc((size_t)config.steps + 1, sizeof *history);
    }
#line 52 "logbook.c"
} else { log = 0; history = 0; }
    int k = 0;
xmpi_gen_root(); xmpi_gen_data("u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, (long long)(config.n), 1); xmpi_gen_elements("u", "f8"); xmpi_gen_live("logbook.c:45:r0", &r0, sizeof r0); xmpi_gen_elements("logbook.c:45:r0", "f8"); xmpi_gen_live("logbook.c:53:k", &k, sizeof k); xmpi_gen_elements("logbook.c:53:k", "i4"); xmpi_gen_live("logbook.c:31:config", &config, sizeof config); xmpi_gen_elements("logbook.c:31:config", "2i4 16i1"); xmpi_gen_live("logbook.c:47:sum", &sum, sizeof sum); xmpi_gen_elements("logbook.c:47:sum", "~ f8"); xmpi_gen_live("logbook.c:47:last", &last, sizeof last); xmpi_gen_elements("logbook.c:47:last", "~ 4f8"); xmpi_gen_live("logbook.c:47:total", &total, sizeof total); xmpi_gen_elements("logbook.c:47:total", "~ f8"); xmpi_gen_repeats(XMPI_GEN_NEVER_REPEATS, "it reads or writes a file: fprintf at logbook.c:68"); xmpi_gen_loop_begin("logbook.c:55", 0);
    while (
#line 55 "logbook.c"
xmpi_gen_joining() || (
#line 55 "logbook.c"
           norm(u, m) > 1e-3 * r0 && k < config.steps
#line 55 "logbook.c"
)
#line 55 "logbook.c"
                                                     ) {
#line 55 "logbook.c"
(void)xmpi_gen_point();
        double own = 0;
        for (int i = 0; i < m; i++) {
            u[i] *= 0.95;
            own += u[i] * (lo + i);
        }
        MPI_Reduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            history[k] = sum;
            last[k % 4] = sum;
            total += sum;
        }
        if (log && k % 5 == 0)
            fprintf(log, "%s %s %d %.9g\n", config.name, name, k, sum);
        if (k % 8 == 0)
            note(log, rank, k);
        if (rank == 0 && k % 20 == 0)
            fprintf(out, "result %s at %d: %.9g\n", config.name, k, sum);
        k++;
    }
#line 74 "logbook.c"
xmpi_gen_loop_end();
    if (rank == 0) {
        double all = 0;
        for (int i = 0; i < k; i++)
            all += history[i];
        rewind(log);
        int lines = 0, c;
        while ((c = getc(log)) != EOF)
            lines += c == '\n';
        printf("result %.9g %.9g %.9g, %d lines, %d steps\n", all, total, last[0] + last[3], lines,
               k);
        fclose(log);
    }
    free(history);
    free(u);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"logbook.c:55\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Reduce\"],\"line\":61},\"line\":57,\"repeated\":0,\"stages\":[{\"line\":57,\"loop\":true,\"reads\":[\"u\"],\"writes\":[\"u\"]}],\"tiled\":false},{\"line\":62,\"repeated\":0,\"stages\":[{\"line\":62,\"loop\":false,\"reads\":[],\"writes\":[\"history\",\"last\"]},{\"line\":67,\"loop\":true,\"reads\":[\"log\",\"name\"],\"writes\":[\"log\"]},{\"line\":69,\"loop\":true,\"passes\":0,\"reads\":[\"log\"],\"writes\":[\"log\"]},{\"line\":71,\"loop\":true,\"reads\":[\"out\"],\"writes\":[\"out\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
