import Glibc
import TuttiCore

/// When something is tried again that has failed: soon at first, then less and less often.
struct Retry {
    /// Between two attempts, in ns: at first, and at most.
    private static let (shortest, longest): (Int64, Int64) = (250_000_000, 1_000_000_000)

    private var interval = shortest
    private var due: HostTime?

    /// Whether it is time for an attempt.
    func isDue(_ now: HostTime) -> Bool { due.map { now >= $0 } ?? true }

    /// An attempt is made.
    mutating func tried(_ now: HostTime) {
        due = now.advanced(byNanoseconds: interval)
        interval = min(interval * 2, Self.longest)
    }

    /// Waiting is all that there is to do: no attempt was made.
    mutating func isListening() { (due, interval) = (nil, Self.shortest) }

    /// It has gone well.
    mutating func succeeded() { interval = Self.shortest }
}

/// A pause of the calling thread.
enum Pause {
    static func milliseconds(_ count: Int32) { usleep(useconds_t(max(0, min(count, 1_000))) * 1_000) }
}
