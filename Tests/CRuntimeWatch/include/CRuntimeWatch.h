// Counts what a render thread must not do, on the threads that ask for it: allocations, locks, and references of Swift
// objects that are counted up or down. A Swift `Mutex` shows only where somebody else holds it.
//
// The runtime's references are seen through the hooks that it has for instruments. Allocations and locks are calls of
// other libraries' functions: their entries in the offset tables of all loaded objects are replaced. For a process of
// its own, an exit test's: nothing is put back.
#ifndef TUTTI_RUNTIME_WATCH_H
#define TUTTI_RUNTIME_WATCH_H

#include <stdbool.h>

enum runtime_watch_kind { runtime_watch_allocations, runtime_watch_references, runtime_watch_locks };

/// Puts the hooks in; false when this runtime has none.
bool runtime_watch_install(void);
/// Watches the calling thread from now on.
void runtime_watch_begin(void);
/// Watches the calling thread no more, and adds what it has done since `begin` to the counts.
void runtime_watch_end(void);
/// Watches the calling thread no more, and forgets what it has done since `begin`.
void runtime_watch_drop(void);
/// What watched threads have done.
long runtime_watch_count(enum runtime_watch_kind kind);
/// Prints from where the first of it was called, as objects and offsets for `addr2line`.
void runtime_watch_print(void);

#endif
