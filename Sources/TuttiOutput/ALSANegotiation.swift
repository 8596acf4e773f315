import CALSA
import Glibc
package import TuttiCore

/// Agrees with a PCM that was just opened on what it does.
package struct ALSANegotiation {
    let pcm: OpaquePointer
    let device: String

    private static let formats: [(type: SampleLayout, format: snd_pcm_format_t)] = [
        (.int32, SND_PCM_FORMAT_S32_LE), (.int24, SND_PCM_FORMAT_S24_3LE), (.int24in32, SND_PCM_FORMAT_S24_LE),
        (.int16, SND_PCM_FORMAT_S16_LE), (.float32, SND_PCM_FORMAT_FLOAT_LE),
    ]

    /// The sample types to try for samples of `bitDepth` significant bits, best first.
    package static func preferences(bitDepth: Int) -> [SampleLayout] {
        bitDepth <= 16
            ? [.int16, .int32, .int24, .int24in32, .float32] : [.int32, .int24, .int24in32, .float32, .int16]
    }

    /// Sets the hardware and software parameters and reads back what came of them.
    func negotiate(_ request: OutputRequest) throws(OutputError) -> OutputParameters {
        var parameters: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&parameters), "configure")
        defer { snd_pcm_hw_params_free(parameters) }
        try check(snd_pcm_hw_params_any(pcm, parameters), "configure")
        // The card's own rates: converting is our business. A plugin that cannot leave it is none the worse for it.
        _ = snd_pcm_hw_params_set_rate_resample(pcm, parameters, 0)
        guard snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) >= 0 else {
            throw .unsupported(device: device, what: "interleaved access")
        }
        let channels = try setChannels(parameters, wantsAll: request.wantsAllChannels)
        let sampleType = try setFormat(parameters, bitDepth: request.preferredBitDepth)
        let rate = try setRate(parameters, preferred: request.preferredSampleRate)
        var period = snd_pcm_uframes_t(OutputRequest.frames(in: request.preferredIOBufferDuration, at: rate))
        _ = snd_pcm_hw_params_set_period_size_near(pcm, parameters, &period, nil)
        var buffer = snd_pcm_uframes_t(OutputRequest.frames(in: request.bufferDuration, at: rate))
        buffer = max(buffer, 2 * period)
        _ = snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &buffer)
        try check(snd_pcm_hw_params(pcm, parameters), "configure")
        try check(snd_pcm_hw_params_get_period_size(parameters, &period, nil), "configure")
        try check(snd_pcm_hw_params_get_buffer_size(parameters, &buffer), "configure")
        guard (1...1 << 24).contains(period), (period...1 << 24).contains(buffer) else {
            throw .unsupported(device: device, what: "any usual buffer size")
        }
        try setSoftwareParameters(period: period, buffer: buffer)
        return OutputParameters(
            sampleRate: rate, channelCount: channels, sampleType: sampleType, periodFrames: Int(period),
            bufferFrames: Int(buffer), name: device, kind: kind())
    }

    /// Two channels where the card has them, else what is nearest to that, which a card for surround sound has, or one
    /// loudspeaker; or all that it has.
    private func setChannels(_ parameters: OpaquePointer?, wantsAll: Bool) throws(OutputError) -> Int {
        var channels: UInt32 = 2
        if wantsAll {
            try check(snd_pcm_hw_params_get_channels_max(parameters, &channels), "configure")
            guard OutputParameters.channelCounts.contains(Int(channels)) else {
                throw .invalidDevice(
                    device: device, reason: "it takes any number of channels; name the card itself, such as hw:1,0")
            }
        }
        guard snd_pcm_hw_params_set_channels_near(pcm, parameters, &channels) >= 0,
            OutputParameters.channelCounts.contains(Int(channels))
        else { throw .unsupported(device: device, what: "1 to 32 channels") }
        return Int(channels)
    }

    private func setFormat(_ parameters: OpaquePointer?, bitDepth: Int) throws(OutputError) -> SampleLayout {
        for type in Self.preferences(bitDepth: bitDepth) {
            guard let format = Self.formats.first(where: { $0.type == type })?.format else { continue }
            if snd_pcm_hw_params_set_format(pcm, parameters, format) >= 0 { return type }
        }
        throw .unsupported(device: device, what: "16, 24 or 32-bit samples")
    }

    /// The preferred rate where the card has it, else 48 kHz, else what is nearest to that.
    private func setRate(_ parameters: OpaquePointer?, preferred: Int) throws(OutputError) -> Int {
        let limits = OutputRequest.sampleRates
        var rate = UInt32(min(max(preferred, limits.lowerBound), limits.upperBound))
        if snd_pcm_hw_params_test_rate(pcm, parameters, rate, 0) < 0 { rate = 48_000 }
        try check(snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil), "set the rate of")
        guard limits.contains(Int(rate)) else { throw .unsupported(device: device, what: "any usual sample rate") }
        return Int(rate)
    }

    private func setSoftwareParameters(period: snd_pcm_uframes_t, buffer: snd_pcm_uframes_t) throws(OutputError) {
        var parameters: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&parameters), "configure")
        defer { snd_pcm_sw_params_free(parameters) }
        try check(snd_pcm_sw_params_current(pcm, parameters), "configure")
        var boundary: snd_pcm_uframes_t = 0
        try check(snd_pcm_sw_params_get_boundary(parameters, &boundary), "configure")
        // Starts when told to; stops when dry.
        try check(snd_pcm_sw_params_set_start_threshold(pcm, parameters, boundary), "configure")
        try check(snd_pcm_sw_params_set_stop_threshold(pcm, parameters, buffer), "configure")
        try check(snd_pcm_sw_params_set_avail_min(pcm, parameters, period), "configure")
        try check(snd_pcm_sw_params(pcm, parameters), "configure")
        // The rest is welcome but not needed, and some plugins refuse it: each on its own, taken back when refused.
        attempt(parameters) { snd_pcm_sw_params_set_tstamp_mode(pcm, $0, SND_PCM_TSTAMP_ENABLE) }
        let isRaw = attempt(parameters) {
            snd_pcm_sw_params_set_tstamp_type(pcm, $0, SND_PCM_TSTAMP_TYPE_MONOTONIC_RAW)
        }
        if !isRaw {
            attempt(parameters) { snd_pcm_sw_params_set_tstamp_type(pcm, $0, SND_PCM_TSTAMP_TYPE_MONOTONIC) }
        }
        // What has been played is overwritten by silence, so that an xrun is silence and not a stutter.
        attempt(parameters) {
            snd_pcm_sw_params_set_silence_threshold(pcm, $0, 0) < 0
                ? -1 : snd_pcm_sw_params_set_silence_size(pcm, $0, boundary)
        }
    }

    /// Changes one software parameter; a change that the PCM refuses is undone.
    @discardableResult
    private func attempt(_ parameters: OpaquePointer?, _ change: (OpaquePointer?) -> Int32) -> Bool {
        if change(parameters) >= 0, snd_pcm_sw_params(pcm, parameters) >= 0 { return true }
        if snd_pcm_sw_params_current(pcm, parameters) >= 0 { _ = snd_pcm_sw_params(pcm, parameters) }
        return false
    }

    /// The clock that `pcm` stamps with, as it was agreed on.
    static func stampClock(of pcm: OpaquePointer) -> ALSAStamps.Kind {
        var parameters: OpaquePointer?
        guard snd_pcm_sw_params_malloc(&parameters) >= 0 else { return .raw }
        defer { snd_pcm_sw_params_free(parameters) }
        var type = SND_PCM_TSTAMP_TYPE_GETTIMEOFDAY
        guard snd_pcm_sw_params_current(pcm, parameters) >= 0,
            snd_pcm_sw_params_get_tstamp_type(parameters, &type) >= 0
        else { return .raw }
        switch type {
        case SND_PCM_TSTAMP_TYPE_MONOTONIC: return .other(CLOCK_MONOTONIC)
        case SND_PCM_TSTAMP_TYPE_GETTIMEOFDAY: return .other(CLOCK_REALTIME)
        default: return .raw
        }
    }

    /// Guesses the sort of card from its driver's name.
    private func kind() -> OutputKind {
        switch snd_pcm_type(pcm) {
        case SND_PCM_TYPE_IOPLUG, SND_PCM_TYPE_NULL, SND_PCM_TYPE_FILE: return .virtual
        default: break
        }
        var information: OpaquePointer?
        guard snd_pcm_info_malloc(&information) >= 0 else { return .unknown }
        defer { snd_pcm_info_free(information) }
        guard snd_pcm_info(pcm, information) >= 0 else { return .unknown }
        let card = snd_pcm_info_get_card(information)
        return card < 0 ? .virtual : Self.kind(ofCard: card)
    }

    /// Guesses the sort of card number `card` from its driver's name.
    static func kind(ofCard card: Int32) -> OutputKind {
        var control: OpaquePointer?
        guard snd_ctl_open(&control, "hw:\(card)", Int32(SND_CTL_NONBLOCK)) >= 0 else { return .unknown }
        defer { snd_ctl_close(control) }
        var information: OpaquePointer?
        guard snd_ctl_card_info_malloc(&information) >= 0 else { return .unknown }
        defer { snd_ctl_card_info_free(information) }
        guard snd_ctl_card_info(control, information) >= 0,
            let driver = snd_ctl_card_info_get_driver(information)
        else { return .unknown }
        return kind(ofDriver: String(cString: driver))
    }

    /// The sort of card that a driver named `driver` drives.
    package static func kind(ofDriver driver: String) -> OutputKind {
        switch driver {
        case "USB-Audio": .usb
        case _ where driver.hasPrefix("HDA"): .hda
        case "Loopback", "Dummy": .virtual
        default: .unknown
        }
    }

    private func check(_ code: Int32, _ action: String) throws(OutputError) {
        if code < 0 { throw .failed(device: device, action: action, code: -code) }
    }
}
