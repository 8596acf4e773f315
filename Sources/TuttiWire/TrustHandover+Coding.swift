import FoundationEssentials

extension TrustHandover {
    init(_ fields: FieldReader) throws {
        let lists = try fields.texts("keys")
        guard lists.count <= WireLimits.timeKeys else { throw fields.invalid("keys", "has too many entries") }
        self.init(
            keys: try lists.map { parts in
                guard parts.count == 2, let epoch = UInt32(parts[0]), epoch > 0,
                    let bytes = Data(base64Encoded: parts[1]), bytes.count <= WireLimits.timeKeyBytes
                else { throw fields.invalid("keys", "has an entry that is not a number and a key") }
                return Key(epoch: epoch, bytes: Array(bytes))
            },
            revocations: try fields.optionalString("revoked", maximumBytes: WireLimits.revocationBytes))
    }

    /// What is handed over, if anything is.
    init?(optional fields: FieldReader) throws {
        self = try TrustHandover(fields)
        if keys.isEmpty, revocations == nil { return nil }
    }

    func write(to fields: inout FieldWriter) throws {
        try fields.texts(
            "keys",
            keys.prefix(WireLimits.timeKeys).map { ["\($0.epoch)", Data($0.bytes).base64EncodedString()] })
        try fields.text("revoked", revocations, maximumBytes: WireLimits.revocationBytes)
    }
}
