/// Where live sound comes from, as an input names it: `alsa:PCM`, `pipe:/PATH`, `unix:/PATH`, `pipewire:NAME`,
/// `tcp://HOST:PORT` or `exec:COMMAND`, each with `?format=RATE:BITS:CHANNELS&latency=TIME` behind it, or less of that.
package struct LiveAddress: Sendable, Equatable {
    /// What is read.
    package enum Source: Sendable, Hashable {
        /// An ALSA PCM that records.
        case card(String)
        /// A named pipe, which is made where there is none.
        case pipe(path: String)
        /// A Unix stream socket that somebody listens on.
        case socket(path: String)
        /// A node of a session's PipeWire, by the name under which `tutti-pipewire` offers it.
        case node(String)
        /// A TCP connection to whoever listens there.
        case connection(host: String, port: UInt16)
        /// The TCP connection of whoever comes.
        case listener(host: String, port: UInt16)
        /// What a command of the shell writes to its standard output.
        case program(command: String)
    }

    /// What is read.
    package let source: Source
    /// What samples from anywhere but a card are.
    package let format: RawFormat
    /// How long after it was captured sound is heard, in ns; at first, where that may rise.
    package let latency: Int64
    /// Whether the latency may rise where sound comes too late.
    package let raisesLatency: Bool
    /// How loud a sample has to be for the input to sound, in dB of full scale.
    package let threshold: Double

    /// The latencies there are, in ns.
    package static let latencies: ClosedRange<Int64> = 20_000_000...10_000_000_000
    /// The latency that is kept where none is asked for: enough for most radio links, little enough for a turntable.
    package static let usualLatency: Int64 = 250_000_000
    /// The latency that is begun with where it may rise.
    package static let firstLatency: Int64 = 100_000_000
    private static let automatic = "auto"
    /// What is above the noise of most turntables and line-ins, and below what people call music.
    private static let usualThreshold = -50.0
    private static let usualFormat = RawFormat(sampleRate: 48_000, sample: .signed16, channelCount: 2)

    /// What `tutti-pipewire` gives.
    private static let nodeFormat = RawFormat(sampleRate: 48_000, sample: .float32, channelCount: 2)

    private static let schemes: Set<String> = ["alsa", "pipe", "unix", "pipewire", "tcp", "exec"]

    /// What people may call it.
    package var name: String {
        switch source {
        case .card(let name): "card \(name)"
        case .pipe(let path), .socket(let path): path.split(separator: "/").last.map(String.init) ?? path
        case .node(let name): name
        case .connection(let host, let port), .listener(let host, let port): "\(host):\(port)"
        case .program(let command): command.split(separator: " ").first.map(String.init) ?? command
        }
    }

    /// Whether an input is a live one, perhaps one that makes no sense.
    package static func isOne(_ uri: String) -> Bool {
        uri.firstIndex(of: ":").map { schemes.contains(uri[..<$0].lowercased()) } ?? false
    }

    /// Reads an input that `isOne`.
    ///
    /// - Throws: `AssetError.badLiveInput` or `.badRawFormat`.
    package init(_ uri: String) throws(AssetError) {
        guard let colon = uri.firstIndex(of: ":") else { throw .badLiveInput(uri, reason: "this is no live input") }
        let scheme = uri[..<colon].lowercased()
        let options = LiveOptions(uri[uri.index(after: colon)...], isStrict: scheme != "exec")
        if let key = options.unknown {
            throw .badLiveInput(uri, reason: "there is no option \(key); use format, latency, threshold or listen")
        }
        guard !options.place.isEmpty, !options.place.utf8.contains(0) else {
            throw .badLiveInput(uri, reason: "it names nothing behind the colon")
        }
        source = try Self.source(scheme, options, uri)
        guard
            let format = try options.format.map({ text throws(AssetError) in try RawFormat(parsing: text) })
                ?? (scheme == "pipewire" ? Self.nodeFormat : Self.usualFormat), format.channelCount <= 2
        else { throw .badLiveInput(uri, reason: "live sound has one or two channels") }
        self.format = format
        raisesLatency = options.latency == Self.automatic
        latency =
            try options.latency.map { text throws(AssetError) in try Self.latency(parsing: text) }
            ?? Self.usualLatency
        threshold =
            try options.threshold.map { text throws(AssetError) in try Self.threshold(parsing: text) }
            ?? Self.usualThreshold
    }

    private static func source(_ scheme: String, _ options: LiveOptions, _ uri: String) throws(AssetError) -> Source {
        switch scheme {
        case "alsa": return .card(options.place)
        case "exec": return .program(command: options.place)
        case "pipewire":
            guard !options.place.contains("/") else {
                throw .badLiveInput(uri, reason: "it names a node, as in pipewire:microphone")
            }
            return .node(options.place)
        case "pipe", "unix":
            // `pipe:///tmp/fifo` is the same place.
            let path = options.place.hasPrefix("///") ? String(options.place.dropFirst(2)) : options.place
            guard path.hasPrefix("/") else {
                throw .badLiveInput(uri, reason: "its path begins with /, as in \(scheme):/run/music")
            }
            return scheme == "pipe" ? .pipe(path: path) : .socket(path: path)
        default:
            let place = options.place.drop { $0 == "/" }
            guard let split = place.lastIndex(of: ":"), let port = UInt16(place[place.index(after: split)...]), port > 0
            else { throw .badLiveInput(uri, reason: "it needs a host and a port, as in tcp://127.0.0.1:4953") }
            let host = String(place[..<split].filter { $0 != "[" && $0 != "]" })
            guard !host.isEmpty else {
                throw .badLiveInput(uri, reason: "it needs a host, as in tcp://127.0.0.1:4953")
            }
            return options.listens ? .listener(host: host, port: port) : .connection(host: host, port: port)
        }
    }

    /// Reads `60ms`, `0.2s`, `2s`, or a bare number of milliseconds; `auto` is what is begun with then.
    ///
    /// - Throws: `AssetError.badLiveInput` for anything else, and outside of `latencies`.
    package static func latency(parsing text: String) throws(AssetError) -> Int64 {
        if text == automatic { return firstLatency }
        let number = text.prefix { $0.isNumber || $0 == "." }
        let scale: Double? =
            switch text.dropFirst(number.count).drop(while: { $0 == " " }).lowercased() {
            case "", "ms": 1e6
            case "s": 1e9
            default: nil
            }
        guard let value = Double(number), let scale, value.isFinite, value <= 1e6,
            latencies.contains(Int64(value * scale))
        else { throw .badLiveInput(text, reason: "a latency is from 20ms to 10s, or auto") }
        return Int64(value * scale)
    }

    /// Reads `-50` or `-50dB`.
    ///
    /// - Throws: `AssetError.badLiveInput` for anything else, and outside of -100 … 0.
    package static func threshold(parsing text: String) throws(AssetError) -> Double {
        let number = text.lowercased().hasSuffix("db") ? text.dropLast(2) : text[...]
        guard let value = Double(number), (-100.0...0).contains(value) else {
            throw .badLiveInput(text, reason: "a threshold is from -100 to 0 dB")
        }
        return value
    }

    /// The input with another latency.
    ///
    /// - Throws: as `init`.
    package static func with(latency: String, _ uri: String) throws(AssetError) -> String {
        let nanoseconds = try self.latency(parsing: latency)
        return try with("latency", latency == automatic ? automatic : "\(Double(nanoseconds) / 1e6)ms", uri)
    }

    /// The input with another threshold.
    ///
    /// - Throws: as `init`.
    package static func with(threshold: String, _ uri: String) throws(AssetError) -> String {
        try with("threshold", "\(try self.threshold(parsing: threshold))", uri)
    }

    private static func with(_ option: String, _ value: String, _ uri: String) throws(AssetError) -> String {
        _ = try LiveAddress(uri)
        let text = "\(option)=\(value)"
        guard let mark = uri.lastIndex(of: "?"), LiveOptions.areOptions(uri[uri.index(after: mark)...]) else {
            return uri + "?" + text
        }
        let kept = uri[uri.index(after: mark)...].split(separator: "&").filter { !$0.hasPrefix("\(option)=") }
        return uri[...mark] + (kept.map(String.init) + [text]).joined(separator: "&")
    }
}
