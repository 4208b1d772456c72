/* SPDX-License-Identifier: BSD-3-Clause
 * Asynchronous calls: starting them and waiting for them. What they move while the program goes on
 * costs it nothing; what it waits is I/O. */
#define _GNU_SOURCE
#include <aio.h>
#include <signal.h>
#include <time.h>

#include "observe/files/next.h"

typedef const struct timespec *limit_t;

#define ASYNCHRONOUS(name)                                                                         \
    XMPI_FILE_CALL(int, aio_read##name, (struct aiocb * control), (control),                       \
                   result == 0 ? control->aio_nbytes : 0)                                          \
    XMPI_FILE_CALL(int, aio_write##name, (struct aiocb * control), (control),                      \
                   result == 0 ? control->aio_nbytes : 0)                                          \
    XMPI_FILE_CALL(int, aio_fsync##name, (int how, struct aiocb *control), (how, control), 0)      \
    XMPI_FILE_CALL(int, aio_suspend##name,                                                         \
                   (const struct aiocb *const *list, int n, limit_t limit), (list, n, limit), 0)   \
    XMPI_FILE_CALL(int, lio_listio##name,                                                          \
                   (int mode, struct aiocb *const *list, int n, struct sigevent *event),           \
                   (mode, list, n, event), result == 0 ? bytes_of(list, n) : 0)

/* (An aiocb64 is an aiocb, as an off_t has 64 bits.) */
static int64_t bytes_of(struct aiocb *const *list, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        if (list[i] != NULL && list[i]->aio_lio_opcode != LIO_NOP)
            sum += (int64_t)list[i]->aio_nbytes;
    return sum;
}

ASYNCHRONOUS()
ASYNCHRONOUS(64)

/* What liburing's inline functions come to, and its other calls that enter the kernel. (Bytes are
 * in the ring, which is not looked into.) */
typedef struct io_uring ring_t;
typedef struct io_uring_cqe *cqe_t;

XMPI_FILE_CALL(int, io_uring_submit, (ring_t * ring), (ring), 0)
XMPI_FILE_CALL(int, io_uring_submit_and_wait, (ring_t * ring, unsigned n), (ring, n), 0)
XMPI_FILE_CALL(int, io_uring_submit_and_wait_timeout,
               (ring_t * ring, cqe_t *cqe, unsigned n, void *limit, sigset_t *mask),
               (ring, cqe, n, limit, mask), 0)
XMPI_FILE_CALL(int, io_uring_wait_cqes,
               (ring_t * ring, cqe_t *cqe, unsigned n, void *limit, sigset_t *mask),
               (ring, cqe, n, limit, mask), 0)
XMPI_FILE_CALL(int, io_uring_wait_cqe_timeout, (ring_t * ring, cqe_t *cqe, void *limit),
               (ring, cqe, limit), 0)
XMPI_FILE_CALL(int, __io_uring_get_cqe,
               (ring_t * ring, cqe_t *cqe, unsigned submit, unsigned n, sigset_t *mask),
               (ring, cqe, submit, n, mask), 0)
