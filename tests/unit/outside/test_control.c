/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the control endpoint: requests, answers, and callers that mean harm. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "control/address.h"
#include "control/endpoint.h"
#include "control/worth.h"
#include "support/command.h"

static char *dir;
static char path[100];
static xmpi_endpoint_t *endpoint;
static xmpi_job_member_t member = {.process = 3, .node = "n\"1", .count = 10, .computation = 0.5};
static xmpi_job_t job;

static int open_it(void **state)
{
    xmpi_error_t error;
    (void)state;
    dir = scratch_make();
    snprintf(path, sizeof path, "%s/job.sock", dir);
    job = (xmpi_job_t){.program = "solver",
                       .policy = "balance",
                       .iteration = 7,
                       .iterations = -1,
                       .members = 1,
                       .member = &member};
    return xmpi_endpoint_open(path, &job, NULL, &endpoint, &error) == XMPI_OK ? 0 : -1;
}

static int close_it(void **state)
{
    (void)state;
    xmpi_endpoint_close(endpoint);
    if (access(path, F_OK) == 0)
        return -1;
    scratch_remove(dir);
    return 0;
}

static int connect_to(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval patience = {.tv_sec = 30};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    strcpy(address.sun_path, path);
    assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    return fd;
}

static void say(int fd, const char *text)
{
    size_t length = strlen(text);
    assert_int_equal(send(fd, text, length, MSG_NOSIGNAL), (ssize_t)length);
}

/* The next line, parsed; NULL when the connection has ended. */
static cJSON *hear(int fd)
{
    static char line[1 << 16];
    size_t length = 0;
    while (length < sizeof line - 1 && recv(fd, line + length, 1, 0) == 1 && line[length] != '\n')
        length++;
    line[length] = '\0';
    return cJSON_Parse(line);
}

static void assert_answer(int fd, const char *request, int ok, const char *error)
{
    say(fd, request);
    cJSON *answer = hear(fd);
    assert_non_null(answer);
    assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItem(answer, "ok")), ok);
    if (error != NULL)
        assert_non_null(strstr(cJSON_GetStringValue(cJSON_GetObjectItem(answer, "error")), error));
    cJSON_Delete(answer);
}

static void status_tells_the_job(void **state)
{
    int fd = connect_to();
    (void)state;
    say(fd, "{\"command\":\"status\"}\n");
    cJSON *answer = hear(fd);
    cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(answer, "members"), 0);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(answer, "program")), "solver");
    assert_int_equal(cJSON_GetObjectItem(answer, "iteration")->valueint, 7);
    assert_null(cJSON_GetObjectItem(answer, "iterations"));
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(first, "node")), "n\"1");
    cJSON_Delete(answer);
    close(fd);
}

static void only_the_user_can_open_it(void **state)
{
    struct stat file;
    (void)state;
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
}

static void folder_of_others_is_refused(void **state)
{
    char folder[XMPI_ADDRESS_MAX];
    xmpi_error_t error;
    (void)state;
    setenv("XDG_RUNTIME_DIR", dir, 1);
    assert_int_equal(xmpi_address_folder(folder, sizeof folder, &error), XMPI_OK);
    chmod(folder, 0755);
    assert_int_equal(xmpi_address_folder(folder, sizeof folder, &error), XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "only its owner"));
    rmdir(folder);
    assert_int_equal(symlink("/tmp", folder), 0);
    assert_int_equal(xmpi_address_folder(folder, sizeof folder, &error), XMPI_ERR_INPUT);
    unlink(folder);
    unsetenv("XDG_RUNTIME_DIR");
}

static void requests_arrive_in_order(void **state)
{
    xmpi_request_t request;
    int fd = connect_to();
    (void)state;
    assert_false(xmpi_endpoint_take(endpoint, &request));
    assert_answer(fd, "{\"command\":\"grow\",\"processes\":3,\"class\":\"C8\"}\n", 1, NULL);
    assert_answer(fd, "{\"command\":\"policy\",\"text\":\"smp\"}\n", 1, NULL);
    assert_true(xmpi_endpoint_take(endpoint, &request));
    assert_int_equal(request.kind, XMPI_REQUEST_GROW);
    assert_int_equal(request.processes, 3);
    assert_string_equal(request.class_name, "C8");
    assert_true(xmpi_endpoint_take(endpoint, &request));
    assert_int_equal(request.kind, XMPI_REQUEST_POLICY);
    assert_string_equal(request.text, "smp");
    assert_false(xmpi_endpoint_take(endpoint, &request));
    close(fd);
}

