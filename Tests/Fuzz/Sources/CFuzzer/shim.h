#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's driver, which `-sanitize=fuzzer` links in.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
