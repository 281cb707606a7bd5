/* libFuzzer's way into the reader of Aldebaran files. See tests/fuzz/run. */
#include "again.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return fuzz_lts(data, size, FILE_AUT, ".aut"); }
