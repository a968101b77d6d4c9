/* What the C twins of the games share: the random streams of sim/rng.py, roots and time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint32_t u32;
typedef uint64_t u64;
typedef __uint128_t u128;

#define ALWAYS static inline __attribute__((always_inline))
#define SELDOM static __attribute__((noinline))

/* --- random streams --------------------------------------------------------------------------- */

#define GAMMA 0x9E3779B97F4A7C15ULL

ALWAYS u64 scramble(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

ALWAYS u64 output_of(u64 key, u64 n) { return scramble(key + (n + 1) * GAMMA); }

ALWAYS u64 next_word(u64 *state) { return scramble(*state += GAMMA); }

/* Uniform below n, without bias (Lemire 2019). */
ALWAYS u32 bounded(u64 *state, u64 n) {
    u128 product = (u128)next_word(state) * n;
    if (__builtin_expect((u64)product < n, 0)) {
        u64 threshold = (0 - n) % n;
        while ((u64)product < threshold) product = (u128)next_word(state) * n;
    }
    return (u32)(product >> 64);
}

/* --- roots and time --------------------------------------------------------------------------- */

ALWAYS double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline u32 rotated(u32 x, int n) { return x >> n | x << (32 - n); }

/* The first 16 bytes of the SHA-256 of a message under 56 bytes, as two words. */
static void sha256(const char *text, u64 out[2]) {
    static const u32 K[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    u32 h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    uint8_t block[64] = {0};
    size_t length = strlen(text); /* under 56: one block */
    memcpy(block, text, length);
    block[length] = 0x80;
    block[62] = (uint8_t)(length * 8 >> 8);
    block[63] = (uint8_t)(length * 8);
    u32 w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (u32)block[4 * i] << 24 | (u32)block[4 * i + 1] << 16 |
               (u32)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++)
        w[i] = w[i - 16] + w[i - 7] +
               (rotated(w[i - 15], 7) ^ rotated(w[i - 15], 18) ^ w[i - 15] >> 3) +
               (rotated(w[i - 2], 17) ^ rotated(w[i - 2], 19) ^ w[i - 2] >> 10);
    memcpy(v, h, sizeof v);
    for (int i = 0; i < 64; i++) {
        u32 a = v[7] + (rotated(v[4], 6) ^ rotated(v[4], 11) ^ rotated(v[4], 25)) +
                     ((v[4] & v[5]) ^ (~v[4] & v[6])) + K[i] + w[i];
        u32 b = (rotated(v[0], 2) ^ rotated(v[0], 13) ^ rotated(v[0], 22)) +
                     ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += a;
        v[0] = a + b;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
    uint8_t bytes[16];
    for (int i = 0; i < 16; i++) bytes[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
    memcpy(out, bytes, 16); /* little-endian, as in sim/rng.py */
}

/* The roots of a seed, written in decimal: for deals, and for strategies. */
static void find_roots(const char *seed, u64 roots[2]) {
    char text[48];
    snprintf(text, sizeof text, "playout:%s", seed);
    sha256(text, roots);
}
