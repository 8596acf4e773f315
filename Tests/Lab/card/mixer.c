// The mixer of a virtual sound card for the laboratory: an ALSA control plugin with one element, "Lab", which has a volume in steps of
// decibels and, unless told otherwise, a switch. All programs that open it share what they set, as with a card, through a file.
//
//     ctl.card {
//         type tutti_lab
//         file "/run/lab/h1.mixer"   # made when it is not there; remove it while nobody has it open, to begin anew
//         least -5100                # hundredths of a decibel at step 0 (default: -5100)
//         step 100                   # hundredths of a decibel from one step to the next (default: 100)
//         steps 51                   # the highest step (default: 51, which is 0 dB)
//         switch 1                   # 0: without a switch (default: 1)
//     }
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum element { VOLUME, SWITCH };
static const char *const names[] = {"Lab Playback Volume", "Lab Playback Switch"};

/// What the file holds.
struct state {
    int32_t volume[2];
    int32_t on[2];
};

struct mixer {
    snd_ctl_ext_t ext;
    long steps;
    bool has_switch;
    unsigned scale[4];
    struct state *state;
    struct state seen;
    char *file;
    int descriptor;
};

static int element_count(snd_ctl_ext_t *ext) {
    const struct mixer *mixer = ext->private_data;
    return mixer->has_switch ? 2 : 1;
}

static int list_element(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
    if (offset >= (unsigned)element_count(ext)) return -EINVAL;
    snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
    snd_ctl_elem_id_set_name(id, names[offset]);
    return 0;
}

static snd_ctl_ext_key_t find_element(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
    const unsigned number = snd_ctl_elem_id_get_numid(id);
    if (number > 0 && number <= (unsigned)element_count(ext)) return number - 1;
    for (int element = 0; element < element_count(ext); element++)
        if (!strcmp(snd_ctl_elem_id_get_name(id), names[element])) return (snd_ctl_ext_key_t)element;
    return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int get_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access, unsigned *count) {
    struct mixer *mixer = ext->private_data;
    *type = key == VOLUME ? SND_CTL_ELEM_TYPE_INTEGER : SND_CTL_ELEM_TYPE_BOOLEAN;
    *access = SND_CTL_EXT_ACCESS_READWRITE | (key == VOLUME ? SND_CTL_EXT_ACCESS_TLV_READ : 0);
    *count = 2;
    ext->tlv.p = key == VOLUME ? mixer->scale : NULL;
    return 0;
}

static int get_integer_info(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *least, long *most, long *step) {
    const struct mixer *mixer = ext->private_data;
    *least = 0;
    *most = key == VOLUME ? mixer->steps : 1;
    *step = 1;
    return 0;
}

static int32_t *values(struct state *state, snd_ctl_ext_key_t key) { return key == VOLUME ? state->volume : state->on; }

static int read_integer(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    struct mixer *mixer = ext->private_data;
    for (int channel = 0; channel < 2; channel++) value[channel] = values(mixer->state, key)[channel];
    return 0;
}

static int write_integer(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
    struct mixer *mixer = ext->private_data;
    bool changed = false;
    for (int channel = 0; channel < 2; channel++) {
        changed |= values(mixer->state, key)[channel] != value[channel];
        values(mixer->state, key)[channel] = (int32_t)value[channel];
    }
    // The others hear of it by a change of the file's times.
    if (changed) futimens(mixer->descriptor, NULL);
    return changed;
}

static int read_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *mask) {
    struct mixer *mixer = ext->private_data;
    char events[4096];
    while (read(ext->poll_fd, events, sizeof events) > 0) {}
    for (int element = 0; element < element_count(ext); element++) {
        int32_t *now = values(mixer->state, (snd_ctl_ext_key_t)element);
        int32_t *seen = values(&mixer->seen, (snd_ctl_ext_key_t)element);
        if (!memcmp(now, seen, 2 * sizeof *now)) continue;
        memcpy(seen, now, 2 * sizeof *now);
        list_element(ext, (unsigned)element, id);
        snd_ctl_elem_id_set_numid(id, (unsigned)element + 1);
        *mask = SND_CTL_EVENT_MASK_VALUE;
        return 1;
    }
    return -EAGAIN;
}

