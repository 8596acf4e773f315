/// One connection of a client: bytes in, effects out. It does no I/O and asks nobody.
///
/// Commands are carried out elsewhere, one job at a time: after `.run` the connection does nothing until `finished` is
/// called, and collects what changes meanwhile.
package struct MPDConnection: Sendable {
    /// What the shell is to do, in this order.
    package enum Effect: Sendable, Equatable {
        /// Bytes for the client.
        case send([UInt8])
        /// Carries out commands, and calls `finished` with what came of it.
        case run(MPDJob)
        /// Ends the connection, once everything is sent.
        case close
    }

    private enum State {
        /// The next line is a command.
        case ready
        /// A job is under way.
        case running
        /// Lines of a list come in.
        case list(MPDJob.Kind)
        /// It waits for changes of these.
        case idle(MPDSubsystems)
        case closed
    }

    /// The version of the protocol that is spoken.
    package static let version = "0.23.5"

    /// What is known of the client.
    package private(set) var client: MPDClient
    private var state = State.ready
    private var splitter = MPDLineSplitter()
    private var pending: MPDSubsystems = []
    /// The lines of the list that comes in, and what they take.
    private var list: [[UInt8]] = []
    private var listBytes = 0

    package init(_ client: MPDClient) { self.client = client }

    /// Whether more bytes are wanted now. Some may come all the same.
    package var isReading: Bool {
        switch state {
        case .running: splitter.waiting < MPDLimits.ahead
        case .closed: false
        default: true
        }
    }

    /// Whether it is the client's turn to say something.
    package var isAwaited: Bool {
        switch state {
        case .ready, .list: true
        case .running, .idle, .closed: false
        }
    }

    /// The first line of the server.
    package func greeting() -> [Effect] { [.send(Array("OK MPD \(Self.version)\n".utf8))] }

    /// Bytes have come.
    package mutating func received(_ bytes: some Sequence<UInt8>) -> [Effect] {
        if case .closed = state { return [] }
        splitter.take(bytes)
        guard case .running = state else { return advance() }
        // More than a shell sends that asks `isReading`.
        return splitter.waiting > MPDLimits.ahead + MPDLimits.list ? close() : []
    }

    /// A job is done.
    package mutating func finished(_ outcome: MPDOutcome) -> [Effect] {
        guard case .running = state else { return [] }
        let wasElsewhere = client.partition != outcome.client.partition
        client = outcome.client
        // What changed in the old one is of no interest.
        if wasElsewhere { pending.subtract(.ofPartition) }
        state = .ready
        if outcome.output.count > MPDLimits.output { return close() }
        let answer: [Effect] = outcome.output.isEmpty ? [] : [.send(outcome.output)]
        return answer + (outcome.closes ? close() : advance())
    }

    /// Something has changed.
    package mutating func changed(_ change: MPDChange) -> [Effect] {
        switch change.scope {
        case .everybody: break
        case .partition(let name): guard name == client.partition else { return [] }
        case .client(let number): guard number == client.number else { return [] }
        }
        pending.formUnion(change.subsystems)
        guard case .idle(let wanted) = state, !wanted.isDisjoint(with: pending) else { return [] }
        return endIdle(wanted)
    }

    /// Takes lines until something has to happen first.
    private mutating func advance() -> [Effect] {
        var effects: [Effect] = []
        while true {
            switch state {
            case .running, .closed: return effects
            case .ready, .list, .idle: break
            }
            switch splitter.next() {
            case .wait: return effects
            case .tooLong: return effects + close()
            case .line(let line): effects += take(line)
            }
        }
    }

    private mutating func take(_ line: [UInt8]) -> [Effect] {
        switch state {
        case .idle(let wanted): return line == Self.noidle ? endIdle(wanted) : close()
        case .list(let kind):
            if line == Self.listEnd {
                defer { (list, listBytes) = ([], 0) }
                return run(kind, list)
            }
            // An empty line takes memory too.
            listBytes += line.count + 32
            guard listBytes <= MPDLimits.list else { return close() }
            list.append(line)
            return []
        case .ready: return begin(line)
        case .running, .closed: return []
        }
    }

    private mutating func begin(_ line: [UInt8]) -> [Effect] {
        // Whoever speaks HTTP, or noise, is no client; a page in a browser must not get a command through.
        guard let first = line.first, (0x61...0x7A).contains(first) else { return close() }
        switch line {
        case Self.noidle: return []
        case Self.listBegin: state = .list(.list)
        case Self.okListBegin: state = .list(.okList)
        case Self.closeWord: return close()
        default: return line.starts(with: Self.idle) ? wait(line) : run(.one, [line])
        }
        return []
    }

    private mutating func run(_ kind: MPDJob.Kind, _ lines: [[UInt8]]) -> [Effect] {
        state = .running
        return [.run(MPDJob(kind, lines, of: client))]
    }

    /// Begins to wait for changes.
    private mutating func wait(_ line: [UInt8]) -> [Effect] {
        var wanted: MPDSubsystems = []
        do throws(MPDFault) {
            let words = try MPDWords(line: line)
            guard words.command == "idle" else { return run(.one, [line]) }
            guard client.permissions.contains(.read) else {
                throw MPDFault(.permission, "you don't have permission for \"idle\"")
            }
            for word in words.arguments {
                guard let subsystem = MPDSubsystems(word: word) else {
                    throw MPDFault(.argument, "Unrecognized idle event: \(word)")
                }
                wanted.insert(subsystem)
            }
            if words.arguments.isEmpty { wanted = .all }
        } catch {
            return [.send(Array(error.line(at: 0, of: "idle").utf8))]
        }
        state = .idle(wanted)
        return wanted.isDisjoint(with: pending) ? [] : endIdle(wanted)
    }

    private mutating func endIdle(_ wanted: MPDSubsystems) -> [Effect] {
        state = .ready
        var output = MPDOutput()
        for word in pending.intersection(wanted).words { output.pair("changed", word) }
        pending.subtract(wanted)
        output.line("OK")
        return [.send(output.bytes)]
    }

    private mutating func close() -> [Effect] {
        state = .closed
        (splitter, list) = (MPDLineSplitter(), [])
        return [.close]
    }

    private static let idle = Array("idle".utf8)
    private static let noidle = Array("noidle".utf8)
    private static let closeWord = Array("close".utf8)
    private static let listBegin = Array("command_list_begin".utf8)
    private static let okListBegin = Array("command_list_ok_begin".utf8)
    private static let listEnd = Array("command_list_end".utf8)
}
