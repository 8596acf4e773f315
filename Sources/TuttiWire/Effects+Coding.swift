import FoundationEssentials
import TuttiChain

extension EffectsRequest {
    /// The request in a hello, if there is one.
    init?(optional fields: FieldReader) throws {
        guard let kind = try fields.optionalString("effects") else { return nil }
        switch kind {
        case "show": self = .show
        case "impulse": self = .impulse(try ImpulsePart(fields))
        default:
            guard let kind = EffectEdit.Kind(rawValue: kind) else { throw fields.invalid("effects", "is unknown") }
            let text = try fields.lines("setting", maximumBytes: WireLimits.effectsBytes)
            do throws(ChainError) {
                let edit = try EffectEdit(kind, parsing: text)
                // They become names of files, and are said back.
                guard edit.impulses.allSatisfy(ImpulsePart.isID) else {
                    throw ChainError.syntax(line: 0, "an impulse response is named by its SHA-256")
                }
                self = .edit(edit)
            } catch {
                throw fields.invalid("setting", "cannot be read: \(error)")
            }
        }
    }

    func write(to fields: inout FieldWriter) throws {
        switch self {
        case .show: try fields.set("effects", "show")
        case .edit(let edit):
            try fields.set("effects", edit.kind.rawValue)
            try fields.set("setting", edit.text)
        case .impulse(let part):
            try fields.set("effects", "impulse")
            try part.write(to: &fields)
        }
    }
}

extension ImpulsePart {
    init(_ fields: FieldReader) throws {
        let text = try fields.string("data", maximumBytes: Self.maximumBytes * 4 / 3 + 4)
        guard let data = Data(base64Encoded: text), (1...Self.maximumBytes).contains(data.count) else {
            throw fields.invalid("data", "is not base64 of a valid length")
        }
        self.init(
            id: try fields.string("impulse", bytes: 64...64),
            size: try fields.integer("size", in: 1...Self.maximumSize),
            offset: try fields.integer("offset", in: 0...Self.maximumSize), data: Array(data))
        guard Self.isID(id) else { throw fields.invalid("impulse", "is no SHA-256") }
    }

    /// Whether a text may be the id of an impulse response.
    static func isID(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy(isHexadecimalDigit)
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.set("impulse", id)
        try fields.set("size", size)
        try fields.set("offset", offset)
        try fields.set("data", Data(data).base64EncodedString())
    }
}

extension EffectsReport {
    init(_ fields: FieldReader) throws {
        chain = try fields.lines("chain", maximumBytes: WireLimits.chainBytes)
        latencyMs = try fields.optionalNumber("latencyMs", in: 0...100_000) ?? 0
        load = try fields.optionalNumber("load", in: 0...1_000) ?? 0
        missing = try fields.texts("missing").flatMap { $0 }
        problem = try fields.optionalString("problem", maximumBytes: WireLimits.messageBytes)
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.text("chain", chain, maximumBytes: WireLimits.chainBytes)
        try fields.figure("latencyMs", latencyMs)
        try fields.figure("load", load)
        try fields.texts("missing", missing.map { [$0] })
        try fields.text("problem", problem, maximumBytes: WireLimits.messageBytes)
    }
}
