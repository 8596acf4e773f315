import Foundation
import Testing

/// `tutti simulate`, which is a program of its own; whoever calls it does not notice.
@Suite("The command that simulates")
struct SimulateTests {
    private func run(_ program: String, _ words: String...) throws -> Programs.Outcome { try run(program, words) }

    private func run(_ program: String, _ words: [String]) throws -> Programs.Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Programs.folder + "/" + program)
        process.arguments = words
        return try Programs.run(process)
    }

    @Test("it runs a house, whichever program is called")
    func runs() throws {
        let house = NSTemporaryDirectory() + "tutti-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: house) }
        try "duration: 10s\nrooms:\n  kitchen: {}\n".write(toFile: house, atomically: true, encoding: .utf8)
        let outcome = try run("tutti", "simulate", house, "--json")
        #expect(outcome.code == 0 && outcome.output.hasPrefix("{\"duration\":10,"), "\(outcome)")
        #expect(try run("tutti-player", "simulate", house, "--json") == outcome)
        #expect(try run("tutti-simulate", house, "--json") == outcome)
    }

    @Test("what is wrong ends it with status 2, and names `tutti simulate`")
    func wrong() throws {
        for words in [[], ["house.yaml", "--seed", "1", "--seeds", "1-2"]] {
            let outcome = try run("tutti", ["simulate"] + words)
            #expect(outcome.code == 2 && outcome.errors.contains("Usage: tutti simulate <house>"), "\(outcome)")
        }
        #expect(try run("tutti", "simulate", "/nowhere.yaml").errors.hasPrefix("tutti: cannot read /nowhere.yaml"))
    }

    @Test("its help is the same from the program that has all commands")
    func help() throws {
        let outcome = try run("tutti", "help", "simulate")
        #expect(outcome.code == 0 && outcome.output.contains("USAGE: tutti simulate <house>"), "\(outcome)")
        #expect(try run("tutti", "simulate", "--help") == outcome)
        #expect(try run("tutti", "--help").output.contains("  simulate "))
    }
}