/* Those that came before are the next leader's, those that come later are not answered here. */
static void requests_are_handed_over(void **state)
{
    xmpi_waiting_t waiting = {0};
    xmpi_request_t request;
    xmpi_endpoint_t *next;
    xmpi_error_t error;
    int first = connect_to(), second = connect_to();
    (void)state;
    assert_answer(first, "{\"command\":\"grow\",\"processes\":3}\n", 1, NULL);
    xmpi_endpoint_hand_over(endpoint, &waiting);
    assert_int_equal(waiting.requests, 1);
    say(second, "{\"command\":\"grow\",\"processes\":4}\n");
    assert_answer(first, "{\"command\":\"status\"}\n", 1, NULL);
    assert_int_equal(xmpi_endpoint_open(path, &job, &waiting, &next, &error), XMPI_OK);
    xmpi_endpoint_close(endpoint);
    assert_null(hear(second));
    endpoint = next;
    assert_true(xmpi_endpoint_take(endpoint, &request));
    assert_int_equal(request.processes, 3);
    assert_int_equal(request.number, 1);
    assert_false(xmpi_endpoint_take(endpoint, &request));
    close(first);
    close(second);
}

/* The change was called off: who has waited is answered after all. */
static void requests_that_waited_are_followed(void **state)
{
    xmpi_waiting_t waiting = {0};
    xmpi_request_t request;
    int fd = connect_to(), gone = connect_to();
    (void)state;
    xmpi_endpoint_hand_over(endpoint, &waiting);
    say(fd, "{\"command\":\"grow\",\"processes\":4}\n{\"command\":\"grow\",\"processes\":5}\n");
    say(gone, "{\"command\":\"grow\",\"processes\":6}\n");
    assert_answer(connect_to(), "{\"command\":\"status\"}\n", 1, NULL);
    close(gone);
    assert_answer(connect_to(), "{\"command\":\"status\"}\n", 1, NULL);
    assert_false(xmpi_endpoint_take(endpoint, &request));
    xmpi_endpoint_go_on(endpoint);
    for (int number = 1; number <= 2; number++) {
        cJSON *answer = hear(fd);
        assert_int_equal(cJSON_GetObjectItem(answer, "request")->valueint, number);
        cJSON_Delete(answer);
        assert_true(xmpi_endpoint_take(endpoint, &request));
        assert_int_equal(request.processes, 3 + number);
    }
    close(fd);
}

static void the_log_tells_what_is_not_known(void **state)
{
    enum { MORE = 6 };
    int fd = connect_to();
    (void)state;
    for (int i = 1; i <= XMPI_LOG_LINES + MORE; i++) {
        xmpi_log_line_t line = {.iteration = i, .request = i % 2, .refused = true};
        snprintf(line.text, sizeof line.text, "line %d", i);
        xmpi_log_say(&job.log, &line);
    }
    xmpi_endpoint_publish(endpoint, &job);
    for (int known = 0; known <= XMPI_LOG_LINES + MORE; known += XMPI_LOG_LINES + MORE - 1) {
        int first = known > MORE ? known + 1 : MORE + 1;
        say(fd, known > 0 ? "{\"command\":\"log\",\"known\":69}\n" : "{\"command\":\"log\"}\n");
        cJSON *answer = hear(fd), *lines = cJSON_GetObjectItem(answer, "lines");
        cJSON *line = cJSON_GetArrayItem(lines, 0);
        char text[20];
        snprintf(text, sizeof text, "line %d", first);
        assert_int_equal(cJSON_GetArraySize(lines), XMPI_LOG_LINES + MORE - first + 1);
        assert_int_equal(cJSON_GetObjectItem(answer, "said")->valueint, XMPI_LOG_LINES + MORE);
        assert_int_equal(cJSON_GetObjectItem(line, "number")->valueint, first);
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(line, "text")), text);
        assert_int_equal(cJSON_HasObjectItem(line, "refused"), first % 2);
        cJSON_Delete(answer);
    }
    assert_answer(fd, "{\"command\":\"log\",\"known\":-1}\n", 0, "number of lines");
    close(fd);
}

