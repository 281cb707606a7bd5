/* c_cache.h: compiled models, kept from run to run.
 *
 * An entry is one file, KEY.so: the library, then a seal with the key, the library's size and a hash of both. What was
 * cut off, altered, or belongs to another key is not an entry: the model is compiled anew. An entry is read once; what
 * was checked is what is loaded (see c_library.h).
 *
 * A library is code that runs with the user's rights. So the folder must be the user's, and nobody else may be able to
 * write there; nor may an entry be another's. Everything is done relative to the folder that was looked at.
 */
#ifndef MODEL_C_C_CACHE_H
#define MODEL_C_C_CACHE_H

#include <stdbool.h>
#include <stdio.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bytes.h"

struct c_cache {
    int folder; /* -1: there is none that can be used */
};

/* If there is a folder that must not be used, a warning says so (unless `warnings` is NULL), and there is no cache. */
void c_cache_open(struct c_cache *cache, FILE *warnings);
void c_cache_close(struct c_cache *cache);

/* False: there is no such entry. */
bool c_cache_get(const struct c_cache *cache, XXH128_hash_t key, struct bytes *library);
/* If it cannot be kept, it is not: then it is compiled again next time. Of many entries, the oldest go. */
void c_cache_put(const struct c_cache *cache, XXH128_hash_t key, const struct bytes *library);

#endif
