import ArgumentParser
import TuttiCommandLine
import TuttiHost
import TuttiSchema

extension PlaylistCommand {
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Writes a playlist as an M3U8 file; a file of that name is replaced.")

        @Argument(help: "The playlist.") var name: String
        @Argument(help: "The file, or - for standard output.", completion: .file(extensions: ["m3u8", "m3u"]))
        var file: String

        func run() throws {
            let inputs = try PlaylistCommand.inputs(of: name)
            let (text, leftOut) = PlaylistText.m3u8(inputs)
            if leftOut > 0 {
                let what = leftOut == 1 ? "1 entry" : "\(leftOut) entries"
                Terminal.error("\(what) left out: M3U8 cannot name stations and parts of the library")
            }
            guard file != "-" else { return Terminal.write(text) }
            try AtomicFile.write(Array(text.utf8), to: file, mode: 0o644, isDurable: false)
        }
    }

    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps the tracks of an M3U, PLS or CUE file as a playlist, in place of one of that name.")

        @Argument(help: "The file, or its address.", completion: .file(extensions: ["m3u8", "m3u", "pls", "cue"]))
        var file: String
        @Argument(help: "What it is called. (default: as the file)") var name: String?

        func run() throws {
            let last = file.split(separator: "/").last.map(String.init) ?? file
            let base = last.split(separator: ".").dropLast().joined(separator: ".")
            let inputs = try KeptInputs.resolve(list: file)
            try PlaylistCommand.carryOut(.set(name ?? (base.isEmpty ? last : base), inputs))
        }
    }
}
