#define _GNU_SOURCE
#include "CRuntimeWatch.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { kinds = 3, most_traces = 12, trace_depth = 8 };

static atomic_long counts[kinds];
static _Thread_local bool watched;
static _Thread_local long since_begin[kinds];
// Of the one thread that is watched.
static void *traces[most_traces][trace_depth];
static int trace_kinds[most_traces];
static int trace_count, committed_traces;

static void note(int kind) {
    if (!watched) return;
    since_begin[kind]++;
    if (trace_count == most_traces) return;
    watched = false;
    backtrace(traces[trace_count], trace_depth);
    trace_kinds[trace_count++] = kind;
    watched = true;
}

// The runtime's hooks.

typedef void *(*allocate_function)(const void *, size_t, size_t);
typedef void *(*retain_function)(void *);
typedef void (*release_function)(void *);
static allocate_function real_allocate;
static retain_function real_retain;
static release_function real_release;

static void *watched_allocate(const void *metadata, size_t size, size_t mask) {
    note(runtime_watch_allocations);
    return real_allocate(metadata, size, mask);
}

// Callers expect of these two that they leave more registers alone than the C convention asks for.
__attribute__((preserve_most)) static void *watched_retain(void *object) {
    note(runtime_watch_references);
    return real_retain(object);
}

__attribute__((preserve_most)) static void watched_release(void *object) {
    note(runtime_watch_references);
    real_release(object);
}

static bool install_runtime_hooks(void) {
    void **allocate = dlsym(RTLD_DEFAULT, "_swift_allocObject");
    void **retain = dlsym(RTLD_DEFAULT, "_swift_retain");
    void **release = dlsym(RTLD_DEFAULT, "_swift_release");
    bool *enabled = dlsym(RTLD_DEFAULT, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly");
    if (!allocate || !retain || !release || !enabled) return false;
    real_allocate = (allocate_function)*allocate;
    real_retain = (retain_function)*retain;
    real_release = (release_function)*release;
    *allocate = (void *)watched_allocate;
    *retain = (void *)watched_retain;
    *release = (void *)watched_release;
    *enabled = true;
    return true;
}

// The offset tables.

// A function that counts, and then does what the real one does.
#define WATCHED(kind, result, name, parameters, arguments) \
    static result (*real_##name) parameters; \
    static result watched_##name parameters { \
        note(kind); \
        return real_##name arguments; \
    }

WATCHED(runtime_watch_allocations, void *, malloc, (size_t size), (size))
WATCHED(runtime_watch_allocations, void *, calloc, (size_t count, size_t size), (count, size))
WATCHED(runtime_watch_allocations, void *, realloc, (void *memory, size_t size), (memory, size))
WATCHED(runtime_watch_allocations, void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WATCHED(runtime_watch_allocations, int, posix_memalign, (void **out, size_t a, size_t size), (out, a, size))
WATCHED(runtime_watch_allocations, void, free, (void *memory), (memory))
WATCHED(runtime_watch_locks, int, pthread_mutex_lock, (void *mutex), (mutex))
WATCHED(runtime_watch_locks, int, pthread_mutex_trylock, (void *mutex), (mutex))
WATCHED(runtime_watch_locks, int, pthread_rwlock_rdlock, (void *lock), (lock))
WATCHED(runtime_watch_locks, int, pthread_rwlock_wrlock, (void *lock), (lock))
WATCHED(runtime_watch_locks, int, sem_wait, (void *semaphore), (semaphore))

// Swift's own `Mutex` is code of whoever locks it, except where it has to wait: `_MutexHandle._lockSlow(_:)`.
#define SWIFT_METHOD __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
SWIFT_METHOD static void (*real_lock)(uint32_t state, SELF);

SWIFT_METHOD static void watched_lock(uint32_t state, SELF) {
    note(runtime_watch_locks);
    real_lock(state, self);
}

#define ENTRY(name) {#name, (void *)watched_##name, (void **)&real_##name}
static const struct { const char *name; void *watched; void **real; } entries[] = {
    ENTRY(malloc), ENTRY(calloc), ENTRY(realloc), ENTRY(aligned_alloc), ENTRY(posix_memalign), ENTRY(free),
    ENTRY(pthread_mutex_lock), ENTRY(pthread_mutex_trylock), ENTRY(pthread_rwlock_rdlock),
    ENTRY(pthread_rwlock_wrlock), ENTRY(sem_wait),
    {"$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF", (void *)watched_lock, (void **)&real_lock},
};
enum { entry_count = sizeof entries / sizeof *entries };

static void replace(
    const ElfW(Rela) *table, size_t bytes, const ElfW(Sym) *symbols, const char *names, uintptr_t base) {
    for (size_t index = 0; index < bytes / sizeof *table; index++) {
        const char *name = names + symbols[ELF64_R_SYM(table[index].r_info)].st_name;
        for (int entry = 0; entry < entry_count; entry++) {
            if (!*entries[entry].real || strcmp(name, entries[entry].name) != 0) continue;
            void **slot = (void **)(base + table[index].r_offset);
            uintptr_t page = (uintptr_t)slot & ~(uintptr_t)4095;
            if (mprotect((void *)page, 8192, PROT_READ | PROT_WRITE) != 0
                && mprotect((void *)page, 4096, PROT_READ | PROT_WRITE) != 0) continue;
            *slot = entries[entry].watched;
        }
    }
}

static int replace_in_object(struct dl_phdr_info *object, size_t size, void *own) {
    (void)size, (void)own;
    const ElfW(Dyn) *item = NULL;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type == PT_DYNAMIC) item = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr);
    }
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const ElfW(Rela) *calls = NULL, *data = NULL;
    size_t call_bytes = 0, data_bytes = 0;
    for (; item && item->d_tag != DT_NULL; item++) {
        switch (item->d_tag) {
        case DT_SYMTAB: symbols = (const ElfW(Sym) *)item->d_un.d_ptr; break;
        case DT_STRTAB: names = (const char *)item->d_un.d_ptr; break;
        case DT_JMPREL: calls = (const ElfW(Rela) *)item->d_un.d_ptr; break;
        case DT_PLTRELSZ: call_bytes = item->d_un.d_val; break;
        case DT_RELA: data = (const ElfW(Rela) *)item->d_un.d_ptr; break;
        case DT_RELASZ: data_bytes = item->d_un.d_val; break;
        }
    }
    // The kernel's own object has addresses that nobody has moved, and needs nothing of others; nor does the loader.
    if (!symbols || !names || (uintptr_t)names < object->dlpi_addr || strstr(object->dlpi_name, "ld-linux")) return 0;
    replace(calls, calls ? call_bytes : 0, symbols, names, object->dlpi_addr);
    replace(data, data ? data_bytes : 0, symbols, names, object->dlpi_addr);
    return 0;
}

