// libass: draws texts with styles, as ASS scripts describe them.
#ifndef TUTTI_CASS_SHIM_H
#define TUTTI_CASS_SHIM_H

#include <ass/ass.h>

static inline void tutti_ass_ignore(int level, const char *format, va_list arguments, void *data) {
    (void)level; (void)format; (void)arguments; (void)data;
}

// Keeps libass from writing to standard error.
static inline void tutti_ass_silence(ASS_Library *library) { ass_set_message_cb(library, tutti_ass_ignore, NULL); }

#endif
