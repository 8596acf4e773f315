/// Two measurements, the second one with the cables swapped at the recorder: what its two inputs differ by cancels.
///
/// With the rooms apart by d and the inputs by c, the first measurement shows c + d and the second one c − d.
package struct CableSwap: Sendable, Equatable {
    /// µs by which the recorder's right input is late.
    package let skew: OffsetStatistics.Figure
    /// The first measurement without that.
    package let statistics: OffsetStatistics

    /// - Parameters:
    ///   - straight: the first room on the left.
    ///   - crossed: the second room on the left.
    package init(straight: OffsetStatistics, crossed: OffsetStatistics) {
        let (one, other) = (straight.median, crossed.median)
        let error = (one.uncertainty * one.uncertainty + other.uncertainty * other.uncertainty).squareRoot() / 2
        skew = OffsetStatistics.Figure(value: (one.value + other.value) / 2, uncertainty: error)
        statistics = straight.less(skew)
    }
}
