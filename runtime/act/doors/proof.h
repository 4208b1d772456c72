/* SPDX-License-Identifier: BSD-3-Clause
 * Proof: how the two ends of a connection show one another that they know the token of a door
 * without telling it (challenge and response, ISO/IEC 9798-4 with HMAC-SHA-256):
 *
 * door -> caller   a challenge
 * caller -> door   a challenge of its own, and HMAC(token, "caller", both challenges)
 * door -> caller   HMAC(token, "door", both challenges) */
#ifndef XMPI_ACT_DOORS_PROOF_H
#define XMPI_ACT_DOORS_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { XMPI_TOKEN_BYTES = 32, XMPI_CHALLENGE_BYTES = 16 };

typedef struct {
    unsigned char byte[XMPI_TOKEN_BYTES];
} xmpi_token_t;

typedef struct {
    unsigned char byte[XMPI_CHALLENGE_BYTES];
} xmpi_challenge_t;

/* What the caller sends, and what the door sends back. */
typedef struct {
    xmpi_challenge_t challenge;
    xmpi_token_t proof;
} xmpi_answer_t;

/* Loads what the others need; to be called before them. */
xmpi_status_t xmpi_proof_load(xmpi_error_t *error);

/* SIZE random bytes, at most 256. */
bool xmpi_proof_random(void *bytes, size_t size);

/* The caller's answer to CHALLENGE; false without random bytes. */
bool xmpi_proof_answer(const xmpi_token_t *token, const xmpi_challenge_t *challenge,
                       xmpi_answer_t *answer);

/* Whether ANSWER to CHALLENGE proves that the caller knows the token. */
bool xmpi_proof_check(const xmpi_token_t *token, const xmpi_challenge_t *challenge,
                      const xmpi_answer_t *answer);

/* What the door proves itself with; the caller makes it too, and compares in xmpi_proof_same. */
xmpi_token_t xmpi_proof_of_door(const xmpi_token_t *token, const xmpi_challenge_t *challenge,
                                const xmpi_answer_t *answer);

/* In a time that does not tell where they differ. */
bool xmpi_proof_same(const xmpi_token_t *a, const xmpi_token_t *b);

#endif