static void wrong_requests_are_explained(void **state)
{
    int fd = connect_to();
    xmpi_request_t request;
    (void)state;
    assert_answer(fd, "hello\n", 0, "JSON object");
    assert_answer(fd, "[1,2]\n", 0, "JSON object");
    assert_answer(fd, "\n", 0, "JSON object");
    assert_answer(fd, "{\"command\":\"explode\"}\n", 0, "must be status");
    assert_answer(fd, "{\"command\":7}\n", 0, "must be status");
    assert_answer(fd, "{\"command\":\"grow\"}\n", 0, "whole number");
    assert_answer(fd, "{\"command\":\"grow\",\"processes\":-1}\n", 0, "whole number");
    assert_answer(fd, "{\"command\":\"grow\",\"processes\":1.5}\n", 0, "whole number");
    assert_answer(fd, "{\"command\":\"shrink\",\"processes\":1e300}\n", 0, "whole number");
    assert_answer(fd, "{\"command\":\"policy\",\"text\":[]}\n", 0, "strings");
    assert_false(xmpi_endpoint_take(endpoint, &request));
    close(fd);
}

static void half_lines_are_waited_for(void **state)
{
    int fd = connect_to();
    (void)state;
    say(fd, "{\"comm");
    usleep(20000);
    say(fd, "and\":\"status\"}\n{\"command\":\"status\"}\n{\"command");
    for (int i = 0; i < 2; i++) {
        cJSON *answer = hear(fd);
        assert_non_null(answer);
        cJSON_Delete(answer);
    }
    close(fd); /* in the middle of a line */
}

static void endless_line_ends_the_connection(void **state)
{
    static char text[4 * XMPI_REQUEST_LINE];
    int fd = connect_to(), other = connect_to();
    (void)state;
    memset(text, 'x', sizeof text - 1);
    send(fd, text, sizeof text - 1, MSG_NOSIGNAL);
    cJSON *answer = hear(fd);
    if (answer != NULL) /* the connection may be reset before it is read */
        assert_true(cJSON_IsFalse(cJSON_GetObjectItem(answer, "ok")));
    cJSON_Delete(answer);
    assert_null(hear(fd));
    assert_answer(other, "{\"command\":\"status\"}\n", 1, NULL);
    close(fd);
    close(other);
}

/* What a job says of its members is read as it was; what is anything else is not. */
static void worth_is_told_and_read(void **state)
{
    static const char *const wrong[] = {
        "",
        "[]",
        "{}",
        "no",
        "{\"ok\":true}",
        "{\"members\":2}",
        "{\"members\":0,\"worth\":[]}",
        "{\"members\":1.5,\"worth\":[]}",
        "{\"members\":1,\"worth\":[1]}",
        "{\"members\":1,\"worth\":[{\"members\":1}]}",
        "{\"members\":1,\"worth\":[{\"members\":1,\"seconds\":-1}]}",
        "{\"members\":1,\"worth\":[{\"members\":1,\"seconds\":1e999}]}",
        "{\"members\":1,\"worth\":[{\"members\":2,\"seconds\":1},{\"members\":2,\"seconds\":1}]}"};
    static xmpi_worth_t option[XMPI_WORTHS_MAX];
    const xmpi_worth_t told[] = {{1, 9.5}, {3, 4}};
    xmpi_claimant_t claim = {.options = 2, .option = told, .due = 60}, read;
    int members;
    (void)state;
    char *line = xmpi_worth_line(3, &claim);
    assert_true(xmpi_worth_read(line, &members, option, &read));
    assert_int_equal(members, 3);
    assert_int_equal(read.options, 2);
    assert_int_equal(option[0].members + option[1].members, 4);
    assert_true(fabs(option[0].seconds + option[1].seconds + read.due - 73.5) < 1e-9);
    free(line);
    claim = (xmpi_claimant_t){.due = INFINITY};
    line = xmpi_worth_line(3, &claim);
    assert_true(xmpi_worth_read(line, &members, option, &read));
    assert_true(read.options == 0 && isinf(read.due));
    free(line);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (xmpi_worth_read(wrong[i], &members, option, &read))
            fail_msg("%s is taken", wrong[i]);
}

