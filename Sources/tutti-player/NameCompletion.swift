import ArgumentParser
import Foundation
import Synchronization
import TuttiHost
import TuttiSchema
import TuttiSender
import TuttiStore

/// The names of rooms and groups for the shell, while a person types: what is known at once, and never a wait.
enum NameCompletion {
    /// Rooms that were played in, and those that play now.
    static let rooms = CompletionKind.custom { _, _, _ in offeredRooms }
    /// Groups that were made, and those that play now.
    static let groups = CompletionKind.custom { _, _, _ in offeredGroups }

    /// The rooms, as the shell that asks has to have them.
    static var offeredRooms: [String] { find().rooms.map { CompletionWord.offered($0) } }
    /// The groups, as the shell that asks has to have them.
    static var offeredGroups: [String] { find().groups.map { CompletionWord.offered($0) } }

    /// Seconds that a service is waited for.
    private static let patience = 0.1

    private static func find() -> KnownNames {
        let answer = Answer()
        // A service that does not answer keeps this thread, and the process ends without it.
        Thread.detachNewThread {
            let names = ask()
            answer.names.withLock { $0 = names }
            answer.isThere.signal()
        }
        var names = KnownNames(directory: PlayerSettings.paths.stateDirectory)
        _ = answer.isThere.wait(timeout: .now() + patience)
        let told = answer.names.withLock { $0 }
        names.rooms = sorted(names.rooms + told.rooms)
        names.groups = sorted(names.groups + told.groups)
        return names
    }

    private final class Answer: Sendable {
        let names = Mutex(KnownNames())
        let isThere = DispatchSemaphore(value: 0)
    }

    private static func ask() -> KnownNames {
        var names = KnownNames()
        let client = GroupOption.client
        names.groups = ((try? client.ask(ControlRequest(.group(.list)), within: 1))?.groups ?? [:]).map(\.key)
        guard let statuses = try? client.statuses() else { return names }
        names.rooms = statuses.flatMap(\.rooms).map(\.name)
        names.groups += statuses.compactMap(\.group)
        return names
    }

    private static func sorted(_ names: [String]) -> [String] {
        Set(names).filter { !$0.isEmpty && CompletionWord.isOneLine($0) }.sorted()
    }
}