static void dispose(struct mixer *mixer) {
    if (mixer->state && mixer->state != MAP_FAILED) munmap(mixer->state, sizeof *mixer->state);
    if (mixer->descriptor >= 0) close(mixer->descriptor);
    if (mixer->ext.poll_fd >= 0) close(mixer->ext.poll_fd);
    free(mixer->file);
    free(mixer);
}

static void close_mixer(snd_ctl_ext_t *ext) { dispose(ext->private_data); }

static const snd_ctl_ext_callback_t callbacks = {
    .close = close_mixer,
    .elem_count = element_count,
    .elem_list = list_element,
    .find_elem = find_element,
    .get_attribute = get_attribute,
    .get_integer_info = get_integer_info,
    .read_integer = read_integer,
    .write_integer = write_integer,
    .read_event = read_event,
};

static int open_state(struct mixer *mixer) {
    mixer->descriptor = open(mixer->file, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (mixer->descriptor < 0) return -errno;
    const off_t length = lseek(mixer->descriptor, 0, SEEK_END);
    if (ftruncate(mixer->descriptor, sizeof *mixer->state) < 0) return -errno;
    mixer->state = mmap(NULL, sizeof *mixer->state, PROT_READ | PROT_WRITE, MAP_SHARED, mixer->descriptor, 0);
    if (mixer->state == MAP_FAILED) return -errno;
    if (length <= 0) {
        for (int channel = 0; channel < 2; channel++) {
            mixer->state->volume[channel] = (int32_t)mixer->steps;
            mixer->state->on[channel] = 1;
        }
    }
    mixer->seen = *mixer->state;
    mixer->ext.poll_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (mixer->ext.poll_fd < 0) return -errno;
    return inotify_add_watch(mixer->ext.poll_fd, mixer->file, IN_ATTRIB) < 0 ? -errno : 0;
}

SND_CTL_PLUGIN_DEFINE_FUNC(tutti_lab) {
    (void)root;
    struct mixer *mixer = calloc(1, sizeof *mixer);
    if (!mixer) return -ENOMEM;
    mixer->descriptor = mixer->ext.poll_fd = -1;
    mixer->steps = 51;
    mixer->has_switch = true;
    long least = -5100, step = 100, has_switch = 1;
    snd_config_iterator_t at, next;
    snd_config_for_each(at, next, conf) {
        snd_config_t *node = snd_config_iterator_entry(at);
        const char *key, *text;
        if (snd_config_get_id(node, &key) < 0) continue;
        if (!strcmp(key, "file") && snd_config_get_string(node, &text) >= 0) mixer->file = strdup(text);
        if (!strcmp(key, "least")) snd_config_get_integer(node, &least);
        if (!strcmp(key, "step")) snd_config_get_integer(node, &step);
        if (!strcmp(key, "steps")) snd_config_get_integer(node, &mixer->steps);
        if (!strcmp(key, "switch")) snd_config_get_integer(node, &has_switch);
    }
    mixer->has_switch = has_switch != 0;
    mixer->scale[0] = SND_CTL_TLVT_DB_SCALE;
    mixer->scale[1] = 2 * sizeof(unsigned);
    mixer->scale[2] = (unsigned)least;
    mixer->scale[3] = (unsigned)step;
    mixer->ext.version = SND_CTL_EXT_VERSION;
    strcpy(mixer->ext.id, "TuttiLab");
    strcpy(mixer->ext.driver, "tutti_lab");
    strcpy(mixer->ext.name, "Tutti's virtual card");
    strcpy(mixer->ext.longname, "Tutti's virtual card");
    strcpy(mixer->ext.mixername, "Tutti's virtual mixer");
    mixer->ext.callback = &callbacks;
    mixer->ext.private_data = mixer;
    int error = mixer->file && mixer->steps > 0 ? open_state(mixer) : -EINVAL;
    if (!error) error = snd_ctl_ext_create(&mixer->ext, name, mode);
    if (error < 0) {
        dispose(mixer);
        return error;
    }
    *handlep = mixer->ext.handle;
    return 0;
}

SND_CTL_PLUGIN_SYMBOL(tutti_lab);
