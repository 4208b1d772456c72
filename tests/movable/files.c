/* SPDX-License-Identifier: BSD-3-Clause
 * Every rank reads a file line by line, writes another, and holds pointers to standard streams. It
 * reads a short file again and again, too, whose end it asks for in the iteration after, and puts
 * characters back that are not those of the file. */
#include "point.h"

static FILE *log_to;

static int next_of(FILE *few, int step)
{
    int ended = feof(few), failed = ferror(few);
    if (ended)
        rewind(few);
    if (failed)
        clearerr(few);
    int c = fgetc(few);
    if (step % 3 == 1)
        ungetc('x', few);
    if (step % 6 == 1)
        ungetc('y', few);
    if (step % 11 == 10)
        fputc('z', few); /* it is open for reading */
    return c + 300 * ended + 600 * failed;
}

int main(int argc, char **argv)
{
    int rank, n = atoi(argv[1]);
    char name[64], *line = NULL;
    size_t room = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    log_to = stdout;
    snprintf(name, sizeof name, "in.%d", rank);
    FILE *made = fopen(name, "w");
    for (int i = 0; i < n; i++)
        fprintf(made, "%d %g\n", i * (rank + 1), 1.0 / (i + 1));
    fclose(made);
    FILE *in = fopen(name, "r");
    snprintf(name, sizeof name, "few.%d", rank);
    made = fopen(name, "w");
    fputs("12345", made);
    fclose(made);
    FILE *few = fopen(name, "r");
    snprintf(name, sizeof name, "out.%d", rank);
    FILE *out = fopen(name, "w+");
    unsigned long sum = 0;
    for (int step = 0; step < n; step++) {
        int number;
        double value, all;
        XMPI_Point();
        if (step % 2 == 0
                ? getline(&line, &room, in) < 0 || sscanf(line, "%d %lf", &number, &value) != 2
                : fscanf(in, "%d %lf\n", &number, &value) != 2)
            MPI_Abort(MPI_COMM_WORLD, 3);
        MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        fprintf(out, "%d ", number);
        putc('0' + step % 10, out);
        fputs("\n", out);
        sum = mix(mix(sum, all + number), next_of(few, step));
        if (rank == 0 && step % 50 == 0)
            fprintf(log_to, "step %d at %ld\n", step, ftell(out));
    }
    rewind(out);
    for (int c; (c = getc(out)) != EOF;)
        sum = mix(sum, c);
    fclose(out);
    fclose(in);
    fclose(few);
    free(line);
    say("files", sum);
    MPI_Finalize();
    return 0;
}