static void full_queue_is_said(void **state)
{
    xmpi_request_t request;
    int fd = connect_to(), accepted = 0;
    (void)state;
    for (int i = 0; i < 100; i++) {
        say(fd, "{\"command\":\"grow\",\"processes\":1}\n");
        cJSON *answer = hear(fd);
        accepted += cJSON_IsTrue(cJSON_GetObjectItem(answer, "ok"));
        cJSON_Delete(answer);
    }
    assert_int_equal(accepted, 64);
    while (xmpi_endpoint_take(endpoint, &request))
        accepted--;
    assert_int_equal(accepted, 0);
    job.over = true;
    xmpi_endpoint_publish(endpoint, &job);
    assert_answer(fd, "{\"command\":\"grow\",\"processes\":1}\n", 0, "has ended");
    close(fd);
}

static void watchers_hear_news_and_the_end(void **state)
{
    int fd = connect_to();
    (void)state;
    assert_answer(fd, "{\"command\":\"watch\"}\n", 1, NULL);
    job.iteration = 8;
    xmpi_endpoint_publish(endpoint, &job);
    cJSON *answer = hear(fd);
    assert_int_equal(cJSON_GetObjectItem(answer, "iteration")->valueint, 8);
    cJSON_Delete(answer);
    job.iteration = 9;
    job.over = true;
    xmpi_endpoint_publish(endpoint, &job);
    answer = hear(fd);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(answer, "over")));
    cJSON_Delete(answer);
    close(fd);
}

/* A watcher that never reads: it is left, and nobody waits for it. */
/* Who came last, while the thread rested from many requests, hears of the end as well. */
static void who_comes_last_hears_the_end(void **state)
{
    int busy = connect_to();
    (void)state;
    for (int i = 0; i < 100; i++)
        say(busy, "{\"command\":\"status\"}\n");
    cJSON_Delete(hear(busy));
    int last = connect_to();
    say(last, "{\"command\":\"watch\"}\n");
    job.over = true;
    xmpi_endpoint_publish(endpoint, &job);
    xmpi_endpoint_close(endpoint);
    endpoint = NULL;
    cJSON *answer = hear(last);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(answer, "over")));
    cJSON_Delete(answer);
    close(busy);
    close(last);
}

static void *watch_late(void *answer)
{
    enum { WHILE = 20000 };
    usleep(WHILE);
    int fd = connect_to();
    say(fd, "{\"command\":\"watch\"}\n");
    *(cJSON **)answer = hear(fd);
    close(fd);
    return NULL;
}

/* Who watched the leader before finds the next one, though its loop is over at once. */
static void the_end_waits_for_who_watched_before(void **state)
{
    xmpi_waiting_t waiting;
    xmpi_error_t error;
    pthread_t follower;
    cJSON *answer = NULL;
    (void)state;
    int fd = connect_to();
    assert_answer(fd, "{\"command\":\"watch\"}\n", true, NULL);
    xmpi_endpoint_hand_over(endpoint, &waiting);
    xmpi_endpoint_close(endpoint);
    close(fd);
    assert_int_equal(xmpi_endpoint_open(path, &job, &waiting, &endpoint, &error), XMPI_OK);
    assert_int_equal(pthread_create(&follower, NULL, watch_late, &answer), 0);
    job.over = true;
    xmpi_endpoint_publish(endpoint, &job);
    xmpi_endpoint_close(endpoint);
    endpoint = NULL;
    pthread_join(follower, NULL);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(answer, "over")));
    cJSON_Delete(answer);
}

