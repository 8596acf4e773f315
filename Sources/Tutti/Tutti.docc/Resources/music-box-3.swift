import Glibc
import Tutti

/// Plays files and addresses on this host, and in the rooms that are named with `--room`.
@main
struct MusicBox {
    static func main() async {
        do {
            try await play(CommandLine.arguments.dropFirst())
        } catch {
            print("music-box: \(error)")
            exit(1)
        }
    }

    private static func play(_ arguments: ArraySlice<String>) async throws {
        var files: [String] = []
        var outputs: [QueuePlayer.Output] = [.local()]
        var arguments = arguments
        while let argument = arguments.popFirst() {
            if argument == "--room", let room = arguments.popFirst() {
                outputs.append(.room(try RoomEndpoint(parsing: room)))
            } else {
                files.append(argument)
            }
        }
        var configuration = QueuePlayer.Configuration()
        // Ends with the queue, in place of waiting for more.
        configuration.staysInRooms = false
        let player = try await QueuePlayer(
            items: files.map { PlayerItem(path: $0) }, outputs: outputs, configuration: configuration)
        let events = player.events
        try await player.play()
        for await event in events {
            switch event {
            case .currentItemChanged(let item): print("♪ \(item.title ?? item.uri)")
            case .itemFailed(let item, let error): print("\(item.uri) is left out: \(error)")
            case .roomLost(let room, let reason): print("\(room): \(reason)")
            default: break
            }
        }
    }
}
