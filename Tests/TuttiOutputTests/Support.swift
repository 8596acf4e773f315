import Foundation
import Synchronization
import TuttiHost
import TuttiOutput

/// Time that passes when it is told to, or when somebody waits.
final class ManualTime: RawTime {
    private let raw: Mutex<Int64>

    init(_ start: Int64 = 1_000_000_000_000) { raw = Mutex(start) }

    func now() -> Int64 { raw.withLock { $0 } }

    func pass(nanoseconds: Int64) { raw.withLock { $0 += nanoseconds } }
}

/// A virtual card on manual time.
func makeCard(_ device: String, time: ManualTime, depth: Int = 16) throws -> VirtualOutput<ManualTime> {
    guard let specification = try VirtualSpecification(parsing: device) else { throw POSIXError(.EINVAL) }
    return try VirtualOutput(
        specification, request: OutputRequest(device: device, preferredBitDepth: depth), clock: HostClock(), time: time)
}

/// A directory for one test.
func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = NSTemporaryDirectory() + "tutti-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try body(path)
}

extension OutputDevice {
    /// Writes `frames` frames whose bytes are all `value`.
    func write(value: UInt8 = 1, frames: Int) -> Int {
        [UInt8](repeating: value, count: frames * actual.bytesPerFrame).withUnsafeBytes { write($0, frames: frames) }
    }
}
