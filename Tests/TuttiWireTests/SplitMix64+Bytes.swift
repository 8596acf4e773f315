import TuttiCore

extension SplitMix64 {
    /// Bytes that are the same on every run.
    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
