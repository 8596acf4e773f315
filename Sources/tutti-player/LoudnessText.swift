import Foundation
import TuttiAssets
import TuttiCommandLine
import TuttiCore
import TuttiScan
import TuttiStore

/// What `tutti loudness` prints: a table, or lines of JSON, and how far it has come at the foot of a terminal.
struct LoudnessText {
    private let isJSON: Bool
    private let start = ContinuousClock.now
    private var drawn: ContinuousClock.Instant?
    private var isDrawn = false
    private var hasHeader = false
    private var failures = 0

    private static let header = "   LUFS     LU   dBTP    track    album\n"
    private static let clearLine = "\r\u{1B}[K"
    private static let redraw = Duration.milliseconds(200)

    init(isJSON: Bool) { self.isJSON = isJSON }

    /// Tells what has happened.
    mutating func show(_ event: LoudnessScan.Event) {
        switch event {
        case .progress(let progress): draw(progress)
        case .failed(_, let message):
            failures += 1
            clear()
            Terminal.error(message)
        case .track(let input, let track, let isKnown):
            clear()
            if isJSON { return Terminal.write(json: Line(input, track, isKnown: isKnown)) }
            write(track.figures, album: track.album, name: name(of: input), isKnown: isKnown)
        case .album(let album, let folder, let isKnown):
            clear()
            if isJSON { return Terminal.write(json: Line(album, folder: folder, isKnown: isKnown)) }
            let count = album.trackCount == 1 ? "1 track" : "\(album.trackCount) tracks"
            write(album.figures, album: album, isAlbum: true, name: "\(album.name) (\(count))", isKnown: isKnown)
        }
    }

    /// Tells that all is done.
    ///
    /// - Returns: how many files could not be measured.
    mutating func finish() -> Int {
        clear()
        return failures
    }

    private mutating func write(
        _ figures: MeasuredTrack.Figures, album: MeasuredTrack.Album?, isAlbum: Bool = false, name: String,
        isKnown: Bool
    ) {
        if !hasHeader { Terminal.write(Self.header) }
        hasHeader = true
        let track = isAlbum ? "        " : Self.gain(figures)
        let columns = [
            Self.number(figures.integrated, width: 7), Self.number(figures.range, width: 6),
            Self.number(figures.peak, width: 6, isSigned: true), " " + track, " " + Self.gain(album?.figures),
        ]
        Terminal.write(columns.joined(separator: " ") + "  \(name)\(isKnown ? "  known" : "")\n")
    }

    private static func gain(_ figures: MeasuredTrack.Figures?) -> String {
        guard let gain = figures?.gain else { return "        " }
        return number(gain, width: 5, isSigned: true) + " dB"
    }

    private static func number(_ value: Double?, width: Int, isSigned: Bool = false) -> String {
        let text = value.map { String(format: isSigned ? "%+.1f" : "%.1f", $0) } ?? "–"
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private func name(of input: AssetInput) -> String {
        let file = input.uri.split(separator: "/").last.map(String.init) ?? input.uri
        return input.isPart ? "\(file): \(input.title ?? "from \(StatusText.time(input.start.seconds))")" : file
    }

    // MARK: Progress

    private mutating func draw(_ progress: LoudnessScan.Progress) {
        let now = ContinuousClock.now
        guard Terminal.isInteractive, !isJSON, drawn.map({ now - $0 >= Self.redraw }) ?? true else { return }
        let passed = (now - start) / .seconds(1)
        let speed = passed > 0 ? Int(progress.seconds / passed) : 0
        Terminal.write("\(Self.clearLine)\(progress.done) of \(progress.total) measured, \(speed) × real time")
        (drawn, isDrawn) = (now, true)
    }

    private mutating func clear() {
        if isDrawn { Terminal.write(Self.clearLine) }
        isDrawn = false
    }
}

extension LoudnessText {
    /// A track or an album in JSON, as docs/json.md has it.
    private struct Line: Encodable {
        var kind: String
        var path: String?
        var start: Double?
        var end: Double?
        var folder: String?
        var tracks: Int?
        var loudness: Double?
        var range: Double?
        var peak: Double?
        var gain: Double?
        var album: String?
        var albumGain: Double?
        var known: Bool

        init(_ input: AssetInput, _ track: MeasuredTrack, isKnown: Bool) {
            (kind, path, known) = ("track", track.file.path, isKnown)
            if input.isPart { (start, end) = (input.start.seconds, input.end?.seconds) }
            (album, albumGain) = (track.album?.name, track.album?.figures.gain?.hundredths)
            take(track.figures)
        }

        init(_ album: MeasuredTrack.Album, folder: String, isKnown: Bool) {
            (kind, self.folder, tracks, known) = ("album", folder, album.trackCount, isKnown)
            self.album = album.name
            take(album.figures)
        }

        private mutating func take(_ figures: MeasuredTrack.Figures) {
            (loudness, range) = (figures.integrated?.hundredths, figures.range?.hundredths)
            (peak, gain) = (figures.peak?.hundredths, figures.gain?.hundredths)
        }
    }
}

extension MeasuredTrack.Figures {
    /// Decibels to the reference loudness, whatever the peak.
    fileprivate var gain: Double? { integrated.map { LoudnessNormalization.reference - $0 } }
}

extension Double {
    /// Two decimals.
    fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}
