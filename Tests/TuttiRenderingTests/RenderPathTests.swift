import Foundation
import Testing

/// The whole render pass, as the compiler has made it: it counts no references, allocates nothing and takes no lock.
///
/// `AllocationTests` runs the pass's core and counts. This looks at the machine code of all that a pass may run, so it
/// also finds what happens only when a card has run dry or is lost.
@Suite struct RenderPathTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The files of a target whose functions the render thread runs, by the beginnings of their names; all when empty.
    private static let files = [
        "TuttiEffects": [
            "BiquadCascade", "ChainProcessor", "CompressorProcessor", "ConvolutionHead", "ConvolutionProcessor",
            "ConvolutionStretch", "ConvolutionTransform", "CrossfeedProcessor", "CrossoverProcessor",
            "DelayProcessor", "EqualizerProcessor", "GainProcessor", "GainSmoother", "LimiterProcessor",
            "MatrixProcessor", "ReverbProcessor", "TruePeakFilters",
        ],
        "TuttiRealtime": [""],
        "TuttiRendering": ["CardRun", "LookPlan", "RecoverySilence", "RenderHistory", "RenderPass"],
    ]

    /// What a render pass must not call.
    private static let forbidden = [
        "swift_retain", "swift_release", "swift_bridgeObject", "swift_allocObject", "swift_slowAlloc", "malloc",
        "pthread_mutex_lock",
    ]

    /// What is not run in a pass, or may: by what their names contain.
    private static let exceptions = [
        // Before a device runs, and after.
        "init(", "deinit", "__ivar_destroyer", "value witness", "one-time initialization", "variable initialization",
        // A crossover's filters are computed before it runs, with others' arrays.
        "CrossoverProcessor.biquads(", "_ContiguousArrayBuffer._consumeAndCreateNew",
        // An impulse response is cut up, and a room's lines are made, before they run.
        "setPartition", "makeTwiddles", "makeLines", "generic specialization",
        // The thread that offers effects frees those that are over.
        "EffectSlot.offer(", "EffectSlot.collect(",
        // Tables are made by the decode thread, for both.
        "FilterTables",
        // A run that begins lets go of the table of the one before, which `FilterTables` holds: it is never the last.
        "DeckVoice.program(",
        // The network loop reads the history.
        "RenderHistory.pairDistance", "RenderHistory.Deviation, [",
        // The error that says why a card is lost holds a text.
        "outlined consume of",
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

    /// The object files of what is run, of the build that this test is of.
    private static func objects() throws -> [String] {
        let build = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path ?? ""
        return try files.flatMap { target, beginnings in
            try FileManager.default.contentsOfDirectory(atPath: "\(root)/Sources/\(target)")
                .filter { name in name.hasSuffix(".swift") && beginnings.contains { name.hasPrefix($0) } }
                .map { "\(build)/\(target).build/\($0).o" }
        }
        .filter { FileManager.default.fileExists(atPath: $0) }.sorted()
    }

    /// Functions and what they call of the forbidden, as `objdump` prints them.
    private static func calls(in text: String) -> [String: Set<String>] {
        var (calls, function) = ([String: Set<String>](), "")
        for line in text.split(separator: "\n") {
            if line.hasSuffix(">:"), let begin = line.firstIndex(of: "<") {
                function = String(line[line.index(after: begin)...].dropLast(2))
            } else if line.contains("R_X86_64_") || line.contains("R_AARCH64_"),
                let name = line.split(separator: " ").last?.split(separator: "\t").last,
                forbidden.contains(where: { name.hasPrefix($0) })
            {
                calls[function, default: []].insert(String(name))
            }
        }
        return calls
    }

    @Test func thePassCountsNoReferencesAndTakesNoMemory() throws {
        let objects = try Self.objects()
        let text = try Self.output(of: "objdump", ["-dr", "--no-show-raw-insn"] + objects)
        try #require(objects.count > 20 && text.contains("RenderPassV6render"), "objdump found no code in \(objects)")
        let calls = Self.calls(in: text)
        let names = calls.keys.sorted()
        let shown = try Self.output(of: "swift-demangle", [], input: names.joined(separator: "\n") + "\n")
            .split(separator: "\n").map(String.init)
        try #require(shown.count == names.count)
        for (name, readable) in zip(names, shown) where !Self.exceptions.contains(where: readable.contains) {
            Issue.record("\(readable) calls \(calls[name, default: []].sorted().joined(separator: ", "))")
        }
        // The check sees what it is to see.
        #expect(shown.contains { $0.contains("deinit") })
    }
}
