/* Packing as it is compiled where there are no pext and pdep. */
#undef __BMI2__
#include <onager.h>

#include "pack_ways.h"
#include "pack_ways.inc"

struct pack_way pack_way_portable(void) {
    return (struct pack_way){"shifts and masks", true, gather, spread, pack, unpack, pack_fixed, unpack_fixed};
}
