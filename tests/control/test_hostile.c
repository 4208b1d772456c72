/* SPDX-License-Identifier: BSD-3-Clause
 * A million requests of all bad kinds to a running job: it goes on as if nothing had happened, its
 * result is right, it takes no memory for them, and xmpictl reaches it afterwards. Most are thrown
 * at the socket by callers that never read; 1,000 are answered one by one, with SOAK=N (make soak)
 * 20 N, as the job answers some hundred in a second and no more. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "control/running_job.h"

enum {
    KINDS = 5,
    REQUESTS = 1000000,
    ANSWERED = 1000,
    HELD = 12,
    MEMORY_MAX = 64 /* MiB more */,
    ROOM = 1 << 16
};

/* What comes again and again on one connection, and how many requests it is. */
typedef struct {
    char text[ROOM];
    size_t length;
    int requests;
} flood_t;

static void fill(flood_t *flood, const char *line)
{
    size_t length = strlen(line);
    flood->length = 0;
    flood->requests = 0;
    for (; flood->length + length <= ROOM; flood->requests++) {
        memcpy(flood->text + flood->length, line, length);
        flood->length += length;
    }
}

static void fill_with_garbage(flood_t *flood)
{
    unsigned seed = 1;
    flood->length = ROOM;
    flood->requests = 0;
    for (int i = 0; i < ROOM; i++) {
        bool ends = rand_r(&seed) % 32 == 0;
        flood->text[i] = (char)(ends ? '\n' : rand_r(&seed) % 256);
        flood->requests += ends;
    }
}

/* The path of the only socket in the folder. */
static struct sockaddr_un find_socket(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char pattern[512];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/xmpi/*.sock", dir);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", found.gl_pathv[0]);
    globfree(&found);
    return address;
}

/* A connection that never waits; it is tried until it is had. */
static int connect_to(const struct sockaddr_un *address)
{
    for (;;) {
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
        assert_true(fd >= 0);
        if (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0)
            return fd;
        assert_int_equal(errno, EAGAIN); /* many wait to be accepted */
        close(fd);
        usleep(1000);
    }
}

/* As many of the FLOOD as the socket takes, without reading an answer. How many requests. */
static int pour(int fd, const flood_t *flood)
{
    int requests = 0;
    ssize_t sent;
    while ((sent = send(fd, flood->text, flood->length, MSG_NOSIGNAL)) > 0)
        requests += (int)((double)flood->requests * (double)sent / (double)flood->length);
    return requests;
}

/* Connections that stay: half a line, or a watcher, and nothing is ever read. */
static void hold(const struct sockaddr_un *address, int *held)
{
    for (int i = 0; i < HELD; i++) {
        const char *text = i % 2 == 0 ? "{\"command\":\"sta" : "{\"command\":\"watch\"}\n";
        held[i] = connect_to(address);
        send(held[i], text, strlen(text), MSG_NOSIGNAL);
    }
}

/* Asks and reads, as fast as answers come, garbage and good requests in turns. */
static void ask(const struct sockaddr_un *address, int requests)
{
    static const char *const texts[] = {"{\"command\":\"status\"}\n", "\x01\xff{[\n",
                                        "{\"command\":\"goal\",\"text\":\"never\"}\n"};
    int fd = connect_to(address);
    fcntl(fd, F_SETFL, 0); /* from here on it waits */
    FILE *from = fdopen(fd, "r");
    char *line = NULL;
    size_t room = 0;
    for (int i = 0; i < requests; i++) {
        const char *text = texts[i % 3];
        assert_true(send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
        assert_true(getline(&line, &room, from) > 0);
        cJSON *answer = cJSON_Parse(line);
        assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(answer, "ok")), i % 3 == 0);
        cJSON_Delete(answer);
    }
    free(line);
    fclose(from);
}

static double status_number(const char *name)
{
    command_t command = shell("xmpictl --json status");
    cJSON *status = cJSON_Parse(command.out);
    if (command.status != 0 || !cJSON_IsNumber(cJSON_GetObjectItem(status, name)))
        fail_msg("status %d without %s: %s%s", command.status, name, command.out, command.err);
    double value = cJSON_GetObjectItem(status, name)->valuedouble;
    cJSON_Delete(status);
    command_free(&command);
    return value;
}

/* MiB that process PID has ever had in memory. */
static double memory_of(int pid)
{
    char line[128];
    snprintf(line, sizeof line, "sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/%d/status",
             pid);
    command_t command = shell(line);
    double kib = atof(command.out);
    assert_true(kib > 0);
    command_free(&command);
    return kib / 1024;
}

static void a_million_hostile_requests_disturb_nothing(void **state)
{
    static flood_t floods[KINDS];
    int held[HELD], requests[KINDS] = {0};
    const char *soak = getenv("SOAK");
    (void)state;
    fill(&floods[0], "{\"command\":\"status\"}\n");
    fill(&floods[1], "{\"command\":\"policy\",\"text\":\"no such policy\"}\n");
    fill(&floods[2], "\n");
    fill(&floods[3], "{\"command\":\"grow\",\"processes\":-7,\"class\":[[[[[[[[{}]]]]]]]]}\n");
    fill_with_garbage(&floods[4]);
    job_start("XMPI_POLICY=balance XMPI_IMBALANCE=1", 2);
    int pid = (int)status_number("pid");
    double memory = memory_of(pid), iteration = status_number("iteration");
    struct sockaddr_un address = find_socket();
    hold(&address, held);
    for (int kind = 0; kind < KINDS; kind++)
        while (requests[kind] < REQUESTS / KINDS) {
            int fd = connect_to(&address);
            requests[kind] += pour(fd, &floods[kind]);
            close(fd);
        }
    ask(&address, soak != NULL ? 20 * atoi(soak) : ANSWERED);
    for (int i = 0; i < HELD; i++)
        close(held[i]);
    await("xmpictl status >/dev/null 2>&1");
    assert_int_equal(status_number("pid"), pid);
    assert_true(status_number("iteration") > iteration);
    assert_true(status_number("reconfigurations") < 1);
    assert_true(memory_of(pid) < memory + MEMORY_MAX);
    job_stop();
    command_t command = shell("cat out");
    assert_string_equal(command.out, "right\n"); /* and nothing else: no request was followed */
    command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_million_hostile_requests_disturb_nothing, job_kill_left),
    };
    return cmocka_run_group_tests(tests, job_build, job_clean);
}
