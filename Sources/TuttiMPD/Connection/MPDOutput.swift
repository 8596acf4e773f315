import TuttiCore

/// The bytes of an answer, as they grow.
///
/// A long one goes to the client in pieces while it is made, so that no more than a piece is here at a time.
package struct MPDOutput: Sendable {
    /// Takes a piece of the answer for the client; false when that does not take it.
    package typealias Drain = @Sendable ([UInt8]) -> Bool

    /// What there is that has not gone to the client yet.
    package private(set) var bytes: [UInt8] = []
    private let drain: Drain?
    /// Whether the client takes no more.
    package private(set) var isGivenUp = false

    package init(drain: Drain? = nil) { self.drain = drain }

    /// Whether nothing more of it goes anywhere: the client is gone, or it is longer than what may wait for one.
    package var isTooLong: Bool { isGivenUp || bytes.count > MPDLimits.output }

    private mutating func took() {
        guard let drain, bytes.count >= MPDLimits.piece else { return }
        isGivenUp = !drain(bytes)
        bytes = []
    }

    /// A text that stays on its line.
    package static func shown(_ text: String) -> String { PeerText.shown(text) }

    /// A line that is complete.
    package mutating func line(_ text: String) {
        guard !isTooLong else { return }
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\n"))
        took()
    }

    /// `NAME: VALUE`.
    package mutating func pair(_ name: String, _ value: String) { line("\(name): \(Self.shown(value))") }

    /// `NAME: VALUE`.
    package mutating func pair(_ name: String, _ value: some BinaryInteger) { line("\(name): \(value)") }

    /// `NAME: 0` or `1`.
    package mutating func pair(_ name: String, _ value: Bool) { line("\(name): \(value ? 1 : 0)") }

    /// `NAME: SECONDS`, with three decimals; nothing for what is no time.
    package mutating func pair(_ name: String, seconds: Double) {
        guard seconds.isFinite, abs(seconds) < 1e9 else { return }
        let thousandths = Int64((max(0, seconds) * 1000).rounded())
        line("\(name): \(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())")
    }

    /// A part of something binary.
    package mutating func binary(_ part: ArraySlice<UInt8>) {
        pair("binary", part.count)
        bytes.append(contentsOf: part)
        bytes.append(UInt8(ascii: "\n"))
        took()
    }

    /// Another answer, after this one.
    package mutating func append(_ other: MPDOutput) {
        guard !isTooLong else { return }
        bytes.append(contentsOf: other.bytes)
    }
}
