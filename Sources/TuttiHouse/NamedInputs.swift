package import TuttiAssets
import TuttiCore
package import TuttiRooms
package import TuttiSchema
package import TuttiStore

/// What inputs mean that people call by a name which the store keeps: `station:NAME`.
package struct NamedInputs: Sendable {
    private let store: HouseStore

    package init(store: HouseStore) { self.store = store }

    /// Inputs with the addresses of stations, which are called by their names.
    ///
    /// - Throws: `.refused` with exit code 3 for a name that nobody has kept.
    package func resolve(_ inputs: [ControlInput]) throws(SenderError) -> [ControlInput] {
        guard inputs.contains(where: { StationName.name(in: $0.uri) != nil }) else { return inputs }
        let stations = try store.stations()
        var inputs = inputs
        for (index, input) in inputs.enumerated() {
            guard let name = StationName.name(in: input.uri) else { continue }
            guard let kept = stations.first(where: { Names.areSame($0.key, name) }) else {
                throw .unknownStation(name, among: stations.keys)
            }
            inputs[index].uri = kept.value
            inputs[index].title = input.title ?? kept.key
        }
        return inputs
    }

    /// The same for a player of one's own.
    package func resolve(_ inputs: [AssetInput]) throws(SenderError) -> [AssetInput] {
        let named = try resolve(inputs.map { ControlInput(uri: $0.uri, title: $0.title) })
        return zip(inputs, named).map { input, named in
            var input = input
            (input.uri, input.title) = (named.uri, named.title)
            return input
        }
    }
}
