/* Packing as it is compiled where there are pext and pdep. */
#include "pack_ways.h"

#if defined(__x86_64__) && defined(__GNUC__)

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("bmi2"))), apply_to = function)
#ifndef __BMI2__
#define __BMI2__ 1
#endif
#else
#pragma GCC push_options
#pragma GCC target("bmi2")
#endif
#include <onager.h>

#include "pack_ways.inc"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

struct pack_way pack_way_bmi2(void) {
    return (struct pack_way){"pext and pdep", __builtin_cpu_supports("bmi2"), gather, spread, pack, unpack, pack_fixed,
                             unpack_fixed};
}

#else

struct pack_way pack_way_bmi2(void) {
    return (struct pack_way){.name = "pext and pdep"};
}

#endif
