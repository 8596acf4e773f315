import FoundationEssentials
package import TuttiHost
package import TuttiRendering
import TuttiWire

/// What a speaker remembers from one run to the next.
package struct SpeakerState: Codable, Sendable, Equatable {
    /// 128 random bits in hexadecimal: who this speaker is, whatever it is called.
    package var id: String
    /// What somebody has called the room, and what it was called by its configuration then.
    package private(set) var givenName: String?
    private var configuredName: String?
    /// 0 … 100.
    package var volume: Double
    package var isMuted: Bool
    /// How late the output is heard, in milliseconds.
    package var outputDelayMilliseconds: Double
    /// How fast each device ran, against this host's clock.
    package var devices: [String: RememberedRate]
    /// How fast each leader's clock ran, against this host's; by the leader's id.
    package var leaders: [String: RememberedRate]
    /// The group clock as it was known last.
    var clock: RememberedClock?

    /// Devices, and leaders, that are remembered at most.
    static let memory = 64

    /// A speaker that has never run.
    package init(id: String, volume: Double = 60) {
        self.id = id
        self.volume = volume
        isMuted = false
        outputDelayMilliseconds = 0
        devices = [:]
        leaders = [:]
    }

    /// Reads what an older or newer speaker wrote: all but the id may be missing, or damaged.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ usual: Value) -> Value {
            (try? container.decode(Value.self, forKey: key)) ?? usual
        }
        self.init(id: try container.decode(String.self, forKey: .id))
        givenName = value(.givenName, givenName)
        configuredName = value(.configuredName, configuredName)
        volume = value(.volume, volume)
        isMuted = value(.isMuted, isMuted)
        outputDelayMilliseconds = value(.outputDelayMilliseconds, outputDelayMilliseconds)
        devices = value(.devices, devices)
        leaders = value(.leaders, leaders)
        clock = value(.clock, clock)
    }

    /// What a file says, held to the ranges that the rest of the speaker relies on.
    func validated() -> SpeakerState? {
        guard (1...64).contains(id.utf8.count), id.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        var state = self
        if givenName.map({ !(1...WireLimits.nameBytes).contains($0.utf8.count) }) ?? false { state.givenName = nil }
        state.volume = volume.isFinite ? min(max(volume, 0), 100) : 60
        state.outputDelayMilliseconds =
            outputDelayMilliseconds.isFinite ? min(max(outputDelayMilliseconds, -5_000), 5_000) : 0
        state.devices = devices.filter(\.value.isPlausible)
        state.leaders = leaders.filter(\.value.isPlausible)
        guard state.devices.count <= Self.memory, state.leaders.count <= Self.memory else { return nil }
        return state
    }

    /// What the room is called: as somebody has called it, until its configuration says something else than it did
    /// then.
    package func name(configured: String) -> String {
        configuredName == configured ? givenName ?? configured : configured
    }

    /// Somebody calls the room so.
    package mutating func setName(_ name: String, configured: String) {
        (givenName, configuredName) = name == configured ? (nil, nil) : (name, configured)
    }

    /// Remembers a rate in one of the tables; somebody is forgotten when the table is full.
    mutating func remember(
        _ rate: RememberedRate, of name: String, in table: WritableKeyPath<SpeakerState, [String: RememberedRate]>
    ) {
        guard rate.isPlausible else { return }
        if self[keyPath: table][name] == nil, self[keyPath: table].count >= Self.memory,
            let vague = self[keyPath: table].max(by: { $0.value.sigma < $1.value.sigma })
        {
            self[keyPath: table][vague.key] = nil
        }
        self[keyPath: table][name] = rate
    }
}

/// The state file of one speaker; written whole and atomically, by one task at a time.
package struct SpeakerStateFile: Sendable {
    let path: String
    let files: any StateFiles
    private let random: RandomSource

    package init(directory: String, files: any StateFiles = SystemFiles(), random: RandomSource = .system) {
        path = directory + "/speaker.json"
        self.files = files
        self.random = random
    }

    /// The remembered state; a new one when there is none. A file that cannot be understood is set aside under another
    /// name, never overwritten, and the lines of it that can be are kept.
    ///
    /// - Throws: `SpeakerError.stateUnwritable` when the folder cannot be made or written.
    package func load(firstVolume: Double = 60) throws(SpeakerError) -> (state: SpeakerState, setAside: String?) {
        do {
            let bytes = try files.read(path)
            if let bytes, let state = Self.parse(bytes) { return (state, nil) }
            var setAside: String?
            var state = SpeakerState(id: makeID(), volume: firstVolume)
            if let bytes {
                setAside = path + ".unreadable"
                try files.write(bytes, to: path + ".unreadable")
                state = Self.salvage(bytes, else: state)
            }
            try save(state)
            return (state, setAside)
        } catch let error as SpeakerError {
            throw error
        } catch {
            throw .stateUnwritable(path: path, reason: String(describing: error))
        }
    }

    /// Writes the state.
    func save(_ state: SpeakerState) throws(SpeakerError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try files.write([UInt8](encoder.encode(state)), to: path)
        } catch {
            throw .stateUnwritable(path: path, reason: String(describing: error))
        }
    }

    private static func parse(_ bytes: [UInt8]) -> SpeakerState? {
        (try? JSONDecoder().decode(SpeakerState.self, from: Data(bytes)))?.validated()
    }

    /// What the lines of a damaged file say that are whole: each of the small values stands on one of its own.
    private static func salvage(_ bytes: [UInt8], else state: SpeakerState) -> SpeakerState {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
        let whole = lines.map { $0.hasSuffix(",") ? String($0.dropLast()) : $0 }
            .filter { $0.hasPrefix("  \"") && isObject("{\($0)}") }
        let rest = whole.filter { !$0.hasPrefix("  \"id\"") } + ["\"id\":\"\(state.id)\""]
        let attempts = [whole, rest].map { Array("{\($0.joined(separator: ","))}".utf8) }
        return attempts.lazy.compactMap(parse).first ?? state
    }

    private static func isObject(_ text: String) -> Bool {
        struct Anything: Decodable {
            init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Name.self) }

            struct Name: CodingKey {
                let stringValue: String
                let intValue: Int? = nil
                init?(stringValue: String) { self.stringValue = stringValue }
                init?(intValue: Int) { nil }
            }
        }
        return (try? JSONDecoder().decode(Anything.self, from: Data(text.utf8))) != nil
    }

    private func makeID() -> String {
        let hex = (0..<2).map { _ in
            let digits = random.hexadecimal()
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return hex.joined()
    }
}
