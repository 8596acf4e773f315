import Foundation
import Testing

/// An evening in a household, through the real programs: people do what they do, with one wrong thing in it, while
/// music plays in another room. The music must not notice, and what is refused is refused in one line that says what is
/// wrong.
@Suite("An evening", .serialized)
struct EveningTests {
    /// A household in which music plays in the living room, and the others are known.
    private func evening() throws -> Evening {
        let evening = try Evening()
        try evening.expect(
            // A room is known once it has been seen at its address.
            done("group", "set", "everywhere", "{kitchen}", "{bath}", "{bedroom}", "{Büro}", "{\(Evening.music)}"),
            done("group", "set", "upstairs", "bath", "bedroom"), done("group", "set", "downstairs", Evening.music),
            done("play", "{long.wav}", "--room", Evening.music, "--detach"))
        let deadline = ContinuousClock.now + .seconds(10)
        while try (evening.status(Evening.music)?.music.position ?? 0) < 1 {
            try #require(ContinuousClock.now < deadline, "the music plays: \(evening.log("serve"))")
        }
        return evening
    }

    @Test("one wrong thing in each, and the music does not notice")
    func wrongThings() throws {
        let evening = try evening()
        defer { evening.end() }
        for scenario in Scenario.wrongThings {
            try evening.whileMusicPlays(scenario.name) {
                for step in scenario.steps { try evening.expect(step, in: scenario.name) }
            }
        }
        #expect(Scenario.wrongThings.count >= 25)
    }

    @Test("stop, the queue's end and a restart of the service keep queue and place; play resumes")
    func resuming() throws {
        let evening = try evening()
        defer { evening.end() }
        try evening.expect(
            done("play", "{song.wav}", "{gong.wav}", "--room", "kitchen", "--start-at", "20", "--detach"),
            done("stop", "--group", "kitchen"), refused(3, "status", "--group", "bath", says: "living room"))
        evening.killService()
        try evening.serve()
        try evening.whileMusicPlays("a stopped queue resumes after a restart") {
            try evening.expect(done("play", "--group", "kitchen"))
            let resumed = try #require(try evening.status("kitchen")).music
            #expect(resumed.item?.index == 0 && resumed.queue.length == 2 && resumed.position > 19, "\(resumed)")
            try evening.expect(done("jump", "2", "--group", "kitchen"))
            let deadline = ContinuousClock.now + .seconds(10)
            // On the way to the other piece it may be waiting for the room.
            while try evening.status("kitchen")?.music.state ?? "stopped" != "stopped", ContinuousClock.now < deadline {
            }
            try evening.expect(
                done("queue", "--group", "kitchen", says: "gong.wav"), done("play", "--group", "kitchen"))
            let again = try #require(try evening.status("kitchen")).music
            #expect(again.item?.index == 0 && again.queue.length == 2 && again.position < 5, "\(again)")
            try evening.expect(done("stop", "--group", "kitchen"))
        }
    }

    @Test("the service is dead, music plays: what people say is obeyed all the same")
    func deadService() throws {
        let evening = try evening()
        defer { evening.end() }
        evening.killService()
        try evening.expect(done("status", says: "no service is running"))
        try evening.expect(done("volume", Evening.music, "35", says: "\(Evening.music) 35"))
        try evening.expect(done("mute", Evening.music, says: "muted"), done("mute", Evening.music, "off", says: "35"))
        let playing = try #require(try evening.status(Evening.music)).music
        #expect(playing.state == "playing" && playing.rooms.first?.volume == 35, "\(playing)")
        try evening.expect(done("pause"))
        let paused = try #require(try evening.status(Evening.music)).music
        #expect(paused.state == "paused", "\(paused)")
        try evening.expect(done("resume"))
        #expect(try evening.status(Evening.music)?.music.state == "playing")
        // What it was told is what the next service finds.
        try evening.serve()
        let deadline = ContinuousClock.now + .seconds(5)
        while try evening.status(Evening.music)?.music.state != "playing", ContinuousClock.now < deadline {}
        try evening.whileMusicPlays("the service is back") { usleep(500_000) }
        evening.killService()
        try evening.expect(done("stop"), refused(5, "status", says: "`tutti play` resumes 1 track"))
        try evening.serve()
        try evening.expect(refused(5, "pause", says: "resumes"), done("play"))
        let again = try #require(try evening.status(Evening.music)).music
        #expect(again.state == "playing" && again.position > playing.position, "\(again)")
    }

    @Test("a room that was taken comes back when it is added again; all groups pause and stop at once")
    func taken() throws {
        let evening = try evening()
        defer { evening.end() }
        try evening.expect(
            done("play", "{song.wav}", "--group", "upstairs", "--detach"),
            done("play", "{song.wav}", "--room", "bath", "--detach"), done("stop", "--group", "bath"),
            done("group", "add", "upstairs", "bath"))
        let deadline = ContinuousClock.now + .seconds(5)
        var rooms: [String] = []
        while rooms != ["bath", "bedroom"], ContinuousClock.now < deadline {
            rooms = try evening.status("upstairs")?.music.rooms.map(\.name).sorted() ?? []
        }
        #expect(rooms == ["bath", "bedroom"])
        try evening.expect(done("pause", "--all"))
        for group in ["upstairs", Evening.music] {
            #expect(try evening.status(group)?.music.state == "paused", "\(group)")
        }
        try evening.expect(
            done("resume", "--all"), done("stop", "--all"), refused(5, "stop", says: "nothing is playing"))
    }

    @Test("an alarm unmutes its room, which is as loud and as silent as before then")
    func alarm() throws {
        let evening = try evening()
        defer { evening.end() }
        try evening.whileMusicPlays("an alarm") {
            try evening.expect(
                done("volume", "bedroom", "20"), done("mute", "bedroom"),
                done("at", "in 3s", "play", "{gong.wav}", "--room", "bedroom", "--volume", "50"))
            var isHeard = false
            let deadline = ContinuousClock.now + .seconds(15)
            while !isHeard, ContinuousClock.now < deadline {
                guard let alarm = try evening.status("bedroom")?.music, alarm.state == "playing" else { continue }
                isHeard = alarm.rooms.first?.muted == false && alarm.rooms.first?.volume == 50
            }
            #expect(isHeard)
            var level = ""
            while !level.contains("bedroom muted"), ContinuousClock.now < deadline {
                level = try evening.tutti("mute").output
            }
            #expect(level.contains("bedroom muted"), "\(level)")
            try evening.expect(done("volume", "bedroom", "+0", says: "bedroom 20"))
        }
    }
}

extension Evening {
    /// Has commands given, one after the other.
    func expect(_ steps: Scenario.Step..., in name: String = "") throws {
        for step in steps { try expect(step, in: name) }
    }

    func expect(_ step: Scenario.Step, in name: String) throws {
        let outcome = try tutti(step.words)
        let what = "\(name): tutti \(step.words.joined(separator: " ")): \(outcome)"
        #expect(outcome.code == step.code, "\(what)")
        let lines = (outcome.output + outcome.errors).split(separator: "\n")
        #expect(step.says.isEmpty || lines.contains { $0.contains(step.says) }, "\(what)")
        if step.code != 0, step.code != 2 {
            #expect(outcome.errors.split(separator: "\n").count == 1, "one line: \(what)")
        }
    }
}
