import TuttiCommandLine
import TuttiLibrary

/// What a scan prints: how far it has come, at the foot of a terminal, and at its end what it found.
struct ScanText {
    private var isDrawn = false
    /// Whether a folder was not found, or something could not be stored.
    private(set) var hasFailed = false

    private static let clearLine = "\r\u{1B}[K"

    /// Tells what has happened.
    mutating func show(_ event: LibraryScan.Event) {
        switch event {
        case .progress(let progress): draw(progress)
        case .finished(let progress, let trouble, _):
            if isDrawn { Terminal.write(Self.clearLine) }
            for line in trouble { Terminal.error(line.description) }
            hasFailed = trouble.contains { [.goneRoot, .store].contains($0.kind) }
            let removed = progress.removed > 0 ? ", \(progress.removed) removed" : ""
            Terminal.write(
                "\(progress.found == 1 ? "1 file" : "\(progress.found) files") found, \(progress.read) read\(removed), "
                    + "in \(StatusText.seconds((progress.seconds * 10).rounded() / 10))\n")
        }
    }

    private mutating func draw(_ progress: LibraryScan.Progress) {
        guard Terminal.isInteractive else { return }
        Terminal.write(
            "\(Self.clearLine)\(progress.found) found, \(progress.read) read, \(Int(progress.rate)) a second")
        isDrawn = true
    }
}
