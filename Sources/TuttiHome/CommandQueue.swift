/// Commands that wait to be carried out: a bounded number, those of one line in their order, each soon or not at all.
///
/// Every mutation takes `now`, in seconds of a clock that runs evenly.
package struct CommandQueue: Sendable, Equatable {
    /// Commands that wait, at most.
    static let limit = 64
    /// Seconds that a command may wait: what a person has pressed a while ago is not wanted any more.
    static let patience = 10.0

    private struct Waiting: Equatable {
        var command: HomeCommand
        var since: Double
    }

    private var waiting: [Waiting] = []
    /// Lines of which a command is being carried out.
    private var busy: Set<String> = []

    /// Nothing waits.
    package init() {}

    /// Takes a command, in place of one that it makes void.
    ///
    /// - Returns: whether there was room for it.
    package mutating func add(_ command: HomeCommand, at now: Double) -> Bool {
        if let key = command.replaces, let place = waiting.lastIndex(where: { $0.command.line == command.line }),
            waiting[place].command.replaces == key
        {
            waiting[place] = Waiting(command: command, since: now)
            return true
        }
        guard waiting.count < Self.limit else { return false }
        waiting.append(Waiting(command: command, since: now))
        return true
    }

    /// The next command of a line of which none is being carried out. Whoever takes it calls `finished`.
    ///
    /// - Returns: with it, those that have waited for too long and are left out.
    package mutating func next(at now: Double) -> (command: HomeCommand?, late: [HomeCommand]) {
        let late = waiting.filter { now - $0.since > Self.patience }.map(\.command)
        waiting.removeAll { now - $0.since > Self.patience }
        guard let place = waiting.firstIndex(where: { !busy.contains($0.command.line) }) else { return (nil, late) }
        let command = waiting.remove(at: place).command
        busy.insert(command.line)
        return (command, late)
    }

    /// A command is carried out.
    package mutating func finished(_ command: HomeCommand) { busy.remove(command.line) }
}
