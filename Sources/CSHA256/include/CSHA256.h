#ifndef CSHA256_H
#define CSHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether the processor has what `sha256_pair` needs.
bool sha256_pair_works(void);

/// Adds `blocks` blocks of 64 bytes to each of two SHA-256 states of eight words, both at once.
///
/// Call it only where `sha256_pair_works`.
void sha256_pair(
    uint32_t first[8], const uint8_t *first_bytes, uint32_t second[8], const uint8_t *second_bytes, size_t blocks);

#endif
