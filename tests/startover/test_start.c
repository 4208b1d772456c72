/* SPDX-License-Identifier: BSD-3-Clause
 * What the start comes to again: what is believed when a program is compiled, and what the runtime
 * sees to. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "support/shell.h"

/* --- what is believed ---------------------------------------------------------------------------
 */

/* What xmpicc says of start.c with LINE in its start, malloc. */
static char *compile_with(const char *line)
{
    char *path = formatted("%s/tests/startover/start.c", source_dir());
    char *text = read_file(path, NULL), *file = formatted("%s/start.c", dir), *whole = NULL;
    static const char mark[] = "/* START */";
    char *at = text != NULL ? strstr(text, mark) : NULL;
    assert_non_null(at);
    assert_true(asprintf(&whole, "%.*s%s%s", (int)(at - text), text, line, at + strlen(mark)) > 0);
    write_file(file, whole);
    free(whole);
    free(file);
    free(text);
    free(path);
    return sh("'%s/bin/xmpicc' -w -I'%s/tests/startover' -c start.c 2>&1", build_dir(),
              source_dir());
}

static void what_comes_to_the_same_is_believed(void **state)
{
    static const char *const lines[] = {
        "int c; while ((c = getopt(argc, argv, \"w:\")) != -1) if (c == 'w') w = atof(optarg);",
        "FILE *f = fopen(\"in\", \"r\"); if (f != NULL) { if (fscanf(f, \"%lf\", &w) != 1) "
        "MPI_Abort(MPI_COMM_WORLD, 1); fclose(f); }",
        "if (rank == 0) { FILE *f = fopen(\"in\", \"r\"); if (fscanf(f, \"%lf\", &w) != 1) "
        "MPI_Abort(MPI_COMM_WORLD, 1); fclose(f); } MPI_Bcast(&w, 1, MPI_DOUBLE, 0, "
        "MPI_COMM_WORLD);",
        "int fd = open(\"in\", O_RDONLY); if (read(fd, table, sizeof table) < 8) w = 0.5; "
        "close(fd);",
        "setenv(\"A\", \"2\", 1); if (getenv(\"A\") != NULL) w = atof(getenv(\"A\"));",
        "srand(5); for (int i = 0; i < 8; i++) table[i] = rand() / 1e9;",
        "srand48(7); for (int i = 0; i < n; i++) table[i % 8] += drand48();",
        "time_t now = time(NULL); char host[64]; gethostname(host, 64); if (rank == 0) printf(\"%s "
        "on %s\\n\", ctime(&now), host);",
        "double t0 = MPI_Wtime(); if (rank == 0) printf(\"%g\\n\", MPI_Wtime() - t0);",
        "char node[MPI_MAX_PROCESSOR_NAME]; int l; MPI_Get_processor_name(node, &l); printf(\"rank "
        "%d on %s\\n\", rank, node);",
        "char line[99], *word; if (rank == 0) { FILE *f = fopen(\"in\", \"r\"); while (fgets(line, "
        "99, f)) { word = strtok(line, \" \"); if (word && !strcmp(word, \"w\")) w = "
        "atof(strtok(NULL, \" \")); } fclose(f); } MPI_Bcast(&w, 1, MPI_DOUBLE, 0, "
        "MPI_COMM_WORLD);",
        "MPI_File fh; MPI_File_open(MPI_COMM_WORLD, \"in\", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh); "
        "if (rank == 0) MPI_File_read(fh, &w, 1, MPI_DOUBLE, MPI_STATUS_IGNORE); "
        "MPI_File_close(&fh); MPI_Bcast(&w, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
        "FILE *log = fopen(\"log\", \"w\"); fprintf(log, \"begin %ld\\n\", (long)time(NULL)); "
        "fclose(log);",
        "if (rank == 0) { FILE *f = fopen(\"in\", \"r\"); if (f == NULL) MPI_Abort(MPI_COMM_WORLD, "
        "1); int m; if (fscanf(f, \"%d\", &m) != 1) m = 0; for (int i = 0; i < m && i < 8; i++) "
        "fscanf(f, \"%lf\", &table[i]); fclose(f); } MPI_Bcast(table, 8, MPI_DOUBLE, 0, "
        "MPI_COMM_WORLD);",
        "if (rank == 0) { srand(3); for (int i = 0; i < 8; i++) table[i] = rand() / 1e9; } "
        "MPI_Bcast(table, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
        "FILE *f = fopen(\"in\", \"r\"); for (int i = 0; i < 8; i++) fscanf(f, \"%lf\", "
        "&table[i]); fclose(f); f = fopen(\"rows\", \"r\"); fseek(f, 8 * first, SEEK_SET); "
        "fread(&own_row, 8, 1, f); fclose(f); f = fopen(\"in\", \"r\"); fscanf(f, \"%lf\", &w); "
        "fclose(f);",
        "char *line = NULL; size_t len = 0; FILE *f = fopen(\"in\", \"r\"); while (getline(&line, "
        "&len, f) > 0) if (line[0] == 'w') w = atof(line + 1); free(line); fclose(f);",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *said = compile_with(lines[i]);
        if (strstr(said, "remark: resizable, not divisible") == NULL)
            fail_msg("%s: %s", lines[i], said);
        free(said);
    }
}

