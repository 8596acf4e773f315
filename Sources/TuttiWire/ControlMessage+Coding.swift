import FoundationEssentials
import TuttiCore

extension ControlMessage {
    /// The message in a control frame's body.
    ///
    /// - Throws: `malformedMessage`, naming the field, when it is no JSON object, lacks a field or one is out of its
    ///   limits.
    package init(parsing body: [UInt8]) throws(WireError) {
        guard body.count <= WireLimits.controlBytes else {
            throw .malformedMessage("too long (\(body.count) bytes)")
        }
        do {
            self = try JSONDecoder().decode(Incoming.self, from: Data(body)).message
        } catch let error as WireError {
            throw error
        } catch {
            throw .malformedMessage("not a JSON object with a 'type'")
        }
    }

    /// The message as JSON.
    package func encodedBody() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Outgoing(message: self)), data.count <= WireLimits.controlBytes else {
            preconditionFailure("every message fits its frame")
        }
        return Array(data)
    }

    /// The value of the field `type`.
    package var type: String {
        switch self {
        case .hello: "hello"
        case .clock: "clock"
        case .format: "format"
        case .pictureFormat: "pictureFormat"
        case .timebase: "timebase"
        case .flush: "flush"
        case .volume: "volume"
        case .outputDelay: "outputDelay"
        case .name: "name"
        case .end: "end"
        case .effects: "effects"
        case .reference: "reference"
        case .ping: "ping"
        case .goodbye: "goodbye"
        case .welcome: "welcome"
        case .credit: "credit"
        case .status: "status"
        case .flushed: "flushed"
        case .cardFit: "cardFit"
        case .event: "event"
        case .failure: "failure"
        case .trust: "trust"
        case .unsupported: "unsupported"
        case .unknown(let type): type
        }
    }
}

private struct Incoming: Decodable {
    let message: ControlMessage

    init(from decoder: any Decoder) throws {
        let fields = try FieldReader(decoder)
        let type = try fields.string("type")
        message = try Self.senderMessage(type, fields) ?? Self.speakerMessage(type, fields) ?? .unknown(type: type)
    }

    private static func senderMessage(_ type: String, _ fields: FieldReader) throws -> ControlMessage? {
        switch type {
        case "hello": .hello(try Hello(fields))
        case "clock": .clock(try ClockAnnouncement(fields))
        case "format": .format(id: try fields.integer("id", in: 0...UInt16.max), try AudioFormat(fields))
        case "pictureFormat":
            .pictureFormat(id: try fields.integer("id", in: 0...UInt16.max), try VideoFormat(fields))
        case "timebase": .timebase(try TimebaseCommand(fields))
        case "flush":
            .flush(
                generation: try fields.integer("generation", in: 0...UInt32.max), from: try fields.optionalTime("from"))
        case "volume": .volume(try VolumeCommand(fields))
        case "outputDelay": .outputDelay(milliseconds: try fields.number("ms", in: WireLimits.outputDelayMs))
        case "name": .name(try fields.string("name", bytes: 1...WireLimits.nameBytes))
        case "end": .end(media: try fields.time("media"))
        case "reference": .reference(try ReferenceCommand(fields))
        case "ping": .ping
        case "goodbye":
            .goodbye(reason: try fields.optionalString("reason", maximumBytes: WireLimits.messageBytes) ?? "")
        default: nil
        }
    }

    private static func speakerMessage(_ type: String, _ fields: FieldReader) throws -> ControlMessage? {
        switch type {
        case "welcome": .welcome(try Welcome(fields))
        case "credit":
            .credit(
                Credit(
                    bytes: try fields.integer("bytes", in: 0...UInt64(Int64.max)),
                    horizon: try fields.optionalTime("horizon")))
        case "status": .status(try SpeakerStatus(fields))
        case "flushed":
            .flushed(
                generation: try fields.integer("generation", in: 0...UInt32.max), loaded: try fields.ranges("loaded"))
        case "effects": .effects(try EffectsReport(fields))
        case "cardFit": .cardFit(try ReferenceFit(fields))
        case "event":
            .event(
                kind: try fields.string("kind"),
                message: try fields.string("message", maximumBytes: WireLimits.messageBytes))
        case "failure":
            .failure(
                code: try fields.string("code"),
                message: try fields.string("message", maximumBytes: WireLimits.messageBytes))
        case "trust": .trust(try TrustHandover(fields))
        case "unsupported": .unsupported(type: try fields.string("unsupported"))
        default: nil
        }
    }
}

private struct Outgoing: Encodable {
    let message: ControlMessage

    func encode(to encoder: any Encoder) throws {
        var fields = FieldWriter(encoder)
        try fields.text("type", message.type)
        switch message {
        case .hello(let hello): try hello.write(to: &fields)
        case .clock(let clock): try clock.write(to: &fields)
        case .format(let id, let format):
            try fields.set("id", id)
            try format.write(to: &fields)
        case .pictureFormat(let id, let format):
            try fields.set("id", id)
            try format.write(to: &fields)
        case .timebase(let command): try command.write(to: &fields)
        case .flush(let generation, let from):
            try fields.set("generation", generation)
            try fields.time("from", from)
        case .volume(let command): try command.write(to: &fields)
        case .outputDelay(let milliseconds): try fields.figure("ms", milliseconds)
        case .name(let name): try fields.text("name", name, maximumBytes: WireLimits.nameBytes)
        case .end(let media): try fields.time("media", media)
        case .reference(let command): try command.write(to: &fields)
        case .ping, .unknown: break
        case .goodbye(let reason): try fields.text("reason", reason, maximumBytes: WireLimits.messageBytes)
        case .welcome(let welcome): try welcome.write(to: &fields)
        case .credit(let credit):
            try fields.set("bytes", credit.bytes)
            try fields.time("horizon", credit.horizon)
        case .status(let status): try status.write(to: &fields)
        case .flushed(let generation, let loaded):
            try fields.set("generation", generation)
            try fields.ranges("loaded", loaded)
        case .effects(let report): try report.write(to: &fields)
        case .cardFit(let fit): try fit.write(to: &fields)
        case .event(let kind, let message):
            try fields.text("kind", kind)
            try fields.text("message", message, maximumBytes: WireLimits.messageBytes)
        case .failure(let code, let message):
            try fields.text("code", code)
            try fields.text("message", message, maximumBytes: WireLimits.messageBytes)
        case .trust(let trust): try trust.write(to: &fields)
        case .unsupported(let type): try fields.text("unsupported", type)
        }
    }
}
