import Foundation
import Testing

/// The graph's render path, as the compiler has made it: it counts no references, allocates nothing and takes no lock.
/// This looks at the machine code of all that it may run, so it also finds what `AllocationTests` does not come by.
@Suite("Render path")
struct RenderPathTests {
    /// Files all of whose functions the render thread runs, but for `exceptions`.
    private static let files = [
        "FrameRing", "Planes+Loops", "PointerSlot", "PlayerVoice", "PlayerVoice+Interruption", "PointerRing",
        "RateConverter",
        "RenderCore", "RenderEdge", "RenderState", "SlotState", "SmoothRamp", "ProcessorSlot",
    ]

    /// Files of which it runs `render` and `fetch`.
    private static let units = [
        "EffectUnit", "InputNode", "MixerUnit", "OutputNode", "PlayerNode", "SinkNode", "SourceNode",
    ]

    private static let forbidden = [
        "swift_retain", "swift_release", "swift_bridgeObject", "swift_allocObject", "swift_slowAlloc", "malloc",
        "pthread_mutex_lock",
    ]

    /// What is not run in a call, by what names contain.
    private static let exceptions = [
        "init(", "deinit", "value witness", "outlined", "ivar_destroyer", "deinitialize(",
        // Before and after.
        "release", "install(", "open(", "publish(", "collect(", "offer(", "obeyAtRest", "reset()", "Stage.",
        "State.begin(",
    ]

    private static func output(of program: String, _ arguments: [String], input: String? = nil) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let (output, feed) = (Pipe(), Pipe())
        (process.standardOutput, process.standardInput) = (output, feed)
        process.standardError = FileHandle.nullDevice
        try process.run()
        if let input { feed.fileHandleForWriting.write(Data(input.utf8)) }
        try feed.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    /// Functions of a file and what they call of the forbidden.
    private func calls(_ file: String) throws -> [(function: String, callees: Set<String>)]? {
        let build = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path ?? ""
        let object = "\(build)/TuttiEngine.build/\(file).swift.o"
        guard FileManager.default.fileExists(atPath: object) else { return nil }
        let text = try Self.output(of: "objdump", ["-dr", "--no-show-raw-insn", object])
        var (found, function, count) = ([String: Set<String>](), "", 0)
        for line in text.split(separator: "\n") {
            if line.hasSuffix(">:"), let begin = line.firstIndex(of: "<") {
                function = String(line[line.index(after: begin)...].dropLast(2))
                count += 1
            } else if line.contains("R_X86_64_") || line.contains("R_AARCH64_"),
                let name = line.split(separator: " ").last?.split(separator: "\t").last,
                Self.forbidden.contains(where: { name.hasPrefix($0) })
            {
                found[function, default: []].insert(String(name))
            }
        }
        guard count > 0 else { return nil }
        let names = found.keys.sorted()
        let demangled = try Self.output(of: "swift", ["demangle", "--compact"], input: names.joined(separator: "\n"))
            .split(separator: "\n").map(String.init)
        return zip(names, demangled).map { ($1, found[$0] ?? []) }
    }

    @Test("no function on it counts, allocates or locks")
    func path() throws {
        var seen = 0
        for file in Self.files {
            guard let calls = try calls(file) else { continue }
            seen += 1
            for call in calls where !Self.exceptions.contains(where: { call.function.contains($0) }) {
                Issue.record("\(file): \(call.function) calls \(call.callees.sorted())")
            }
        }
        for file in Self.units {
            guard let calls = try calls(file) else { continue }
            seen += 1
            for call in calls where call.function.contains("Unit.render(") || call.function.contains("Unit.fetch(") {
                Issue.record("\(file): \(call.function) calls \(call.callees.sorted())")
            }
        }
        #expect(seen > 10, "the objects of the build are there")
    }
}
