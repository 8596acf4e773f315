import CALSA
import Glibc

/// An element of an ALSA mixer that sets how loud a card is.
package final class HardwareMixer: MixerElement {
    /// What elements for all of a card's sound are called, the likeliest first.
    private static let usual = ["Master", "Digital", "PCM", "Speaker", "Headphone", "Line Out"]

    /// What it is called.
    package let name: String
    package let hasSwitch: Bool
    private let card: String
    private let scale: MixerScale
    private let mixer: OpaquePointer
    private let element: OpaquePointer
    /// How it stood when it was last looked at.
    private var known: State?

    /// What is read of the element: the loudest channel's step, and whether any is on.
    private struct State: Equatable {
        var step: Int
        var isOn: Bool
    }

    /// Opens a mixer.
    ///
    /// - Parameters:
    ///   - name: the element's, with its number after a comma if that is not 0; nil for the usual one.
    ///   - card: the mixer, as ALSA names it: `hw:1`, `hw:Name`, `default`.
    /// - Throws: `OutputError.cannotOpen`, which `isMissing` while the card is not there; `.noMixerElement` when there is
    ///   no such element, or it has no scale in decibels.
    package init(_ name: String?, ofCard card: String) throws(OutputError) {
        tutti_alsa_silence()
        let mixer = try Self.open(card)
        do throws(OutputError) {
            let found = try Self.find(name, in: mixer, card: card)
            (element, scale, self.name) = (found.element, found.scale, found.name)
        } catch {
            snd_mixer_close(mixer)
            throw error
        }
        self.mixer = mixer
        self.card = card
        hasSwitch = snd_mixer_selem_has_playback_switch(element) != 0
    }

    deinit { snd_mixer_close(mixer) }

    package func set(_ level: MixerLevel) throws(OutputError) {
        let decibels = scale.decibels(ofAmplitude: level.amplitude)
        // The step below, so that nothing is louder than was asked for; the lowest one has none.
        let direction: Int32 = decibels > scale.least ? -1 : 0
        try check(snd_mixer_selem_set_playback_dB_all(element, decibels, direction))
        if hasSwitch { try check(snd_mixer_selem_set_playback_switch_all(element, level.isOff ? 0 : 1)) }
        known = try state()
    }

    package func change() throws(OutputError) -> MixerLevel? {
        try check(snd_mixer_handle_events(mixer))
        let state = try state()
        guard let known, state != known else { return nil }
        self.known = state
        var decibels = 0
        try check(snd_mixer_selem_ask_playback_vol_dB(element, state.step, &decibels))
        return MixerLevel(amplitude: scale.amplitude(ofDecibels: decibels), isOff: !state.isOn)
    }

    private func state() throws(OutputError) -> State {
        var (step, isOn) = (Int.min, !hasSwitch)
        for number in 0...SND_MIXER_SCHN_LAST.rawValue {
            let channel = snd_mixer_selem_channel_id_t(rawValue: number)
            guard snd_mixer_selem_has_playback_channel(element, channel) != 0 else { continue }
            var (value, position) = (0, Int32(0))
            try check(snd_mixer_selem_get_playback_volume(element, channel, &value))
            step = max(step, value)
            if hasSwitch {
                try check(snd_mixer_selem_get_playback_switch(element, channel, &position))
                isOn = isOn || position != 0
            }
        }
        return State(step: step, isOn: isOn)
    }

    private func check(_ code: Int32) throws(OutputError) {
        guard code < 0 else { return }
        throw code == -ENODEV ? .lost(device: card, code: -code) : .failed(device: card, action: "set", code: -code)
    }

    // MARK: Opening

    private static func open(_ card: String) throws(OutputError) -> OpaquePointer {
        var opened: OpaquePointer?
        guard snd_mixer_open(&opened, 0) >= 0, let mixer = opened else {
            throw .cannotOpen(device: card, code: ENOMEM)
        }
        var code = snd_mixer_attach(mixer, card)
        if code >= 0 { code = snd_mixer_selem_register(mixer, nil, nil) }
        if code >= 0 { code = snd_mixer_load(mixer) }
        guard code >= 0 else {
            snd_mixer_close(mixer)
            throw .cannotOpen(device: card, code: -code)
        }
        return mixer
    }

    private static func find(
        _ name: String?, in mixer: OpaquePointer, card: String
    ) throws(OutputError) -> (element: OpaquePointer, scale: MixerScale, name: String) {
        var elements: [(element: OpaquePointer, scale: MixerScale, name: String)] = []
        var next = snd_mixer_first_elem(mixer)
        while let element = next {
            next = snd_mixer_elem_next(element)
            guard snd_mixer_selem_is_active(element) != 0, snd_mixer_selem_has_playback_volume(element) != 0,
                let scale = scale(of: element)
            else { continue }
            elements.append((element, scale, Self.name(of: element)))
        }
        let wanted = name.map { [$0] } ?? usual
        let found = wanted.lazy.compactMap { name in elements.first { $0.name == name } }.first
        guard let found = found ?? (name == nil && elements.count == 1 ? elements.first : nil) else {
            throw .noMixerElement(name, card: card, others: elements.map(\.name))
        }
        return found
    }

    private static func name(of element: OpaquePointer) -> String {
        let number = snd_mixer_selem_get_index(element)
        return String(cString: snd_mixer_selem_get_name(element)) + (number == 0 ? "" : ",\(number)")
    }

    /// Nil for an element without a scale in decibels.
    private static func scale(of element: OpaquePointer) -> MixerScale? {
        var (least, most) = (0, 0)
        guard snd_mixer_selem_get_playback_dB_range(element, &least, &most) >= 0, least < most else { return nil }
        return MixerScale(least: least, most: most)
    }
}
