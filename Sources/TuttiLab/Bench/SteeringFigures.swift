/// How quickly and how well rooms obeyed: the figures of a run of commands.
package struct SteeringFigures: Sendable, Codable, Equatable {
    /// What was measured, in the order of the commands.
    package var effects: [SteeringEffect]
    /// How many rooms there are.
    package var rooms: Int

    /// The commands of a kind that were given that way.
    package func effects(_ kind: SteeringKind, _ way: SteeringStep.Way? = nil) -> [SteeringEffect] {
        effects.filter { $0.command.kind == kind && (way == nil || $0.command.way == way) }
    }

    /// ms from the command to the ear, of the slowest room of each command, in order of size; a command that a room was
    /// not heard to obey counts as 10 s.
    package func heard(_ kind: SteeringKind, _ way: SteeringStep.Way) -> [Double] {
        effects(kind, way).map { $0.heard(in: rooms) ?? 10_000 }.sorted()
    }

    /// The spread of the rooms' offsets in the second after commands, of a kind or of all.
    package func apart(_ kind: SteeringKind? = nil) -> ComparisonReport.Spread? {
        let offsets = (kind.map { effects($0) } ?? effects).flatMap(\.apartMicroseconds)
        return offsets.isEmpty ? nil : ComparisonReport.Spread(offsets)
    }

    /// Clicks at all changes.
    package var clicks: Int { effects.reduce(0) { $0 + $1.clicks } }
}
