package import TuttiCore

/// What a room is told of the group's reference line.
package struct ReferenceCommand: Sendable, Equatable {
    /// The stretch that holds from now on; nil while the line is group time itself.
    package var fit: ReferenceFit?
    /// Whether this room is the reference: it plays frame for frame, and reports where its card stands.
    package var isReference: Bool
    /// Nanoseconds from capture to sound of what plays live: no packet comes sooner than that before it is due. Nil
    /// where nothing is live.
    package var captureLatency: Int64?

    /// A word on the line.
    package init(fit: ReferenceFit?, isReference: Bool, captureLatency: Int64? = nil) {
        self.fit = fit
        self.isReference = isReference
        self.captureLatency = captureLatency
    }
}

extension ReferenceCommand {
    init(_ fields: FieldReader) throws {
        self.init(
            fit: try ReferenceFit(optional: fields, prefix: ""), isReference: try fields.flag("isReference"),
            captureLatency: try fields.optionalInteger("captureLatency", in: WireLimits.captureLatency))
    }

    func write(to fields: inout FieldWriter) throws {
        try fit?.write(to: &fields, prefix: "")
        try fields.set("isReference", isReference)
        try fields.optional("captureLatency", captureLatency)
    }
}

extension ReferenceFit {
    /// Names of the four fields, behind a prefix where others of the message have the same names.
    private enum Field {
        static func name(_ name: String, _ prefix: String) -> String {
            prefix.isEmpty ? name : prefix + name.prefix(1).uppercased() + name.dropFirst()
        }
    }

    /// A stretch from its four fields; nil where there is none.
    init?(optional fields: FieldReader, prefix: String) throws {
        guard try fields.optionalString(Field.name("timescale", prefix)) != nil else { return nil }
        try self.init(fields, prefix: prefix)
    }

    /// A stretch from its four fields, each within its limits.
    init(_ fields: FieldReader, prefix: String = "") throws {
        let group = try fields.integer(Field.name("group", prefix), in: WireLimits.groupNanoseconds)
        let offsets = -Self.maximumOffset...Self.maximumOffset
        let limit = Self.maximumSlope * 1e6
        self.init(
            group: GroupTime(
                nanoseconds: group, timescale: try fields.timescale(Field.name("timescale", prefix))),
            offset: try fields.integer(Field.name("offset", prefix), in: offsets),
            slope: try fields.number(Field.name("ppm", prefix), in: -limit...limit) * 1e-6)
    }

    func write(to fields: inout FieldWriter, prefix: String = "") throws {
        try fields.set(Field.name("timescale", prefix), hexadecimal(group.timescale.rawValue))
        try fields.set(Field.name("group", prefix), group.nanoseconds)
        try fields.set(Field.name("offset", prefix), offset)
        let limit = Self.maximumSlope * 1e6
        try fields.figure(Field.name("ppm", prefix), min(max(slope * 1e6, -limit), limit))
    }
}
