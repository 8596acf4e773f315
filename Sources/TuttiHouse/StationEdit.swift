import TuttiAssets
import TuttiCore
package import TuttiRooms
package import TuttiSchema
package import TuttiStore

/// What is asked of the stations that a store keeps.
package enum StationEdit {
    /// Characters of a name.
    private static let lengths = 1...100
    /// Characters of an address.
    private static let longestAddress = 4_096

    /// Carries a command out.
    ///
    /// - Returns: all stations after that.
    /// - Throws: `.badOption` for a bad name or address, `.refused` for a station that nobody has kept.
    @discardableResult
    package static func carryOut(
        _ command: ControlRequest.StationCommand, in store: HouseStore
    ) throws(SenderError) -> [StationListing] {
        switch command {
        case .list: break
        case .set(let name, let uri):
            try check(name, uri)
            try store.setStation(name, to: uri)
        case .remove(let name):
            let stations = try store.stations()
            guard let kept = stations.keys.first(where: { Names.areSame($0, name) }) else {
                throw .unknownStation(name, among: stations.keys)
            }
            try store.removeStation(kept)
        }
        return try store.stations().sorted { $0.key < $1.key }.map { StationListing(name: $0.key, uri: $0.value) }
    }

    private static func check(_ name: String, _ uri: String) throws(SenderError) {
        guard lengths.contains(name.count), name.unicodeScalars.allSatisfy({ $0.properties.isPrintable })
        else {
            throw .badOption("a station's name has 1 to \(lengths.upperBound) letters, digits and signs")
        }
        guard AssetInput(uri: uri).isRemote, uri.utf8.count <= longestAddress else {
            throw .badOption("\(uri.prefix(100)): a station's address begins with http:// or https://")
        }
    }
}

extension Unicode.Scalar.Properties {
    /// Whether it is no control character, and no line break.
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
        default: true
        }
    }
}

extension SenderError {
    /// Nobody has kept a station of this name; suggests the one that was probably meant.
    static func unknownStation(_ name: String, among stations: some Sequence<String>) -> SenderError {
        let advice = Names.nearest(to: name, in: stations).map { "did you mean '\($0)'?" }
        return .refused(
            "\(name): no such station; \(advice ?? "keep it with `tutti station add NAME ADDRESS`")", exitCode: 3)
    }
}
