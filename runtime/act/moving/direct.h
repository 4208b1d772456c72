/* SPDX-License-Identifier: BSD-3-Clause
 * Direct copies: a process reads a piece out of the memory of another one on its node (Linux:
 * cross-memory attach). The bytes are copied once, by the kernel; a message through a socket is
 * copied twice and waits for both sides. */
#ifndef XMPI_ACT_MOVING_DIRECT_H
#define XMPI_ACT_MOVING_DIRECT_H

#include <stdbool.h>
#include <sys/types.h>

#include "act/moving/strategy.h"

/* The running kernel and the space of process ids: only processes with the same can read each
 * other. 0: not known. It takes some system calls, so that an exchange asks once. */
uint64_t xmpi_direct_host(void);

/* Where a piece that is sent lies. */
xmpi_offer_t xmpi_direct_offer(const xmpi_exchange_t *exchange, const xmpi_message_t *message);

/* Whether a direct copy of this message is worth asking; both sides say the same. */
bool xmpi_direct_pays(const xmpi_message_t *message);

/* What is narrower is not worth being read in strips. */
enum { XMPI_DIRECT_WIDTH = 4096 };

/* Reads the piece that lies at ADDRESS of PROCESS, in strips STRIDE apart, into the place of
 * MESSAGE. False when that is not possible; the place then holds rubbish. No MPI: any thread may
 * call it. */
bool xmpi_direct_read(pid_t process, const xmpi_message_t *message, uint64_t address,
                      int64_t stride);

/* Reads what OFFER says into the place of MESSAGE. False when that is not possible: another node,
 * no permission, another system; the place then holds rubbish. No MPI: any thread may call it. */
bool xmpi_direct_pull(const xmpi_exchange_t *exchange, const xmpi_message_t *message,
                      const xmpi_offer_t *offer);

#endif
