extension Scenario {
    /// The house that a script speaks of: with its duration and its rooms alone, where it names them.
    package func restricted(to script: Script) -> Scenario {
        var result = self
        if let duration = script.duration { result.duration = duration }
        guard let names = script.rooms else { return result }
        result.rooms.removeAll { !names.contains($0.name) }
        for index in result.groups.indices {
            result.groups[index].rooms.removeAll { !names.contains($0) }
        }
        return result
    }
}