bool runtime_watch_install(void) {
    // The first trace loads a library.
    void *trace[1];
    backtrace(trace, 1);
    for (int entry = 0; entry < entry_count; entry++) *entries[entry].real = dlsym(RTLD_DEFAULT, entries[entry].name);
    dl_iterate_phdr(replace_in_object, NULL);
    return real_malloc && real_lock && install_runtime_hooks();
}

void runtime_watch_begin(void) {
    memset(since_begin, 0, sizeof since_begin);
    watched = true;
}

void runtime_watch_end(void) {
    if (!watched) return;
    watched = false;
    for (int kind = 0; kind < kinds; kind++) atomic_fetch_add(&counts[kind], since_begin[kind]);
    committed_traces = trace_count;
}

void runtime_watch_drop(void) {
    watched = false;
    trace_count = committed_traces;
}

long runtime_watch_count(enum runtime_watch_kind kind) { return atomic_load(&counts[kind]); }

void runtime_watch_print(void) {
    static const char *const words[kinds] = {"allocation", "reference", "lock"};
    for (int index = 0; index < committed_traces; index++) {
        fprintf(stderr, "%s:", words[trace_kinds[index]]);
        for (int depth = 1; depth < trace_depth; depth++) {
            Dl_info place;
            uintptr_t address = (uintptr_t)traces[index][depth];
            if (address && dladdr((void *)address, &place) && place.dli_fname) {
                const char *slash = strrchr(place.dli_fname, '/');
                fprintf(stderr, " %s+%#lx", slash ? slash + 1 : place.dli_fname,
                    (unsigned long)(address - (uintptr_t)place.dli_fbase));
            }
        }
        fputc('\n', stderr);
    }
}
