import TuttiAssets
import TuttiHouse
import TuttiRooms
import TuttiSettings

/// The settings under `inputs:`: live sources by name.
enum InputSetting {
    static let source = Setting(
        "inputs.*.source",
        allowed: "a live source: alsa:PCM, pipe:/PATH, unix:/PATH, pipewire:NAME, tcp://HOST:PORT or exec:COMMAND"
    ) { LiveAddress.isOne($0) && (try? LiveAddress($0)) != nil ? $0 : nil }
    static let latency = Setting("inputs.*.latency", allowed: "a time from 20ms to 10s, or auto") {
        (try? LiveAddress.latency(parsing: $0)) == nil ? nil : $0
    }
    static let threshold = Setting("inputs.*.threshold", allowed: "dB of full scale from -100 to 0") {
        (try? LiveAddress.threshold(parsing: $0)) == nil ? nil : $0
    }
    static let playsOn = Setting("inputs.*.plays-on", allowed: "a group's name") { $0.isEmpty ? nil : $0 }
    static let interrupts = Setting("inputs.*.interrupts", allowed: "true or false") { Bool($0) }
    static let silence = Setting("inputs.*.silence", allowed: "a number of seconds from 1 to 3600") {
        Double($0).flatMap { (1...3_600).contains($0) ? $0 : nil }
    }

    static let metadata = Setting("inputs.*.metadata", allowed: TagAddress.allowed) { TagAddress($0) }

    static let rules = [
        source.rule, latency.rule, threshold.rule, playsOn.rule, interrupts.rule, silence.rule,
        metadata.rule,
    ]
}

extension PlayerSettings {
    /// The live inputs that are named.
    ///
    /// - Throws: an error with exit status 2 for one without a source.
    func liveInputs() throws -> [LiveInput] {
        let names = names(of: InputSetting.rules)
        return try names.map { name in
            guard var uri = try value(InputSetting.source.named(name)) else {
                throw SenderError.badOption("tutti.yaml: the input \(name) has no source")
            }
            if let latency = try value(InputSetting.latency.named(name)) {
                uri = try LiveAddress.with(latency: latency, uri)
            }
            if let threshold = try value(InputSetting.threshold.named(name)) {
                uri = try LiveAddress.with(threshold: threshold, uri)
            }
            return LiveInput(
                name: name, uri: uri, group: try value(InputSetting.playsOn.named(name)),
                interrupts: try value(InputSetting.interrupts.named(name)) ?? true,
                silence: try value(InputSetting.silence.named(name)) ?? 20,
                metadata: try value(InputSetting.metadata.named(name)))
        }
    }
}
