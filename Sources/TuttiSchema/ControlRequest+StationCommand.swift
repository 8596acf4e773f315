extension ControlRequest {
    /// What is asked of the radio stations that are kept by name.
    package enum StationCommand: Sendable, Equatable {
        /// All of them.
        case list
        /// Keeps a station, or gives it another address.
        case set(String, uri: String)
        /// Forgets a station.
        case remove(String)
    }
}

extension ControlRequest.StationCommand {
    init(_ fields: RequestFields) throws {
        let mode = try fields.decodeIfPresent(String.self, forKey: .mode) ?? "list"
        switch mode {
        case "list": self = .list
        case "set":
            let fault = "the station's name or address is missing"
            self = .set(try fields.required(.name, fault), uri: try fields.required(.uri, fault))
        case "remove": self = .remove(try fields.required(.name, "the station's name is missing"))
        default: throw RequestFault("the mode of a station is list, set or remove")
        }
    }

    func encode(to fields: inout RequestWriter) throws {
        switch self {
        case .list: try fields.encode("list", forKey: .mode)
        case .set(let name, let uri):
            try fields.encode("set", forKey: .mode)
            try fields.encode(name, forKey: .name)
            try fields.encode(uri, forKey: .uri)
        case .remove(let name):
            try fields.encode("remove", forKey: .mode)
            try fields.encode(name, forKey: .name)
        }
    }
}
