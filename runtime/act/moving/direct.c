/* SPDX-License-Identifier: BSD-3-Clause
 * Direct copies between processes of one node. */
#define _GNU_SOURCE
#include "act/moving/direct.h"

#include <sys/uio.h>
#include <unistd.h>

#include "act/machine/kernel.h"
#include "act/moving/storage/pages.h"

/* Asking takes two small messages. Narrow strips would each cost as much as a page. */
static const int64_t least_bytes = 256 << 10;

/* What one call reads: pages that were just made are still in the cache then. */
enum { STEP = 2 << 20, STRIPS = 256 };

uint64_t xmpi_direct_host(void)
{
    return xmpi_kernel_space("pid");
}

bool xmpi_direct_pays(const xmpi_message_t *message)
{
    return message->array < XMPI_TAG_ANSWER - XMPI_TAG_OFFER &&
           message->extent.width >= XMPI_DIRECT_WIDTH &&
           xmpi_extent_bytes(&message->extent) >= least_bytes;
}

xmpi_offer_t xmpi_direct_offer(const xmpi_exchange_t *exchange, const xmpi_message_t *message)
{
    return (xmpi_offer_t){.host = exchange->host,
                          .process = getpid(),
                          .address = (uintptr_t)message->base + (uint64_t)message->extent.offset,
                          .stride = message->extent.stride};
}

/* Of one strip, a step at a time. */
static bool pull_strip(pid_t process, char *to, uint64_t from, int64_t width)
{
    for (int64_t done = 0; done < width;) {
        int64_t left = width - done, step = left < STEP ? left : STEP;
        struct iovec here = {to + done, (size_t)step};
        struct iovec there = {(void *)(uintptr_t)(from + (uint64_t)done), (size_t)step};
        if (step >= least_bytes) /* less is where there was something before, as a rule */
            xmpi_pages_populate(to + done, (size_t)step);
        ssize_t got = process_vm_readv(process, &here, 1, &there, 1, 0);
        if (got <= 0)
            return false;
        done += got;
    }
    return true;
}

/* Of N narrow strips in one call. */
static bool pull_strips(pid_t process, char *to, uint64_t from, int64_t stride,
                        const xmpi_extent_t *extent, int n)
{
    struct iovec here[STRIPS], there[STRIPS];
    for (int i = 0; i < n; i++) {
        here[i] = (struct iovec){to + i * extent->stride, (size_t)extent->width};
        there[i] = (struct iovec){(void *)(uintptr_t)(from + (uint64_t)(i * stride)),
                                  (size_t)extent->width};
    }
    return process_vm_readv(process, here, (unsigned long)n, there, (unsigned long)n, 0) ==
           n * extent->width;
}

bool xmpi_direct_read(pid_t process, const xmpi_message_t *message, uint64_t address,
                      int64_t stride)
{
    const xmpi_extent_t *extent = &message->extent;
    char *to = message->base + extent->offset;
    int64_t at_once = STEP / extent->width < STRIPS ? STEP / extent->width : STRIPS;
    for (int64_t i = 0; i < extent->strips;) {
        int64_t left = extent->strips - i, n = left < at_once ? left : at_once;
        uint64_t from = address + (uint64_t)(i * stride);
        bool good =
            n > 1 ? pull_strips(process, to + i * extent->stride, from, stride, extent, (int)n)
                  : pull_strip(process, to + i * extent->stride, from, extent->width);
        if (!good)
            return false;
        i += n > 1 ? n : 1;
    }
    return true;
}

bool xmpi_direct_pull(const xmpi_exchange_t *exchange, const xmpi_message_t *message,
                      const xmpi_offer_t *offer)
{
    return offer->host != 0 && offer->host == exchange->host &&
           xmpi_direct_read((pid_t)offer->process, message, offer->address, offer->stride);
}
