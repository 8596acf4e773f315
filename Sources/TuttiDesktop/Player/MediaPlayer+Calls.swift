import TuttiCore
import TuttiRemote
import TuttiSchema

/// What is called on a player's object.
extension MediaPlayer {
    /// What becomes of a call.
    package enum Outcome: Sendable, Equatable {
        /// It is answered by these values.
        case reply([BusValue])
        /// The service is asked first.
        case act(PlayerAction)
        /// It is answered by the id of this machine.
        case machineID
    }

    /// Where a player's object is, as MPRIS says.
    package static let path = "/org/mpris/MediaPlayer2"

    private static let everywhere: [BusInterface] = [.introspectable, .peer]
    private static let own: [BusInterface] = everywhere + [.properties, .root, .player]

    /// What becomes of a call.
    ///
    /// - Throws: why it is refused, whatever there is in it.
    package func outcome(of call: BusCall, at now: Double) throws(BusFault) -> Outcome {
        guard call.path == Self.path else { return try Self.outcome(ofCallAbove: call) }
        let interface = try Self.method(of: call, in: Self.own)
        switch interface.name {
        case BusInterface.properties.name: return try property(call, at: now)
        case BusInterface.player.name: return try control(call, at: now)
        case BusInterface.introspectable.name: return .reply([.string(BusInterface.document(Self.own))])
        default: return Self.common(call)
        }
    }

    /// Objects that only lead to the player's.
    private static func outcome(ofCallAbove call: BusCall) throws(BusFault) -> Outcome {
        let parts = path.split(separator: "/").map(String.init)
        let depth = call.path == "/" ? 0 : call.path.split(separator: "/").count
        guard depth < parts.count, call.path == "/" + parts[..<depth].joined(separator: "/") else {
            throw .unknownObject(call.path)
        }
        let interface = try method(of: call, in: everywhere)
        guard interface.name == BusInterface.introspectable.name else { return common(call) }
        return .reply([.string(BusInterface.document(everywhere, children: [parts[depth]]))])
    }

    /// The interface of the method that is called, with arguments that are of its types.
    private static func method(of call: BusCall, in interfaces: [BusInterface]) throws(BusFault) -> BusInterface {
        let named = interfaces.filter { call.interface == nil || $0.name == call.interface }
        if named.isEmpty { throw .unknownInterface(call.interface ?? "") }
        guard let interface = named.first(where: { $0.method(call.member) != nil }),
            let method = interface.method(call.member)
        else { throw .unknownMethod(call.member) }
        let signature = call.arguments.map(\.signature).joined()
        guard signature == method.signature else {
            throw .invalidArguments("\(method.name) takes '\(method.signature)' and not '\(signature)'")
        }
        return interface
    }

    /// `Peer`, `Raise` and `Quit`: there is no window, and the service is not this program's.
    private static func common(_ call: BusCall) -> Outcome {
        call.member == "GetMachineId" ? .machineID : .reply([])
    }

    // MARK: Control

    private func control(_ call: BusCall, at now: Double) throws(BusFault) -> Outcome {
        let abilities = properties.abilities
        let isStopped = properties.playback == .stopped
        switch (call.member, call.arguments.first, call.arguments.last) {
        case ("Next", _, _): return act(.next, if: abilities.canGoNext)
        case ("Previous", _, _): return act(.previous, if: abilities.canGoPrevious)
        case ("Pause", _, _): return act(.pause, if: abilities.canPause)
        case ("Play", _, _): return act(.resume(), if: abilities.canPlay)
        case ("PlayPause", _, _): return act(isStopped ? .resume() : .toggle(), if: abilities.canPlay)
        case ("Stop", _, _): return act(.stop, if: group.status != nil && group.status?.state != .stopped)
        case ("Seek", .int64(let distance), _): return seek(by: distance, at: now)
        case ("SetPosition", .objectPath(let track), .int64(let place)): return seek(to: place, in: track)
        case ("OpenUri", .string(let uri), _): return .act(.open(try PlayerAction.input(ofURI: uri)))
        default: throw .unknownMethod(call.member)
        }
    }

