/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the sockets of control endpoints: new ones, and those that killed jobs left behind. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "control/endpoint.h"
#include "support/command.h"

static char *dir;
static const xmpi_job_t job = {.program = "solver", .policy = "balance", .iterations = -1};

static int make_dir(void **state)
{
    (void)state;
    dir = scratch_make();
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

enum { ENDPOINTS = 300 };

/* Each job has a name of its own, that of its process. */
static void name_endpoint(int i, char *name, size_t room)
{
    snprintf(name, room, "%s/%d", dir, i);
}

/* What `xmpictl list` does: a socket that refuses is one that a killed job left behind. */
static void *remove_what_refuses(void *argument)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    atomic_int *newest = argument;
    for (int i = atomic_load(newest); i < ENDPOINTS; i = atomic_load(newest)) {
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        name_endpoint(i, address.sun_path, sizeof address.sun_path);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0 && errno == ECONNREFUSED)
            unlink(address.sun_path);
        close(fd);
    }
    return NULL;
}

static void a_new_socket_is_not_taken_for_a_stale_one(void **state)
{
    atomic_int newest = 0;
    int lost = 0;
    pthread_t remover;
    (void)state;
    assert_int_equal(pthread_create(&remover, NULL, remove_what_refuses, &newest), 0);
    for (int i = 0; i < ENDPOINTS; i++) {
        char name[100];
        xmpi_endpoint_t *made = NULL;
        xmpi_error_t error;
        name_endpoint(i, name, sizeof name);
        atomic_store(&newest, i);
        xmpi_status_t status = xmpi_endpoint_open(name, &job, NULL, &made, &error);
        lost += status != XMPI_OK || access(name, F_OK) != 0;
        xmpi_endpoint_close(made);
    }
    atomic_store(&newest, ENDPOINTS);
    pthread_join(remover, NULL);
    assert_int_equal(lost, 0);
}

static void stale_sockets_are_replaced_and_files_are_not(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    xmpi_endpoint_t *second;
    xmpi_error_t error;
    (void)state;
    snprintf(address.sun_path, sizeof address.sun_path, "%s/stale", dir);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
    assert_int_equal(xmpi_endpoint_open(address.sun_path, &job, NULL, &second, &error), XMPI_OK);
    xmpi_endpoint_close(second);
    write_file(address.sun_path, "dear to somebody");
    assert_int_equal(xmpi_endpoint_open(address.sun_path, &job, NULL, &second, &error),
                     XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "File exists"));
    assert_int_equal(access(address.sun_path, F_OK), 0);
    assert_int_equal(xmpi_endpoint_open("/nowhere/x", &job, NULL, &second, &error), XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "/nowhere/x: No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_socket_is_not_taken_for_a_stale_one),
        cmocka_unit_test(stale_sockets_are_replaced_and_files_are_not),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
