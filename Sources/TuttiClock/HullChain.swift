/// One side of the convex hull of points that arrive in the order of x, in storage of fixed size.
///
/// The lower hull holds every point that a line can touch from below, the upper hull from above: all that a fit of an
/// envelope needs to remember. A full chain forgets its oldest vertex. Nothing here allocates.
struct HullChain: Sendable {
    /// Vertices kept at most; hulls of thousands of noisy points have a few dozen.
    static let capacity = 64

    private var xs = InlineArray<64, Double>(repeating: 0)
    private var ys = InlineArray<64, Double>(repeating: 0)
    private var first = 0
    private(set) var count = 0
    /// 1 for the lower hull, −1 for the upper one.
    private let sign: Double

    init(isLower: Bool) { sign = isLower ? 1 : -1 }

    /// Adds a point; one whose x is not beyond the last one's replaces it if it lies further out.
    mutating func append(x: Double, y: Double) {
        precondition(x.isFinite && y.isFinite, "a hull has finite points")
        let outward = y * sign
        if count > 0, x <= xs[slot(count - 1)] {
            guard outward < ys[slot(count - 1)] else { return }
            let last = xs[slot(count - 1)]
            count -= 1
            push(x: last, y: outward)
        } else {
            push(x: x, y: outward)
        }
    }

    /// Forgets all vertices before x, except that the last one always stays.
    mutating func removeVertices(before x: Double) {
        while count > 1, firstX < x { dropFirst() }
    }

    mutating func removeAll() { count = 0 }

    /// The lowest (highest, in an upper hull) `y − slope · (x − center)`; 0 without points.
    func intercept(slope: Double, center: Double) -> Double {
        var best = Double.infinity
        let tilt = slope * sign
        // Without the spans whole arrays are copied.
        let (xs, ys) = (xs.span, ys.span)
        for index in 0..<count {
            let at = slot(index)
            best = min(best, ys[at] - tilt * (xs[at] - center))
        }
        return count == 0 ? 0 : best * sign
    }

    /// The x of the oldest vertex.
    var firstX: Double { xs.span[slot(0)] }

    private mutating func push(x: Double, y: Double) {
        while count >= 2 {
            let a = slot(count - 2)
            let b = slot(count - 1)
            let cross = (xs[b] - xs[a]) * (y - ys[a]) - (ys[b] - ys[a]) * (x - xs[a])
            guard cross <= 0 else { break }
            count -= 1
        }
        if count == Self.capacity { dropFirst() }
        precondition(count < Self.capacity, "a full hull has dropped a vertex")
        xs[slot(count)] = x
        ys[slot(count)] = y
        count += 1
    }

    private mutating func dropFirst() {
        precondition(count > 0, "only a vertex can be dropped")
        first = slot(1)
        count -= 1
    }

    private func slot(_ index: Int) -> Int { (first + index) & (Self.capacity - 1) }
}