/* What is said of it where that is the start. */
static void what_may_come_to_something_else_is_not(void **state)
{
    static const struct {
        const char *line, *said;
    } wrong[] = {
        {"double t = MPI_Wtime(); if (rank == 0) MPI_Send(&t, 1, MPI_DOUBLE, size - 1, 5, "
         "MPI_COMM_WORLD); if (rank == size - 1) MPI_Recv(&w, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, "
         "MPI_STATUS_IGNORE); MPI_Bcast(&w, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD);",
         ""},
        {"FILE *log = NULL; if (time(NULL) > 5) log = fopen(\"log\", \"w\"); if (log != NULL) w = "
         "2;",
         "calls 'time'"},
        {"char name[64]; sprintf(name, \"log.%ld\", (long)time(NULL)); FILE *f = fopen(name, "
         "\"r\"); "
         "if (f != NULL) fclose(f);",
         "calls 'time'"},
        {"double t = MPI_Wtime(); MPI_Allreduce(&t, &w, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);",
         ""},
        {"srand(time(NULL)); w = rand() / 1e9;", "calls 'time'"},
        {"srand(5 + rank); w = rand() / 1e9;", "calls 'srand'"},
        {"srand(size); w = rand() / 1e9;", "calls 'srand'"},
        {"if (rank > 0) rand(); w = rand() / 1e9;", "calls 'rand'"},
        {"for (int i = 0; i < size; i++) w = rand() / 1e9;", "calls 'rand'"},
        {"for (int i = 0; i < count; i++) table[i % 8] = rand() / 1e9;", ""},
        {"w = time(NULL) % 7;", "calls 'time'"},
        {"double t = MPI_Wtime(), *p = &t; w = *p;", "calls 'MPI_Wtime'"},
        {"double t = MPI_Wtime(); double *q = &w; *q = t;", "calls 'MPI_Wtime'"},
        {"if (MPI_Wtime() > 1e3) w = 2;", "calls 'MPI_Wtime'"},
        {"double t = MPI_Wtime(); while (MPI_Wtime() - t < 1) w += 1;", "calls 'MPI_Wtime'"},
        {"char line[99]; if (fgets(line, 99, stdin) != NULL) w = atof(line);", "calls 'fgets'"},
        {"FILE *f = fopen(\"in\", \"r\"); fseek(f, 8 * first, SEEK_SET); if (fread(&w, 8, 1, f) != "
         "1) w = 3; fclose(f);",
         "follows 'fread'"},
        {"FILE *f = popen(\"date\", \"r\"); if (fscanf(f, \"%lf\", &w) != 1) w = 3; pclose(f);",
         "calls 'popen'"},
        {"w = getpid() % 3;", ""},
        {"struct stat s; if (stat(\"in\", &s) == 0) w = s.st_size;", "calls 'stat'"},
        {"char name[32]; sprintf(name, \"in.%d\", rank); FILE *f = fopen(name, \"r\"); if "
         "(fscanf(f, \"%lf\", &w) != 1) w = 3; fclose(f);",
         "follows 'fscanf'"},
        {"if (rank == size - 1) { FILE *f = fopen(\"in\", \"r\"); if (fscanf(f, \"%lf\", &w) != 1) "
         "w = 3; fclose(f); }",
         "follows 'rank'"},
        {"MPI_File fh; MPI_File_open(MPI_COMM_WORLD, \"in\", MPI_MODE_RDWR, MPI_INFO_NULL, &fh); "
         "if (rank == 0) MPI_File_read(fh, &w, 1, MPI_DOUBLE, MPI_STATUS_IGNORE); "
         "MPI_File_close(&fh); MPI_Bcast(&w, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
         "calls 'MPI_File_open'"},
        {"int fd = open(\"in\", O_RDWR | O_CREAT, 0644); if (read(fd, table, sizeof table) < 8) w "
         "= 0.5; close(fd);",
         "calls 'open'"},
        {"MPI_File fh; MPI_File_open(MPI_COMM_WORLD, \"in\", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh); "
         "MPI_File_read_at(fh, 8 * first, &w, 1, MPI_DOUBLE, MPI_STATUS_IGNORE); "
         "MPI_File_close(&fh);",
         "follows 'MPI_File_read_at'"},
        {"FILE *f = fopen(\"in\", \"r\"); for (int i = 0; i <= first; i++) if (fscanf(f, \"%lf\", "
         "&w) != 1) w = 3; fclose(f);",
         "follows 'fscanf'"},
        {"FILE *f = fopen(\"in\", \"r\"); for (int i = 0; i < first; i++) fgetc(f); if (fscanf(f, "
         "\"%lf\", &w) != 1) w = 3; fclose(f);",
         "follows 'fscanf'"},
        {"int fd = open(\"in\", O_RDONLY); lseek(fd, first, SEEK_SET); if (read(fd, table, sizeof "
         "table) < 8) w = 0.5; close(fd);",
         ""},
        {"int fd = open(\"in\", O_RDONLY); if (pread(fd, table, sizeof table, 8 * first) < 8) w = "
         "0.5; close(fd);",
         "follows 'pread'"},
        {"char host[64]; gethostname(host, 64); w = host[0];", ""},
        {"char host[64]; gethostname(host, 64); if (strcmp(host, \"n0\") == 0) w = 0.4;", ""},
        {"time_t now = time(NULL); struct tm *tm = localtime(&now); table[1] = tm->tm_hour;",
         "calls 'time'"},
        {"mkdir(\"out\", 0755); w = system(\"true\");", "calls 'mkdir'"},
        {"FILE *f = fopen(\"in\", \"r\"); if (rank == 0) fscanf(f, \"%lf\", &table[0]); fscanf(f, "
         "\"%lf\", &w); fclose(f); MPI_Bcast(table, 8, MPI_DOUBLE, 0, MPI_COMM_WORLD);",
         "follows 'fscanf'"},
        {"if (rank == 0) rand(); if (rank == size - 1) w = rand(); MPI_Bcast(&w, 1, MPI_DOUBLE, "
         "size - 1, MPI_COMM_WORLD);",
         "calls 'rand'"},
        {"srand(3); if (rank == 0) rand(); w = rand();", "calls 'srand'"},
        {"FILE *f = fopen(\"in\", \"r\"), *g = f; fseek(g, first, SEEK_SET); fscanf(f, \"%lf\", "
         "&w); fclose(f);",
         "follows 'fscanf'"},
        {"do w = rand(); while ((rank + w) < 3);", "[xmpi-array-shape]"},
        {"FILE *f = fopen(\"in\", \"r\"); int i = 0; do fscanf(f, \"%lf\", &w); while (i++ < "
         "first); fscanf(f, \"%lf\", &w); fclose(f);",
         "follows 'fscanf'"},
        {"FILE *f = fopen(\"in\", \"r\"); for (int i = 0; i < n; i++) { if (i == first) break; "
         "fscanf(f, \"%lf\", &w); } fscanf(f, \"%lf\", &w); fclose(f);",
         "follows 'fscanf'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *said = compile_with(wrong[i].line);
        if (strstr(said, "remark: movable, not divisible") == NULL ||
            strstr(said, wrong[i].said) == NULL)
            fail_msg("%s: %s", wrong[i].line, said);
        free(said);
    }
}

/* --- what the runtime sees to -------------------------------------------------------------------
 */

static void build(void)
{
    free(sh("'%s/bin/xmpicc' -Wall -Wextra -Werror -g -O2 '%s/tests/startover/inputs.c' -o inputs "
            "&& '%s/bin/mpicc' -w -O2 '%s/tests/startover/inputs.c' -o inputs.plain",
            build_dir(), source_dir(), build_dir(), source_dir()));
}

/* Writes what the start reads. */
static void prepare(const char *arguments)
{
    const bool large = strstr(arguments, "large") != NULL;
    free(sh("rm -f restart.txt log.txt; echo 00007 >input.txt; %s",
            large ? "yes line | head -n 300000 >>input.txt" : "true"));
}

/* How many changes there were; SAID (or NULL: nothing) is in what was said of what keeps members.
 */
static int run(const char *arguments, const char *settings, int processes, const char *said)
{
    prepare(arguments);
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./inputs.plain %s", build_dir(), arguments);
    prepare(arguments);
    char *out = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=3 XMPI_TRACE=t %s "
                   "'%s/bin/mpiexec' -n %d ./inputs %s 2>said",
                   settings, build_dir(), processes, arguments);
    char *text = sh("grep 'cannot start over' said || true");
    assert_string_equal(out, plain);
    if (said == NULL ? text[0] != '\0' : strstr(text, said) == NULL)
        fail_msg("%s: %s instead of %s", arguments, text, said != NULL ? said : "nothing");
    free(text);
    free(out);
    free(plain);
    return changes_in_trace();
}

