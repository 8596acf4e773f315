import TuttiSignal

/// Delay estimators for both lengths of window.
package struct WindowEstimators: Sendable {
    private let usual = DelayEstimator(size: MeasurementWindow.usual, sampleRate: RoomTrack.rate)
    private let brief = DelayEstimator(size: MeasurementWindow.brief, sampleRate: RoomTrack.rate)

    package init() {}

    /// The estimator for windows of that many samples.
    subscript(size: Int) -> DelayEstimator { size == MeasurementWindow.brief ? brief : usual }
}