    /// What cannot be done now has no effect, as MPRIS says.
    private func act(_ command: PlayerCommand, if isPossible: Bool) -> Outcome {
        isPossible ? .act(.command(command)) : .reply([])
    }

    private func seek(by distance: Int64, at now: Double) -> Outcome {
        let (target, isBeyond) = position(at: now).addingReportingOverflow(distance)
        let isAfterEnd = (isBeyond && distance > 0) || (properties.track?.length).map { target >= $0 } == true
        guard properties.abilities.canSeek, !isAfterEnd else {
            return act(.next, if: properties.abilities.canSeek && properties.abilities.canGoNext)
        }
        let seconds = max(Microseconds.seconds(distance), -group.position(at: now))
        guard let time = MediaTime(seconds: seconds, preferredTimescale: 1000) else { return .reply([]) }
        return act(.seek(.by(time)), if: true)
    }

    private func seek(to place: Int64, in track: String) -> Outcome {
        guard properties.abilities.canSeek, let current = properties.track, current.id == track, place >= 0,
            place <= current.length ?? .max,
            let time = MediaTime(seconds: Microseconds.seconds(place), preferredTimescale: 1000)
        else { return .reply([]) }
        return act(.seek(.to(time)), if: true)
    }

    // MARK: Properties

    private func property(_ call: BusCall, at now: Double) throws(BusFault) -> Outcome {
        guard case .string(let name) = call.arguments.first else { throw .unknownMethod(call.member) }
        guard let interface = Self.own.first(where: { $0.name == name }) else { throw .unknownInterface(name) }
        if call.member == "GetAll" {
            let values = interface.properties.map { ($0.name, value(of: $0, at: now)) }
            return .reply([.dictionary(Dictionary(values) { first, _ in first }.compactMapValues(\.self))])
        }
        guard call.arguments.count > 1, case .string(let name) = call.arguments[1] else {
            throw .unknownMethod(call.member)
        }
        guard let property = interface.property(name), let value = value(of: property, at: now) else {
            throw .unknownProperty(name)
        }
        guard call.member == "Set" else { return .reply([.variant(value)]) }
        guard property.isWritable else { throw .readOnly(name) }
        guard case .variant(let wanted) = call.arguments.last, wanted.signature == property.signature else {
            throw .invalidArguments("\(name) is of the type '\(property.signature)'")
        }
        return try set(name, wanted)
    }

    private func value(of property: BusInterface.Property, at now: Double) -> BusValue? {
        switch property.name {
        case "CanQuit", "CanRaise", "HasTrackList": .boolean(false)
        case "Identity": .string(identity)
        case "SupportedUriSchemes": .strings(PlayerAction.schemes)
        case "SupportedMimeTypes": .strings(PlayerAction.types)
        case "Position": .int64(position(at: now))
        default: properties.value(of: property.name)
        }
    }

    private func set(_ name: String, _ value: BusValue) throws(BusFault) -> Outcome {
        switch (name, value) {
        case ("LoopStatus", .string(let text)):
            guard let mode = RepeatMode(loopStatus: text) else {
                throw .invalidArguments("LoopStatus is None, Track or Playlist")
            }
            return act(.repeat(mode), if: true)
        case ("Shuffle", .boolean(let isShuffled)):
            // To shuffle what is shuffled would make another order.
            return act(.shuffle(isShuffled), if: isShuffled != properties.shuffle)
        case ("Rate", .double(let rate)):
            // As MPRIS says of a rate of 0.
            if rate == 0 { return act(.pause, if: properties.abilities.canPause) }
            guard PlayerProperties.rates.contains(rate) else { throw .invalidArguments("Rate is from 0.5 to 2") }
            return act(.rate(rate), if: true)
        case ("Volume", .double(let volume)):
            guard volume.isFinite else { throw .invalidArguments("Volume is from 0 to 1") }
            return .act(.volume(min(max(volume, 0), 1)))
        default: throw .unknownProperty(name)
        }
    }
}
