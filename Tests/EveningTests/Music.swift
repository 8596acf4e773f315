import Foundation
import Testing
import TuttiPOSIX

/// What is looked at of the music that plays meanwhile.
struct Music: Decodable {
    struct Room: Decodable {
        var name: String
        var state: String
        var volume: Double?
        var muted: Bool?
        var stalls: Int
        var xruns: Int
        var loaded: [[Double]]
    }
    struct Item: Decodable {
        var id: UInt64?
        var index: Int
        var uri: String
    }
    struct Queue: Decodable { var length: Int }

    var group: String?
    var state: String
    var position: Double
    var rate: Double
    var item: Item?
    var queue: Queue
    var rooms: [Room]
}

extension Evening {
    /// How a group stands, and when it was asked: in the middle of the question.
    func status(_ group: String) throws -> (music: Music, time: ContinuousClock.Instant)? {
        let before = ContinuousClock.now
        let music = try askService(group) ?? askCommand(group)
        let after = ContinuousClock.now
        return music.map { ($0, before + (after - before) / 2) }
    }

    /// Asks the service itself, which takes no program to be started; nil when it is not there.
    private func askService(_ group: String) throws -> Music?? {
        guard let socket = UnixSocket.connected(to: folder + "/run/tutti/control.sock", timeoutSeconds: 10) else {
            return nil
        }
        let request = try JSONEncoder().encode(["command": "status", "group": group])
        guard socket.send(Array(request) + [UInt8(ascii: "\n")]), let line = socket.line(limit: 1 << 22) else {
            return nil
        }
        return .some(try JSONDecoder().decode(Answer.self, from: Data(line)).status)
    }

    private struct Answer: Decodable { var status: Music? }

    private func askCommand(_ group: String) throws -> Music? {
        let outcome = try tutti("status", "--json", "--group", group)
        guard outcome.code == 0 else { return nil }
        return try JSONDecoder().decode(Music.self, from: Data(outcome.output.utf8))
    }

    /// Does something while the music plays, which must not notice: the same entry of the same queue plays on at its
    /// rate, without a gap, as loud as before.
    func whileMusicPlays(_ what: String, _ body: () throws -> Void) throws {
        let before = try #require(try status(Self.music), "\(what): the music plays")
        try body()
        guard let after = try status(Self.music) else {
            Issue.record("\(what): the music has gone")
            return
        }
        let (old, new) = (before.music, after.music)
        #expect(new.state == "playing", "\(what): \(new)")
        #expect(new.item?.id == old.item?.id && new.item?.uri == old.item?.uri, "\(what): \(new)")
        #expect(new.queue.length == old.queue.length, "\(what): \(new)")
        #expect(new.rooms.map(\.name) == [Self.music], "\(what): \(new)")
        #expect(new.rooms.map(\.stalls) == old.rooms.map(\.stalls), "\(what): \(new)")
        #expect(new.rooms.map(\.volume) == old.rooms.map(\.volume), "\(what): \(new)")
        #expect(new.rooms.map(\.muted) == old.rooms.map(\.muted), "\(what): \(new)")
        let elapsed = (after.time - before.time) / .seconds(1)
        let played = new.position - old.position
        // A question takes a moment on a busy machine; a gap, a jump or a pause is longer.
        #expect(abs(played - elapsed) < 0.5, "\(what): \(played) s were played in \(elapsed) s")
        let holds = new.rooms.first?.loaded.contains { $0[0] <= new.position + 0.5 && $0[1] > new.position + 5 }
        #expect(
            holds == true,
            """
            \(what): the room holds what comes: \(new)
            the service's log: \(log("serve"))
            the room's log: \(log(Self.music.filter(\.isLetter)))
            """)
    }
}
