/* SPDX-License-Identifier: BSD-3-Clause
 * Counter-based random numbers. */
#include "draw.h"

enum { ROUNDS = 10 };

static uint32_t multiply(uint32_t a, uint32_t b, uint32_t *low)
{
    uint64_t product = (uint64_t)a * b;
    *low = (uint32_t)product;
    return (uint32_t)(product >> 32);
}

struct words philox(struct words counter, const uint32_t key[2])
{
    uint32_t k0 = key[0], k1 = key[1], *c = counter.word;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t low0, low1;
        uint32_t high0 = multiply(0xD2511F53u, c[0], &low0);
        uint32_t high1 = multiply(0xCD9E8D57u, c[2], &low1);
        counter = (struct words){{high1 ^ c[1] ^ k0, low1, high0 ^ c[3] ^ k1, low0}};
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return counter;
}

struct words draw(uint64_t seed, int purpose, uint32_t one, uint32_t other, uint32_t time)
{
    uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    return philox((struct words){{one, other, time, (uint32_t)purpose}}, key);
}

double unit(uint32_t word)
{
    return word * 0x1p-32;
}

uint32_t below(uint32_t word, uint64_t n)
{
    return (uint32_t)((word * n) >> 32);
}
