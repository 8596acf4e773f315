#define _GNU_SOURCE
#include "faults.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int64_t control_interval = 20000000;

static int64_t nanoseconds(double seconds) { return (int64_t)(seconds * 1e9); }

static const char *skip_separators(const char *text) { return text + strspn(text, " \t\n,"); }

int faults_parse_xruns(struct faults *faults, const char *text) {
    for (text = skip_separators(text); *text; text = skip_separators(text)) {
        char *end;
        double seconds = strtod(text, &end);
        if (end == text || !(seconds >= 0) || faults->xrun_count == FAULTS_LIMIT) return -EINVAL;
        int64_t time = nanoseconds(seconds);
        if (faults->xrun_count > 0 && time <= faults->xruns[faults->xrun_count - 1]) return -EINVAL;
        faults->xruns[faults->xrun_count++] = time;
        text = end;
    }
    return 0;
}

int faults_parse_unplugs(struct faults *faults, const char *text) {
    for (text = skip_separators(text); *text; text = skip_separators(text)) {
        char *end;
        double from = strtod(text, &end);
        if (end == text || *end != '+' || !(from >= 0) || faults->unplug_count == FAULTS_LIMIT) return -EINVAL;
        text = end + 1;
        double length = strtod(text, &end);
        if (end == text || !(length > 0)) return -EINVAL;
        faults->unplugs[faults->unplug_count].from = nanoseconds(from);
        faults->unplugs[faults->unplug_count].until = nanoseconds(from + length);
        faults->unplug_count += 1;
        text = end;
    }
    return 0;
}

void faults_check_control(struct faults *faults, int64_t first_start, int64_t now) {
    if (now - faults->control_checked < control_interval) return;
    faults->control_checked = now;
    if (access(faults->control_path, R_OK) != 0) return;
    FILE *stream = fopen(faults->control_path, "re");
    if (!stream) return;
    char command[128] = "";
    if (!fgets(command, sizeof command, stream)) command[0] = 0;
    fclose(stream);
    unlink(faults->control_path);
    double seconds;
    if (strncmp(command, "xrun", 4) == 0) {
        faults->commanded_xrun = true;
    } else if (sscanf(command, "unplug %lf", &seconds) == 1 && seconds > 0 && faults->unplug_count < FAULTS_LIMIT) {
        faults->unplugs[faults->unplug_count].from = now - first_start;
        faults->unplugs[faults->unplug_count].until = now - first_start + nanoseconds(seconds);
        faults->unplug_count += 1;
    }
}

bool faults_take_xrun(struct faults *faults, int64_t first_start, int64_t now) {
    bool planned = false;
    while (faults->next_xrun < faults->xrun_count && faults->xruns[faults->next_xrun] <= now - first_start) {
        faults->next_xrun += 1;
        planned = true;
    }
    bool commanded = faults->commanded_xrun;
    faults->commanded_xrun = false;
    return planned || commanded;
}

void faults_skip_xruns(struct faults *faults, int64_t first_start, int64_t now) {
    faults_take_xrun(faults, first_start, now);
}

int64_t faults_unplugged_until(const struct faults *faults, int64_t first_start, int64_t now) {
    if (!first_start) return 0;
    int64_t time = now - first_start;
    for (int i = 0; i < faults->unplug_count; i++) {
        if (time >= faults->unplugs[i].from && time < faults->unplugs[i].until) return first_start + faults->unplugs[i].until;
    }
    return 0;
}