/* In the first iterations members change; from the sixth on, where what has been read is not there
 * any more, they stay. */
static void an_input_that_changes_keeps_the_members(void **state)
{
    (void)state;
    build();
    assert_true(run("file", pool, 5, "input.txt, which has changed since") > 0);
    assert_true(run("file", spawn, 3, "input.txt, which has changed since") > 0);
    assert_true(run("file large", pool, 5, "input.txt, which has changed since") > 0);
    assert_true(run("appears", pool, 5, "restart.txt, which was not there then") > 0);
    assert_true(run("appears", spawn, 3, "restart.txt, which was not there then") > 0);
}

static void what_is_no_file_keeps_the_members(void **state)
{
    (void)state;
    build();
    assert_int_equal(run("device", pool, 5, "/dev/full, which is no file that stays as it is"), 0);
    assert_int_equal(run("kernel", spawn, 3, "/stat, which is no file that stays as it is"), 0);
}

static void what_is_as_it_was_lets_them_change(void **state)
{
    static const char *const modes[] = {"again", "log", "variable", "nowhere", "-ab options"};
    (void)state;
    build();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        assert_true(run(modes[i], pool, 5, NULL) > 15);
        assert_true(run(modes[i], spawn, 3, NULL) > 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_to_the_same_is_believed),
        cmocka_unit_test(what_may_come_to_something_else_is_not),
        cmocka_unit_test(an_input_that_changes_keeps_the_members),
        cmocka_unit_test(what_is_no_file_keeps_the_members),
        cmocka_unit_test(what_is_as_it_was_lets_them_change),
    };
    cmocka_set_test_filter(getenv("TEST"));
    machine_invent();
    return cmocka_run_group_tests(tests, setup, teardown);
}
