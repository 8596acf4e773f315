import ArgumentParser
import Foundation

/// What may follow in `tutti at WHEN play INPUT…`, whose words the parser passes on as they are.
enum AtCompletion {
    static let words = CompletionKind.custom { words, index, _ in
        let typed = CompletionWord.meant(words.indices.contains(index) ? words[index] : "")
        let before = words.prefix(max(index, 0))
        guard before.contains("play") else { return ["play", "--cancel", "--json"] }
        return switch before.last {
        case "--room", "--reference", "--screen": NameCompletion.offeredRooms
        case "--group": NameCompletion.offeredGroups
        default: typed.hasPrefix("-") ? options : files(typed)
        }
    }

    private static let options = [
        "--room", "--group", "--screen", "--volume", "--fade", "--crossfade", "--normalise", "--reference", "--codec",
        "--audio-track",
        "--subtitle",
        "--bitrate",
        "--start-at",
        "--rate",
        "--any",
    ]

    /// What is in the folder that was typed so far.
    private static func files(_ typed: String) -> [String] {
        let folder = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
        let place = folder.hasPrefix("~/") ? NSHomeDirectory() + folder.dropFirst() : folder.isEmpty ? "." : folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
        return names.filter { !$0.hasPrefix(".") && CompletionWord.isOneLine($0) }.sorted().map { name in
            CompletionWord.offered(folder + name)
        }
    }
}
