import TuttiAssets
import TuttiLive

/// The named pipes of live inputs, made, and held for as long as this is: their writers may come at any time.
package struct InputPipes: Sendable {
    private let held: [HeldPipe]

    package init(_ inputs: [LiveInput]) {
        held = inputs.compactMap { (try? LiveAddress($0.uri)).flatMap(HeldPipe.init) }
    }
}
