import Foundation
import Testing
import TuttiChain
import TuttiChainFiles

/// Files that set a room's sound: which of them are chains.
@Suite struct ChainFileTests {
    /// Writes a file and says what `body` makes of it.
    private func with<Value>(_ name: String, _ bytes: some Sequence<UInt8>, _ body: (String) throws -> Value) throws
        -> Value
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return try body(file.path)
    }

    @Test(arguments: [
        ("a.txt", "limit -1\n", true), ("a.yaml", "chain:\n  - limit -1\n", true),
        ("rew.txt", "Filter  1: ON  PK  Fc 50 Hz  Gain -10 dB  Q 2.5\n", true),
        ("camilla.yml", "devices: {samplerate: 48000}\n", true), ("wrong.yaml", "chian:\n  - limit -1\n", true),
        ("letter.md", "Dear room,\n", true), ("ir.txt", "0.5\n0.25\n", false), ("ir.csv", "0,0.5\n1,0.25\n", false),
        ("a.wav", "RIFF\u{0}\u{0}", false), ("long.yaml", String(repeating: "# long\n", count: 40_000), false),
    ])
    func chainsAreTold(name: String, text: String, isChain: Bool) throws {
        #expect(try with(name, text.utf8) { try ChainFile.isChain($0) } == isChain)
    }

    @Test func textsOfOtherEncodingsAreChainsWhereAProgramIsTold() throws {
        #expect(
            try with("rew.txt", Array("Filter Settings file\n20 ".utf8) + [0xB0, 10]) { try ChainFile.isChain($0) })
        #expect(try with("a.mp3", [0xFF, 0xFB, 0x90, 0x64]) { try ChainFile.isChain($0) } == false)
    }

    @Test func aFileThatIsNotThereIsNamed() {
        let error = #expect(throws: ChainError.self) { try ChainFile.isChain("/nowhere/a.yaml") }
        #expect(error?.description.contains("/nowhere/a.yaml: no such file") == true)
    }

    @Test func pathsStartFromTheFilesFolder() throws {
        let text = "convolve hall.wav\nconvolve /srv/b.wav\n"
        try with("a.txt", text.utf8) { (path) throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            #expect(try ChainFile.readWithPaths(path).impulses == ["\(folder)/hall.wav", "/srv/b.wav"])
            #expect(try ChainFile.read(path).impulses == ["hall.wav", "/srv/b.wav"])
        }
    }
}
