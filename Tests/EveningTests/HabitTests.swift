import Foundation
import Glibc
import Testing

/// What rooms are used to: limits, names, mixers and several cards, through the real programs.
@Suite("Habits of rooms") struct HabitTests {
    /// Runs a command until it prints `text`.
    private func eventually(_ text: String, _ evening: Evening, _ words: String...) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let outcome = try evening.tutti(words)
            if outcome.output == text { return }
            guard ContinuousClock.now < deadline else {
                Issue.record("\(words): \(outcome)")
                return
            }
            usleep(100_000)
        }
    }

    @Test("a room with a limit goes to that, and says so, whether it plays or not; a group keeps its balance")
    func limit() throws {
        let evening = try Evening()
        defer { evening.end() }
        try evening.addSpeaker(["den"], ["--name", "den", "--device", "null", "--max-volume", "60"], log: "den")
        let idle = try evening.tutti("volume", "{den}", "90")
        #expect(idle.code == 0 && idle.output == "den 60 (its limit)\n", "\(idle)")
        #expect(try evening.tutti("play", "{long.wav}", "--room", "{den}", "--room", "{kitchen}", "--detach").code == 0)
        let playing = try evening.tutti("volume", "den", "100")
        #expect(playing.code == 0 && playing.output == "den 60 (its limit)\n", "\(playing)")
        #expect(try evening.tutti("volume", "den", "50").output == "den 50\n")
        #expect(try evening.tutti("volume", "kitchen", "40").output == "kitchen 40\n")
        #expect(try evening.tutti("volume", "+30").output == "den 60 (its limit)\nkitchen 70\n")
        #expect(try evening.tutti("volume", "-30").output == "den 50\nkitchen 40\n")
    }

    @Test("a room gets another name while it plays; groups follow, and the speaker keeps it")
    func name() throws {
        let evening = try Evening()
        defer { evening.end() }
        let words = ["--name", "den", "--device", "null"]
        try evening.addSpeaker(["den"], words, log: "den")
        #expect(try evening.tutti("group", "set", "down", "{den}", "{kitchen}").code == 0)
        #expect(try evening.tutti("at", "in 5h", "play", "{gong.wav}", "--room", "{den}").code == 0)
        #expect(try evening.tutti("play", "{long.wav}", "--group", "down", "--detach").code == 0)
        let renamed = try evening.tutti("room", "den", "name", "Stube")
        #expect(renamed.code == 0 && renamed.output == "den: called Stube now\n", "\(renamed)")
        #expect(try evening.tutti("volume", "Stube", "33").output == "Stube 33\n")
        let status = try evening.tutti("status", "--json").output
        #expect(status.contains(#""name":"Stube""#) && status.contains(#""state":"playing""#), "\(status)")
        #expect(try evening.tutti("group", "--json").output.contains("Stube@"))
        #expect(try evening.tutti("at").output.contains("Stube"))
        let taken = try evening.tutti("room", "Stube", "name", "kitchen")
        #expect(taken.code == 4 && taken.errors == "tutti: there is a room called 'kitchen' already\n", "\(taken)")
        let wrong = try evening.tutti("room", "Stube", "name", "a@b")
        #expect(wrong.code == 2 && wrong.errors.contains("without @"), "\(wrong)")
        // Nothing plays there: its speaker is told, and has not forgotten the name that it has.
        #expect(try evening.tutti("stop").code == 0)
        try eventually("Stube 33\n", evening, "volume", "Stube")
        let again = try evening.tutti("room", "Stube", "name", "Salon")
        #expect(again.code == 0, "\(again)")
        try eventually("Salon 33\n", evening, "volume", "Salon")
        #expect(try evening.tutti("play", "{long.wav}", "--group", "down", "--detach").code == 0)
        #expect(try evening.tutti("status", "--json").output.contains(#""name":"Salon""#))
    }

    @Test("a card's mixer has the volume, by the step that is not louder; what others set there is the room's volume")
    func mixer() throws {
        let evening = try Evening()
        defer { evening.end() }
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let made = try evening.run("/usr/bin/make", ["-s", "-C", source + "/Lab/card", "OUT=" + evening.folder])
        try #require(made.code == 0, "\(made)")
        let (asound, state) = (evening.folder + "/asoundrc", evening.folder + "/den.mixer")
        try """
        </usr/share/alsa/alsa.conf>
        ctl_type.tutti_lab { lib "\(evening.folder)/libasound_module_ctl_tutti_lab.so" }
        ctl.lab { type tutti_lab file "\(state)" }

        """.write(toFile: asound, atomically: true, encoding: .utf8)
        let words = ["--name", "den", "--device", "null", "--mixer"]
        let environment = ["ALSA_CONFIG_PATH": asound]
        #expect(throws: EveningError.self) {
            try evening.addSpeaker(["den"], words + ["hardware:Loud@lab"], environment: environment, log: "loud")
        }
        let reason = #"the mixer of "lab" has no volume in decibels called "Loud"; it has Lab"#
        #expect(evening.log("loud").contains(reason), "\(evening.log("loud"))")
        try evening.addSpeaker(["den"], words + ["hardware:Lab@lab"], environment: environment, log: "den")
        #expect(try evening.tutti("volume", "{den}", "50").output == "den 50\n")
        // -9.03 dB, of steps of 1 dB below 0 dB at 51.
        #expect(try step(state) == [41, 41, 1, 1])
        #expect(try evening.tutti("mute", "{den}").output == "den muted\n")
        #expect(try step(state) == [41, 41, 0, 0])
        #expect(try evening.tutti("mute", "{den}", "off").output == "den 50\n")
        // Somebody turns it to -20 dB on the left and less on the right.
        try setStep([31, 11, 1, 1], state)
        try eventually("den 22\n", evening, "volume", "{den}")
        #expect(try step(state) == [31, 11, 1, 1])
    }

    @Test("one program is several rooms, each with its own volume and key; with a fixed volume it says so")
    func outputs() throws {
        let evening = try Evening()
        defer { evening.end() }
        let words = ["--output", "den=null", "--output", "loft=null", "--mixer", "none", "--max-volume", "80"]
        try evening.addSpeaker(["den", "loft"], words, log: "house")
        #expect(try evening.tutti("play", "{long.wav}", "--room", "{den}", "--room", "{loft}", "--detach").code == 0)
        #expect(try evening.tutti("volume", "den", "40").output == "den 80 (fixed)\n")
        #expect(try evening.tutti("mute", "loft").output == "loft muted\n")
        let status = try evening.tutti("status", "--json").output
        #expect(status.contains(#""name":"den""#) && status.contains(#""name":"loft""#), "\(status)")
        let folders = try FileManager.default.contentsOfDirectory(atPath: evening.folder + "/house")
        #expect(Set(folders).isSuperset(of: ["output-den", "output-loft"]), "\(folders)")
    }

    /// The mixer's state: steps of left and right, and whether they are on.
    private func step(_ path: String) throws -> [Int32] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        return data.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
    }

    private func setStep(_ values: [Int32], _ path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        file.write(values.withUnsafeBytes { Data($0) })
        try file.close()
        // As the plugin tells those who have it open.
        #expect(utimensat(AT_FDCWD, path, nil, 0) == 0)
    }
}
