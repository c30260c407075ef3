/* hash.h - a 64-bit number of a run of bytes, the same on every machine.
 *
 * Lives here: hash_bytes, and the same in pieces, for checksums of assets, snapshots and records
 * and for the world's hash. It finds accidents and differences; it is no protection against a
 * forger. Bytes are read as little-endian words on every processor, at any alignment.
 *
 * Eight lanes of 64 bits each take one word of every 64 bytes: lane = lane + high + low * (odd
 * constant), a multiply of 32-bit halves as processors have it in vectors too; the lanes are
 * scrambled every 1024 bytes so that no lane is a plain sum of the whole input, and folded at the
 * end.
 */
#ifndef PIOLA_HASH_H
#define PIOLA_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_LANES 8
#define HASH_BLOCK (HASH_LANES * 8)
#define HASH_ROUND 16 /* blocks between two scrambles */

static inline uint64_t hash_word(const unsigned char *bytes)
{
    uint64_t word;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(&word, bytes, sizeof word);
#else
    word = 0;
    for (unsigned i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << (8 * i);
#endif
    return word;
}

/* A bijection of 64-bit words in which every input bit moves about half of the output bits. */
static inline uint64_t hash_mix(uint64_t word)
{
    word ^= word >> 33;
    word *= UINT64_C(0xff51afd7ed558ccd);
    word ^= word >> 33;
    word *= UINT64_C(0xc4ceb9fe1a85ec53);
    word ^= word >> 33;
    return word;
}

/* Joins two numbers into one; the order matters. */
static inline uint64_t hash_join(uint64_t hash, uint64_t more)
{
    return hash_mix(hash ^ (hash_mix(more + UINT64_C(0x9e3779b97f4a7c15)) + (hash << 6)));
}

static inline void hash_block(uint64_t lane[HASH_LANES], const unsigned char *bytes)
{
    for (unsigned i = 0; i < HASH_LANES; i++) {
        const uint64_t word = hash_word(bytes + 8 * i);
        const uint64_t keyed = word ^ (UINT64_C(0x9e3779b97f4a7c15) * (2 * i + 1));
        lane[i] += (keyed & UINT64_C(0xffffffff)) * (keyed >> 32);
        lane[(i + 1) % HASH_LANES] += word;
    }
}

static inline void hash_scramble(uint64_t lane[HASH_LANES])
{
    for (unsigned i = 0; i < HASH_LANES; i++) {
        lane[i] ^= lane[i] >> 47;
        lane[i] *= UINT64_C(0x9fb21c651e98df25) + 2 * i;
    }
}

/* A number under way, for bytes that come in pieces. */
struct hash {
    uint64_t lane[HASH_LANES], seed, bytes;
    unsigned char tail[HASH_BLOCK]; /* bytes % HASH_BLOCK of them */
};

static inline struct hash hash_begin(uint64_t seed)
{
    struct hash hash = {.seed = seed};
    for (unsigned i = 0; i < HASH_LANES; i++)
        hash.lane[i] = hash_mix(seed + i + 1);
    return hash;
}

static inline void hash_more(struct hash *hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    while (bytes > 0) {
        const size_t filled = hash->bytes % HASH_BLOCK;
        const size_t room = HASH_BLOCK - filled, n = bytes < room ? bytes : room;
        const unsigned char *block = at;
        if (n < HASH_BLOCK) {
            memcpy(hash->tail + filled, at, n);
            block = hash->tail;
        }
        hash->bytes += n;
        at += n;
        bytes -= n;
        if (filled + n < HASH_BLOCK)
            continue;
        hash_block(hash->lane, block);
        if (hash->bytes % (HASH_BLOCK * HASH_ROUND) == 0)
            hash_scramble(hash->lane);
    }
}

static inline uint64_t hash_end(struct hash *hash)
{
    const size_t left = hash->bytes % HASH_BLOCK;
    if (left > 0) {
        memset(hash->tail + left, 0, HASH_BLOCK - left);
        hash_block(hash->lane, hash->tail);
    }
    uint64_t number = hash_mix(hash->bytes ^ hash->seed);
    for (unsigned i = 0; i < HASH_LANES; i++)
        number = hash_join(number, hash->lane[i]);
    return number;
}

static inline uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed)
{
    struct hash hash = hash_begin(seed);
    hash_more(&hash, data, bytes);
    return hash_end(&hash);
}

#endif
