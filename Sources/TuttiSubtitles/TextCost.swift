import CASS
import Glibc

/// What it takes to draw an event, estimated from its overrides before libass sees it.
///
/// libass draws whatever a script asks for, beyond the canvas too: one letter with a border of 5000 takes gigabytes, and a
/// script may come from anywhere. Sizes here are parts of the canvas's height, whatever its pixels.
struct TextCost {
    /// What is drawn at a time at most, in whole canvases. A line of dialogue is less than one; at 1080 lines this is 66 MB.
    static let maximumCanvases = 32.0

    /// The largest that styles or an event ask for.
    private struct Extent {
        var (fontSize, scale, spacing, border, blur) = (0.0, 1.0, 0.0, 0.0, 0.0)
        var (shearX, shearY, softening, coordinate) = (0.0, 0.0, 0.0, 0.0)
        var (glyphs, runs) = (0.0, 1.0)
        var (isTurned, hasPerspective, hasDrawing) = (false, false, false)

        mutating func note(_ value: Double, _ field: WritableKeyPath<Extent, Double>) {
            // What is no number is worse than any.
            let size = value.isNaN ? .infinity : abs(value)
            self[keyPath: field] = max(self[keyPath: field], size)
        }
    }

    private static let tags: [(name: String, field: any WritableKeyPath<Extent, Double> & Sendable, unit: Double)] = [
        ("fscx", \.scale, 0.01), ("fscy", \.scale, 0.01), ("fsc", \.scale, 0.01), ("fsp", \.spacing, 1),
        ("fs", \.fontSize, 1), ("xbord", \.border, 1), ("ybord", \.border, 1), ("bord", \.border, 1),
        ("blur", \.blur, 1), ("be", \.softening, 1), ("fax", \.shearX, 1), ("fay", \.shearY, 1),
    ]
    /// Of a gaussian, in standard deviations.
    private static let blurReach = 4.0
    /// How much a turn in space may enlarge, more or less.
    private static let perspectiveGain = 10.0
    private static let usualShape = 16.0 / 9
    /// Lines of a canvas at least, where borders are in its pixels.
    private static let fewestLines = 240.0

    private var base = Extent()
    private let lines: Double
    private let borderLines: Double
    private var stretch = 1.0

    /// What a script's styles have in common.
    init(_ track: ASS_Track) {
        // libass takes this for none.
        lines = track.PlayResY > 0 ? Double(track.PlayResY) : 288
        borderLines = track.ScaledBorderAndShadow != 0 ? lines : min(lines, Self.fewestLines)
        if track.LayoutResX > 0, track.LayoutResY > 0 {
            let ratio = Double(track.LayoutResX) / Double(track.LayoutResY) / Self.usualShape
            // Films of usual shapes have none worth counting.
            stretch = max(1, ratio / 2, 0.5 / ratio)
        }
        for index in 0..<max(0, Int(track.n_styles)) {
            guard let style = track.styles?[index] else { break }
            base.note(style.FontSize, \.fontSize)
            base.note(style.ScaleX, \.scale)
            base.note(style.ScaleY, \.scale)
            base.note(style.Spacing, \.spacing)
            base.note(style.Outline, \.border)
            base.note(style.Blur, \.blur)
            if style.Angle != 0 { base.isTurned = true }
        }
    }

    /// The canvases that an event fills, more or less; infinity for one with numbers that are none.
    func canvases(_ event: String) -> Double {
        let extent = extent(event)
        let size = extent.fontSize * extent.scale / lines
        let margin = 2 * (extent.border + Self.blurReach * extent.blur) / borderLines
        let advance = size * (1 + extent.shearX) + extent.spacing * extent.scale / lines
        let line = extent.glyphs * advance
        var area = extent.glyphs * (advance + margin) * (size + margin) + line * line * extent.shearY
        // Of a line that is turned, libass draws all that is around it.
        if extent.isTurned { area += (line + margin) * (line + margin) }
        if extent.hasDrawing {
            let side = extent.coordinate * extent.scale / lines * (1 + max(extent.shearX, extent.shearY)) + margin
            area += extent.runs * side * side
        }
        let gain = (extent.hasPerspective ? Self.perspectiveGain : 1) * (1 + extent.softening / 8) * stretch
        let canvases = area * gain / Self.usualShape
        return canvases.isNaN ? .infinity : canvases
    }

