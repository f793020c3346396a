// SHA-256 is called below EVP, by functions that OpenSSL 3 calls deprecated: Digests/SHA256.swift says why.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/sha.h>
