import Glibc
import TuttiHost
import TuttiRooms
import TuttiSchema
import TuttiSender

/// `groups.json`, in which earlier versions kept the groups.
struct GroupsFile {
    private struct Content: Decodable {
        var groups: [String: [RoomAddress]]
    }

    private let path: String

    init(directory: String) { path = directory + "/groups.json" }

    /// The groups; none when there is no such file.
    ///
    /// - Throws: `SenderError.system` for a file that cannot be read or understood.
    func load() throws(SenderError) -> [String: [RoomAddress]] {
        let bytes: [UInt8]?
        do { bytes = try AtomicFile.read(path) } catch { throw .system(error.description) }
        guard let bytes else { return [:] }
        guard let content: Content = JSONLine.decode(bytes) else {
            throw .system("cannot read \(path); repair or remove it")
        }
        return content.groups
    }

    /// Says by its name that the file is of no use any more.
    func retire() { rename(path, path + ".old") }
}
