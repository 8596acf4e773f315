/// The queue in front of a link of limited rate that keeps flows apart and drops frames of those that stand in it for
/// long: fq_codel (RFC 8290), as far as its delays and losses go.
///
/// When a frame leaves is decided when it arrives, so flows share the link like a fluid: each that has a backlog gets
/// an equal part, and one that has none waits for no more than the frame under way. CoDel's law (RFC 8289) is applied
/// on arrival too, to how long the frame is going to wait.
struct FairQueue: Sendable {
    /// The wait that may stand, and for how long a longer one may, in ns: RFC 8290's.
    private static let (target, interval): (Int64, Int64) = (5_000_000, 100_000_000)
    /// Flows that are remembered; those without a backlog are forgotten first.
    private static let mostFlows = 1_024
    /// Bytes of the frame that may be under way.
    private static let largest = 1_500.0

    private struct Flow {
        /// Until when its frames are on the link.
        var freeAt: Int64
        /// Since when its frames wait for longer than they may.
        var lateSince: Int64?
        /// Frames dropped because of that, and when the next one is.
        var drops = 0
        var nextDrop: Int64 = 0
    }

    private var flows: [UInt64: Flow] = [:]

    /// When a frame has been carried, and whether it waits behind others of its flow; nil when it is dropped.
    ///
    /// - Parameters:
    ///   - byteTime: how long the link takes for a byte, in ns.
    ///   - longest: how long a frame may wait at most, in ns.
    mutating func carry(
        _ frame: LinkFrame, entering time: Int64, byteTime: Double, longest: Double
    ) -> (due: Int64, isBehind: Bool)? {
        if flows.count >= Self.mostFlows { flows = flows.filter { $0.value.freeAt > time } }
        var state = flows[frame.flow] ?? Flow(freeAt: time)
        defer { flows[frame.flow] = state }
        let others = flows.count { $0.key != frame.flow && $0.value.freeAt > time }
        let wait = max(0, state.freeAt - time)
        guard Double(wait) <= longest, !drops(&state, wait: wait, at: time) else { return nil }
        let work = Double(frame.bytes) * byteTime
        if wait == 0 {
            // Frames are on the link without a break, and this one comes at any place of one.
            let whole = max(1, Int64(Self.largest * byteTime))
            state.freeAt = time + (others > 0 ? whole - time % whole : 0) + Int64(work)
        } else {
            state.freeAt += Int64(work * Double(others + 1))
        }
        return (state.freeAt, wait > 0)
    }

    private func drops(_ flow: inout Flow, wait: Int64, at time: Int64) -> Bool {
        guard wait > Self.target else {
            (flow.lateSince, flow.drops) = (nil, 0)
            return false
        }
        guard let since = flow.lateSince else {
            flow.lateSince = time
            return false
        }
        guard time - since >= Self.interval, flow.drops == 0 || time >= flow.nextDrop else { return false }
        flow.drops += 1
        flow.nextDrop = time + Int64(Double(Self.interval) / Double(flow.drops).squareRoot())
        return true
    }
}
