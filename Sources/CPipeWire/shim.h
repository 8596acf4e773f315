// PipeWire for Swift: its headers, and wrappers for what Swift cannot import: macros, variadic functions and builders of parameters.

#ifndef TUTTI_CPIPEWIRE_SHIM_H
#define TUTTI_CPIPEWIRE_SHIM_H

#include <math.h>
#include <pipewire/pipewire.h>
#include <spa/param/audio/format-utils.h>
#include <spa/param/latency-utils.h>
#include <spa/param/props.h>
#include <spa/pod/iter.h>

/// Begins to use PipeWire. Its own log is silent unless somebody asks for it in the environment.
static inline void tutti_pw_init(void) {
    pw_init(NULL, NULL);
    if (!getenv("PIPEWIRE_DEBUG")) pw_log_set_level(SPA_LOG_LEVEL_NONE);
}

/// A loop for this thread.
static inline struct pw_loop *tutti_pw_loop(void) { return pw_loop_new(NULL); }

/// Readable when the loop has something to do.
static inline int tutti_pw_loop_descriptor(struct pw_loop *loop) { return pw_loop_get_fd(loop); }

/// Does what there is to do, and does not wait.
static inline int tutti_pw_loop_turn(struct pw_loop *loop) {
    pw_loop_enter(loop);
    int result = pw_loop_iterate(loop, 0);
    pw_loop_leave(loop);
    return result;
}

/// Has its functions called when the server reports an error.
static inline void tutti_pw_listen(
    struct pw_core *core, struct spa_hook *hook, const struct pw_core_events *events, void *data) {
    pw_core_add_listener(core, hook, events, data);
}

/// Has its functions called with what there is on the graph. Null if it cannot be told.
static inline struct pw_registry *tutti_pw_watch(
    struct pw_core *core, struct spa_hook *hook, const struct pw_registry_events *events, void *data) {
    struct pw_registry *registry = pw_core_get_registry(core, PW_VERSION_REGISTRY, 0);
    if (registry) pw_registry_add_listener(registry, hook, events, data);
    return registry;
}

/// Properties, with none in them yet.
static inline struct pw_properties *tutti_pw_properties(void) { return pw_properties_new(NULL, NULL); }

/// Puts a sink on the graph: interleaved stereo floats, which sound so many nanoseconds after they came.
static inline int tutti_pw_connect_sink(struct pw_stream *stream, uint32_t rate, uint64_t latency) {
    uint8_t memory[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
    struct spa_audio_info_raw format = SPA_AUDIO_INFO_RAW_INIT(
        .format = SPA_AUDIO_FORMAT_F32_LE, .rate = rate, .channels = 2,
        .position = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR});
    struct spa_latency_info delay = SPA_LATENCY_INFO(SPA_DIRECTION_INPUT, .min_ns = latency, .max_ns = latency);
    const struct spa_pod *parameters[] = {
        spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &format),
        spa_latency_build(&builder, SPA_PARAM_Latency, &delay),
    };
    return pw_stream_connect(
        stream, PW_DIRECTION_INPUT, PW_ID_ANY, PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS, parameters, 2);
}

/// Captures the node that the stream's properties name: interleaved stereo floats.
static inline int tutti_pw_connect_source(struct pw_stream *stream, uint32_t rate) {
    uint8_t memory[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
    struct spa_audio_info_raw format = SPA_AUDIO_INFO_RAW_INIT(
        .format = SPA_AUDIO_FORMAT_F32_LE, .rate = rate, .channels = 2,
        .position = {SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR});
    const struct spa_pod *parameters[] = {spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &format)};
    return pw_stream_connect(
        stream, PW_DIRECTION_INPUT, PW_ID_ANY,
        PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_RT_PROCESS, parameters, 1);
}

/// What a sink shows: the cube of its part of the whole, and whether it is mute.
struct tutti_pw_volume {
    float volume;
    bool muted;
};

/// Whether a volume can be shown: the sink's controls are known a moment after it is on the graph.
static inline bool tutti_pw_has_volume(struct pw_stream *stream) {
    return pw_stream_get_control(stream, SPA_PROP_channelVolumes) && pw_stream_get_control(stream, SPA_PROP_softVolumes);
}

/// Shows a volume. The samples keep theirs: the soft volume, which alone scales them, is 1.
static inline int tutti_pw_show_volume(struct pw_stream *stream, struct tutti_pw_volume shown) {
    float volumes[] = {shown.volume, shown.volume}, mute = shown.muted ? 1 : 0, ones[] = {1, 1}, off = 0;
    return pw_stream_set_control(
        stream, SPA_PROP_channelVolumes, 2, volumes, SPA_PROP_mute, 1, &mute, SPA_PROP_softVolumes, 2, ones,
        SPA_PROP_softMute, 1, &off, 0);
}

/// Reads what somebody has set of a sink, over what it was: the loudest channel counts.
///
/// Returns whether there was anything.
static inline bool tutti_pw_read_volume(const struct spa_pod *parameter, struct tutti_pw_volume *volume) {
    if (!parameter || !spa_pod_is_object_type(parameter, SPA_TYPE_OBJECT_Props)) return false;
    const struct spa_pod_object *object = (const struct spa_pod_object *)parameter;
    const struct spa_pod_prop *property;
    bool found = false;
    SPA_POD_OBJECT_FOREACH(object, property) {
        float channels[SPA_AUDIO_MAX_CHANNELS];
        if (property->key == SPA_PROP_mute) {
            found |= spa_pod_get_bool(&property->value, &volume->muted) == 0;
        } else if (property->key == SPA_PROP_channelVolumes) {
            uint32_t count = spa_pod_copy_array(&property->value, SPA_TYPE_Float, channels, SPA_AUDIO_MAX_CHANNELS);
            float loudest = 0;
            for (uint32_t channel = 0; channel < count; channel++) loudest = fmaxf(loudest, channels[channel]);
            if (count == 0) continue;
            volume->volume = loudest;
            found = true;
        }
    }
    return found;
}

#endif
