import CALSA
import Glibc
package import TuttiHost

/// A device that `OutputRequest.device` can name.
package struct OutputDeviceDescription: Sendable, Hashable {
    /// What to write after `--device`.
    package let name: String
    /// What it is, in one line.
    package let description: String

    /// A description of the given parts.
    package init(name: String, description: String) {
        self.name = name
        self.description = description
    }
}

/// The devices of this host.
package enum OutputDevices {
    /// Opens the device that `request` names; start it when there is something to play.
    ///
    /// - Throws: `OutputError`; `isMissing` and `isBusy` say whether trying later may help. An attempt is cheap.
    package static func open(_ request: OutputRequest, clock: HostClock) throws(OutputError) -> sending any OutputDevice
    {
        if let range = try ChannelRange(parsing: request.device) {
            return try SharedCards.open(range, request: request, clock: clock)
        }
        return try openWhole(request, clock: clock)
    }

    /// Opens a device that is not some channels of another.
    static func openWhole(_ request: OutputRequest, clock: HostClock) throws(OutputError) -> sending any OutputDevice {
        if let specification = try VirtualSpecification(parsing: request.device) {
            return try VirtualOutput(specification, request: request, clock: clock, time: SystemRawTime())
        }
        guard !request.device.isEmpty, !request.device.utf8.contains(0) else {
            throw .invalidDevice(device: request.device, reason: "it is not a valid name")
        }
        return try ALSAOutput(request: request, clock: clock)
    }

    /// Whether `name` can mean a device: a virtual one, or a PCM that ALSA's configuration defines. Its card need not
    /// be there.
    package static func isDefined(_ name: String) -> Bool {
        guard !name.isEmpty, !name.utf8.contains(0) else { return false }
        do {
            if let range = try ChannelRange(parsing: name) { return isDefined(range.card) }
            if try VirtualSpecification(parsing: name) != nil { return true }
        } catch {
            return false
        }
        tutti_alsa_silence()
        var configuration: OpaquePointer?
        // Without a configuration, opening the device tells what is wrong with that.
        guard snd_config_update_ref(&configuration) >= 0, let configuration else { return true }
        defer { snd_config_unref(configuration) }
        let kind = name.prefix { $0 != ":" }
        var definition: OpaquePointer?
        return snd_config_search(configuration, "pcm.\(kind)", &definition) >= 0
    }

    /// Everything that can be played to: ALSA's PCMs, then the virtual devices.
    package static func list() -> [OutputDeviceDescription] {
        tutti_alsa_silence()
        return hints()
            + [
                OutputDeviceDescription(
                    name: "file:PATH.wav", description: "a recording (rate=, bits=, channels=, ppm=, … after \"?\")"
                ),
                OutputDeviceDescription(name: "null", description: "a silent card"),
                OutputDeviceDescription(
                    name: "DEVICE#3-4", description: "channels 3 and 4 of a card with more than two"),
            ]
    }

    /// Definitions that come with alsa-plugins and play to another device: no outputs of their own.
    private static let plugins: Set = [
        "null", "lavrate", "samplerate", "speexrate", "speex", "upmix", "vdownmix", "a52", "usbstream",
    ]

    private static func hints() -> [OutputDeviceDescription] {
        var list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &list) >= 0, let list else { return [] }
        defer { snd_device_name_free_hint(list) }
        var found: [OutputDeviceDescription] = []
        var next = list
        while let hint = next.pointee {
            next += 1
            // No direction means both.
            guard text(hint, "IOID").map({ $0 == "Output" }) ?? true, let name = text(hint, "NAME"),
                !plugins.contains(String(name.prefix { $0 != ":" }))
            else { continue }
            let lines = (text(hint, "DESC") ?? "").split(separator: "\n").joined(separator: ", ")
            found.append(OutputDeviceDescription(name: name, description: lines))
        }
        return found
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let raw = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(raw) }
        return String(cString: raw)
    }
}
