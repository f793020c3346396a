// Two digests of the same bytes, which libcrypto computes one after the other.
//
// Each step of SHA-256 waits for the one before it. Two digests whose steps take turns, instruction by instruction, keep
// the processor's SHA unit busy: both take about two thirds of the time. FIPS 180-4 has the algorithm; the instructions
// do two rounds (sha256rnds2) or make four words of the message schedule (sha256msg1, sha256msg2).

#include "CSHA256.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

bool sha256_pair_works(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1)) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#define SHA __attribute__((target("sha,sse4.1,ssse3")))

/// One digest: its words in the order that the instructions want, and four of the schedule's vectors.
typedef struct {
  __m128i abef, cdgh, words[4];
} Lane;

SHA static inline __attribute__((always_inline)) void begin(Lane *lane, const uint32_t state[8]) {
  __m128i dcba = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xb1);
  __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1b);
  lane->abef = _mm_alignr_epi8(dcba, hgfe, 8);
  lane->cdgh = _mm_blend_epi16(hgfe, dcba, 0xf0);
}

SHA static inline __attribute__((always_inline)) void end(const Lane *lane, uint32_t state[8]) {
  __m128i feba = _mm_shuffle_epi32(lane->abef, 0x1b);
  __m128i dchg = _mm_shuffle_epi32(lane->cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

/// Four rounds; `step` is a constant, so every condition is settled by the compiler.
SHA static inline __attribute__((always_inline)) void rounds(Lane *lane, const uint8_t *block, int step) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  __m128i *words = lane->words;
  __m128i *now = &words[step % 4], *next = &words[(step + 1) % 4], *last = &words[(step + 3) % 4];
  if (step < 4) *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(block + step * 16)), order);
  __m128i sum = _mm_add_epi32(*now, _mm_load_si128((const __m128i *)(constants + step * 4)));
  lane->cdgh = _mm_sha256rnds2_epu32(lane->cdgh, lane->abef, sum);
  if (step >= 3 && step < 15)
    *next = _mm_sha256msg2_epu32(_mm_add_epi32(*next, _mm_alignr_epi8(*now, *last, 4)), *now);
  lane->abef = _mm_sha256rnds2_epu32(lane->abef, lane->cdgh, _mm_shuffle_epi32(sum, 0x0e));
  if (step >= 1 && step < 13) *last = _mm_sha256msg1_epu32(*last, *now);
}

#define BOTH(step) rounds(&a, first_bytes, step), rounds(&b, second_bytes, step)

SHA void sha256_pair(
    uint32_t first[8], const uint8_t *first_bytes, uint32_t second[8], const uint8_t *second_bytes, size_t blocks) {
  Lane a, b;
  begin(&a, first);
  begin(&b, second);
  for (; blocks > 0; blocks--, first_bytes += 64, second_bytes += 64) {
    const __m128i before[4] = {a.abef, a.cdgh, b.abef, b.cdgh};
    BOTH(0), BOTH(1), BOTH(2), BOTH(3), BOTH(4), BOTH(5), BOTH(6), BOTH(7);
    BOTH(8), BOTH(9), BOTH(10), BOTH(11), BOTH(12), BOTH(13), BOTH(14), BOTH(15);
    a.abef = _mm_add_epi32(a.abef, before[0]), a.cdgh = _mm_add_epi32(a.cdgh, before[1]);
    b.abef = _mm_add_epi32(b.abef, before[2]), b.cdgh = _mm_add_epi32(b.cdgh, before[3]);
  }
  end(&a, first);
  end(&b, second);
}

#else

bool sha256_pair_works(void) { return false; }

void sha256_pair(
    uint32_t first[8], const uint8_t *first_bytes, uint32_t second[8], const uint8_t *second_bytes, size_t blocks) {
  __builtin_unreachable();
}

#endif
