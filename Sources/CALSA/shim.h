// alsa-lib for Swift: its headers, and wrappers for what Swift cannot import (variadic callbacks).

#ifndef TUTTI_CALSA_SHIM_H
#define TUTTI_CALSA_SHIM_H

#include <alsa/asoundlib.h>

static void tutti_alsa_ignore(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}

/// Keeps alsa-lib from writing to standard error; callers report the codes that it returns.
static inline void tutti_alsa_silence(void) { snd_lib_error_set_handler(tutti_alsa_ignore); }

#endif
