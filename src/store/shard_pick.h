/* shard_pick.h: the images of one shard, out of those of several. */
#ifndef STORE_SHARD_PICK_H
#define STORE_SHARD_PICK_H

#include "store/store.h"

enum { PICK_MORE = 3 }; /* words behind the last one that may be written, in both lists */

/* Those images from index `begin` to before `end` that belong to the shard go to `picked`, as images within the shard,
 * and their indices to `places`. Returns how many they are. */
uint32_t pick(const struct store *s, unsigned shard, const uint64_t *images, uint32_t begin, uint32_t end,
              uint64_t *picked, uint32_t *places);

#endif
