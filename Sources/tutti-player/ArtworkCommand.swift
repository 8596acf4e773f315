import ArgumentParser
import Glibc
import TuttiAssets
import TuttiCommandLine
import TuttiHost

/// `tutti artwork`.
struct ArtworkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "artwork", abstract: "Writes the picture of a music file, as JPEG.",
        discussion: """
            It takes the picture inside the file, or else one that lies beside it: cover, folder, front or album, with \
            .jpg, .jpeg, .png or .webp. If the file is a picture itself, it takes that. The picture is made smaller to \
            fit into a square, never larger.

            EXAMPLES
              tutti artwork song.flac --size 300 > cover.jpg
              tutti artwork song.flac --output cover.jpg

            EXIT STATUS
              0 done   1 failed   2 wrong usage   3 no such file, or it has no picture
            """)

    @Argument(help: ArgumentHelp("A music file, or a picture.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The side of the square, in pixels, 16 to 4096.", valueName: "pixels"))
    var size = 640

    @Option(help: ArgumentHelp("Where to write it. (default: standard output)", valueName: "path"))
    var output: String?

    func validate() throws {
        guard (16...4_096).contains(size) else { throw ValidationError("--size takes 16 to 4096 pixels") }
        guard output != nil || isatty(STDOUT_FILENO) == 0 else {
            throw ValidationError("name a file with --output, or redirect standard output: a picture is no text")
        }
    }

    func run() throws {
        let picture: AssetInfo.Artwork?
        do throws(AssetError) {
            picture = try AssetInfo.Artwork.find(forFile: file)
        } catch {
            if case .notFound = error { throw Failure(error.description, exitCode: 3) }
            throw Failure(error.description)
        }
        guard let picture else { throw Failure("\(file): has no picture, and none lies beside it", exitCode: 3) }
        let bytes: [UInt8]
        do {
            bytes = try picture.scaled(to: size)
        } catch {
            throw Failure("\(file): its picture cannot be used: \(error)")
        }
        try write(bytes)
    }

    private func write(_ bytes: [UInt8]) throws {
        guard let output else { return Terminal.write(bytes) }
        do {
            try AtomicFile.write(bytes, to: output, mode: 0o666, isDurable: false)
        } catch {
            throw Failure("\(error)")
        }
    }
}
