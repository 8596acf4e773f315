// What goes wrong with a virtual card, and when.
//
// Times are seconds after the start of the card's first run (the first line of its truth log), so that they mean the same
// however often the device is closed and opened.
#ifndef TUTTI_LAB_FAULTS_H
#define TUTTI_LAB_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

enum { FAULTS_LIMIT = 64 };

/// A card's planned and commanded faults.
struct faults {
    int64_t xruns[FAULTS_LIMIT];  // ns after the first start, ascending
    int xrun_count;
    int next_xrun;
    struct {
        int64_t from, until;
    } unplugs[FAULTS_LIMIT];  // ns after the first start
    int unplug_count;
    char control_path[4096];
    int64_t control_checked;  // raw ns
    bool commanded_xrun;
};

/// Reads a list of seconds ("2.5 7"); returns 0 or -EINVAL.
int faults_parse_xruns(struct faults *faults, const char *text);

/// Reads a list of times and lengths in seconds ("5+3 20+0.5"); returns 0 or -EINVAL.
int faults_parse_unplugs(struct faults *faults, const char *text);

/// Looks for a command in the control file, at most every 20 ms: "xrun", or "unplug SECONDS".
void faults_check_control(struct faults *faults, int64_t first_start, int64_t now);

/// Whether an xrun is to be forced now; true once for each.
bool faults_take_xrun(struct faults *faults, int64_t first_start, int64_t now);

/// Forgets the planned xruns that lie before `now`: a card that was not running missed them.
void faults_skip_xruns(struct faults *faults, int64_t first_start, int64_t now);

/// Until when (raw ns) the card is unplugged, 0 when it is there at `now`.
int64_t faults_unplugged_until(const struct faults *faults, int64_t first_start, int64_t now);

#endif
