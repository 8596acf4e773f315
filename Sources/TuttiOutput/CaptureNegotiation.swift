import CALSA
import Glibc
import TuttiCore

/// Agrees with a PCM that was just opened for recording on what it does.
struct CaptureNegotiation {
    let pcm: OpaquePointer
    let device: String
    /// How many channels will do, the best first.
    let channelCounts: [UInt32]

    struct Agreed {
        var sampleRate: Int
        var channelCount: Int
        var sampleType: SampleLayout
    }

    private static let formats: [(type: SampleLayout, format: snd_pcm_format_t)] = [
        (.int32, SND_PCM_FORMAT_S32_LE), (.int24, SND_PCM_FORMAT_S24_3LE), (.int24in32, SND_PCM_FORMAT_S24_LE),
        (.float32, SND_PCM_FORMAT_FLOAT_LE), (.int16, SND_PCM_FORMAT_S16_LE),
    ]

    /// Sets the hardware and software parameters; times in µs.
    func negotiate(bufferTime: UInt32, periodTime: UInt32) throws(OutputError) -> Agreed {
        var parameters: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&parameters), "configure")
        defer { snd_pcm_hw_params_free(parameters) }
        try check(snd_pcm_hw_params_any(pcm, parameters), "configure")
        guard snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0 else {
            throw .unsupported(device: device, what: "interleaved access")
        }
        let channels = channelCounts.first { snd_pcm_hw_params_set_channels(pcm, parameters, $0) >= 0 }
        guard let channels else {
            throw .unsupported(device: device, what: channelCounts == [2] ? "two channels" : "one or two channels")
        }
        let type = Self.formats.first { snd_pcm_hw_params_set_format(pcm, parameters, $0.format) >= 0 }?.type
        guard let type else { throw .unsupported(device: device, what: "16, 24 or 32-bit samples") }
        var rate: UInt32 = 48_000
        try check(snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil), "set the rate of")
        var (buffer, period) = (bufferTime, periodTime)
        _ = snd_pcm_hw_params_set_buffer_time_near(pcm, parameters, &buffer, nil)
        _ = snd_pcm_hw_params_set_period_time_near(pcm, parameters, &period, nil)
        try check(snd_pcm_hw_params(pcm, parameters), "configure")
        setStamps()
        return Agreed(sampleRate: Int(rate), channelCount: Int(channels), sampleType: type)
    }

    /// Asks for stamps of `CLOCK_MONOTONIC_RAW`, which not every PCM has.
    private func setStamps() {
        var parameters: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&parameters) >= 0 else { return }
        defer { snd_pcm_sw_params_free(parameters) }
        guard snd_pcm_sw_params_current(pcm, parameters) >= 0,
            snd_pcm_sw_params_set_tstamp_mode(pcm, parameters, SND_PCM_TSTAMP_ENABLE) >= 0,
            snd_pcm_sw_params_set_tstamp_type(pcm, parameters, SND_PCM_TSTAMP_TYPE_MONOTONIC_RAW) >= 0
        else { return }
        _ = snd_pcm_sw_params(pcm, parameters)
    }

    private func check(_ code: Int32, _ action: String) throws(OutputError) {
        if code < 0 { throw .failed(device: device, action: action, code: -code) }
    }
}
