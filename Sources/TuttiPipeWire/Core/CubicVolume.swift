import Glibc
import TuttiRemote

/// PipeWire's volumes, which scale samples, and those that people see: `wpctl set-volume ID 0.5` sets 0.125.
package enum CubicVolume {
    /// What people see, 0 … 100 and more for a sink that is to amplify.
    ///
    /// - Parameter linear: what somebody has set; anything.
    package static func percent(ofLinear linear: Float) -> Double {
        guard linear.isFinite, linear > 0 else { return 0 }
        return cbrt(Double(linear)) * 100
    }

    /// What is set for a volume of 0 … 100.
    package static func linear(ofPercent percent: Double) -> Float {
        let part = min(max(percent / 100, 0), 1)
        return Float(part * part * part)
    }
}