static void slow_readers_are_left(void **state)
{
    static xmpi_job_member_t many[4000];
    int fd = connect_to(), other = connect_to();
    (void)state;
    job.members = 4000;
    job.member = many;
    xmpi_endpoint_publish(endpoint, &job);
    for (int i = 0; i < 40; i++)
        say(fd, "{\"command\":\"status\"}\n"); /* 300 kB each */
    job.members = 1;
    job.member = &member;
    xmpi_endpoint_publish(endpoint, &job);
    assert_answer(other, "{\"command\":\"status\"}\n", 1, NULL);
    close(fd);
    close(other);
}

static void too_many_connections_are_refused(void **state)
{
    int fd[20], refused = 0;
    (void)state;
    for (int i = 0; i < 20; i++) {
        fd[i] = connect_to();
        send(fd[i], "{\"command\":\"status\"}\n", 21, MSG_NOSIGNAL);
        cJSON *answer = hear(fd[i]);
        refused += cJSON_IsFalse(cJSON_GetObjectItem(answer, "ok"));
        cJSON_Delete(answer);
    }
    assert_int_equal(refused, 4);
    for (int i = 0; i < 20; i++)
        close(fd[i]);
}

/* Somebody sends requests and garbage as fast as a socket takes them: the thread does not take more
 * than a bounded number of them, and the program's own calls do not wait. */
static void floods_are_bounded(void **state)
{
    static char garbage[1 << 16];
    int fd = connect_to();
    unsigned seed = 1;
    (void)state;
    struct timeval short_patience = {.tv_usec = 1000};
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &short_patience, sizeof short_patience);
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (char)(i % 64 == 63 ? '\n' : rand_r(&seed) % 255 + 1);
    for (int i = 0; i < 200; i++) {
        xmpi_request_t request;
        send(fd, garbage, sizeof garbage, MSG_NOSIGNAL);
        xmpi_endpoint_publish(endpoint, &job);
        assert_false(xmpi_endpoint_take(endpoint, &request));
    }
    close(fd);
    fd = connect_to();
    assert_answer(fd, "{\"command\":\"status\"}\n", 1, NULL);
    close(fd);
}

/* The next leader may be on the same node, and there before the last one has gone. */
static void who_ends_leaves_the_socket_of_the_next(void **state)
{
    xmpi_endpoint_t *next;
    xmpi_error_t error;
    (void)state;
    if (xmpi_endpoint_open(path, &job, NULL, &next, &error) != XMPI_OK)
        fail_msg("%s: %s", path, error.text);
    xmpi_endpoint_close(endpoint);
    endpoint = next;
    assert_int_equal(access(path, F_OK), 0);
    close(connect_to());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_it, close_it)

/* Somebody else, whom a folder and a socket that are open to all let come so far. */
static void other_users_are_told_that_they_are(void **state)
{
    (void)state;
    enum { NOBODY = 65534 };
    int status = 0;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chmod(dir, 0755), 0);
    assert_int_equal(chmod(path, 0666), 0);
    pid_t other = fork();
    if (other == 0) {
        char text[256] = "";
        int fd = setuid(NOBODY) == 0 ? connect_to() : -1;
        bool told = fd >= 0 && recv(fd, text, sizeof text - 1, 0) > 0 &&
                    strstr(text, "this job is another user's") != NULL;
        _exit(told ? 0 : 1);
    }
    assert_int_equal(waitpid(other, &status, 0), other);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(other_users_are_told_that_they_are),
        TEST(status_tells_the_job),
        TEST(only_the_user_can_open_it),
        TEST(folder_of_others_is_refused),
        TEST(requests_arrive_in_order),
        TEST(requests_are_handed_over),
        TEST(requests_that_waited_are_followed),
        TEST(the_log_tells_what_is_not_known),
        TEST(wrong_requests_are_explained),
        TEST(half_lines_are_waited_for),
        TEST(endless_line_ends_the_connection),
        cmocka_unit_test(worth_is_told_and_read),
        TEST(full_queue_is_said),
        TEST(watchers_hear_news_and_the_end),
        TEST(who_comes_last_hears_the_end),
        TEST(the_end_waits_for_who_watched_before),
        TEST(slow_readers_are_left),
        TEST(too_many_connections_are_refused),
        TEST(floods_are_bounded),
        TEST(who_ends_leaves_the_socket_of_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