    private func extent(_ event: String) -> Extent {
        var result = base
        let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        let text = fields.count == 9 ? String(fields[8]) : event
        var rest = Array(text.utf8CString)[...]
        var isInside = false
        while let byte = rest.popFirst(), byte != 0 {
            switch UInt8(bitPattern: byte) {
            case UInt8(ascii: "{"): (isInside, result.runs) = (true, result.runs + 1)
            case UInt8(ascii: "}"): isInside = false
            case UInt8(ascii: "\\") where isInside: Self.note(rest, &result)
            // The later bytes of a character are no further one. Numbers outside of blocks may be places of a drawing.
            case let unit:
                if !isInside, unit & 0xC0 != 0x80 { result.glyphs += 1 }
                if !isInside, Self.isDigit(unit) { result.note(Self.skipNumber(unit, &rest), \.coordinate) }
            }
        }
        // A block that does not end is a text.
        if isInside { result.glyphs += Double(text.utf8.count) }
        return result
    }

    private static func note(_ rest: ArraySlice<CChar>, _ extent: inout Extent) {
        // Blanks before a tag's name are none to libass.
        let text = rest.drop { $0 == 0x20 || $0 == 0x09 }
        for tag in tags {
            guard let argument = argument(of: tag.name, in: text) else { continue }
            if tag.name == "fs", let sign = argument.first, sign == 0x2B || sign == 0x2D {
                // By so many tenths larger than before.
                return extent.note(extent.fontSize * (1 + abs(number(argument)) / 10), \.fontSize)
            }
            return extent.note(number(argument) * tag.unit, tag.field)
        }
        if argument(of: "frx", in: text) != nil || argument(of: "fry", in: text) != nil {
            (extent.isTurned, extent.hasPerspective) = (true, true)
        } else if argument(of: "fr", in: text) != nil {
            extent.isTurned = true
        } else if let clip = argument(of: "clip", in: text) ?? argument(of: "iclip", in: text) {
            // A shape; four numbers are a rectangle.
            let shape = clip.prefix { $0 != 0x29 && $0 != 0x7D }
            guard shape.contains(0x6D) else { return }
            extent.hasDrawing = true
            var rest = shape
            while let byte = rest.popFirst() {
                let digit = UInt8(bitPattern: byte)
                if isDigit(digit) { extent.note(skipNumber(digit, &rest), \.coordinate) }
            }
        } else if let level = argument(of: "p", in: text)?.first, isDigit(UInt8(bitPattern: level)) {
            extent.hasDrawing = true
        }
    }

    /// What follows a tag's name, with or without a parenthesis.
    private static func argument(of name: String, in text: ArraySlice<CChar>) -> ArraySlice<CChar>? {
        guard text.starts(with: name.utf8.lazy.map { CChar(bitPattern: $0) }) else { return nil }
        return text.dropFirst(name.utf8.count).drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x28 }
    }

    private static func number(_ text: ArraySlice<CChar>) -> Double {
        text.prefix(40).withUnsafeBufferPointer { bytes in
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 41) { copy in
                copy.initialize(repeating: 0)
                for (index, byte) in bytes.enumerated() { copy[index] = byte }
                return copy.baseAddress.map { strtod($0, nil) } ?? 0
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// A number that begins with a digit; `rest` then begins behind its digits.
    private static func skipNumber(_ first: UInt8, _ rest: inout ArraySlice<CChar>) -> Double {
        var value = Double(first - 0x30)
        while let byte = rest.first, isDigit(UInt8(bitPattern: byte)) {
            value = value * 10 + Double(UInt8(bitPattern: byte) - 0x30)
            rest.removeFirst()
        }
        // An exponent: as large as any.
        return rest.first == 0x65 || rest.first == 0x45 ? .infinity : value
    }
}
