/* SPDX-License-Identifier: BSD-3-Clause
 * Proof: how the two ends of a connection show one another that they know a token. */
#define _GNU_SOURCE
#include "act/doors/proof.h"

#include <sodium.h>
#include <string.h>
#include <sys/random.h>

#include "base/process/library.h"

_Static_assert(XMPI_TOKEN_BYTES == crypto_auth_hmacsha256_KEYBYTES &&
                   XMPI_TOKEN_BYTES == crypto_auth_hmacsha256_BYTES,
               "tokens are keys, and proofs as long");

#define CALLS(X) X(sodium_init) X(crypto_auth_hmacsha256) X(sodium_memcmp)

static struct {
    CALLS(XMPI_LIBRARY_ADDRESS)
} sodium;

static const char *const names[] = {CALLS(XMPI_LIBRARY_NAME) NULL};

static xmpi_library_t library = {.file = "libsodium.so.23",
                                 .package = "libsodium23",
                                 .purpose = "members that come and go",
                                 .name = names,
                                 .function = &sodium};

xmpi_status_t xmpi_proof_load(xmpi_error_t *error)
{
    xmpi_status_t status = xmpi_library_load(&library, error);
    if (status == XMPI_OK && sodium.sodium_init() < 0)
        return xmpi_error_set(error, XMPI_ERR_PROCESS, "libsodium cannot be used here");
    return status;
}

bool xmpi_proof_random(void *bytes, size_t size)
{
    return getrandom(bytes, size, 0) == (ssize_t)size;
}

/* WHO is the side that proves. Challenges of both go in: neither side can be made to sign what the
 * other has chosen alone. */
static xmpi_token_t prove(const xmpi_token_t *token, char who, const xmpi_challenge_t *door,
                          const xmpi_challenge_t *caller)
{
    xmpi_token_t proof;
    unsigned char text[1 + 2 * XMPI_CHALLENGE_BYTES];
    text[0] = (unsigned char)who;
    memcpy(text + 1, door->byte, sizeof door->byte);
    memcpy(text + 1 + sizeof door->byte, caller->byte, sizeof caller->byte);
    sodium.crypto_auth_hmacsha256(proof.byte, text, sizeof text, token->byte);
    return proof;
}

bool xmpi_proof_answer(const xmpi_token_t *token, const xmpi_challenge_t *challenge,
                       xmpi_answer_t *answer)
{
    if (!xmpi_proof_random(&answer->challenge, sizeof answer->challenge))
        return false;
    answer->proof = prove(token, 'c', challenge, &answer->challenge);
    return true;
}

bool xmpi_proof_check(const xmpi_token_t *token, const xmpi_challenge_t *challenge,
                      const xmpi_answer_t *answer)
{
    xmpi_token_t wanted = prove(token, 'c', challenge, &answer->challenge);
    return xmpi_proof_same(&wanted, &answer->proof);
}

xmpi_token_t xmpi_proof_of_door(const xmpi_token_t *token, const xmpi_challenge_t *challenge,
                                const xmpi_answer_t *answer)
{
    return prove(token, 'd', challenge, &answer->challenge);
}

bool xmpi_proof_same(const xmpi_token_t *a, const xmpi_token_t *b)
{
    return sodium.sodium_memcmp(a->byte, b->byte, sizeof a->byte) == 0;
}
