/// How the samples of a sound card or of a file lie in memory.
package enum SampleLayout: String, Sendable, Hashable, CaseIterable {
    /// Little-endian 16-bit integers.
    case int16
    /// Little-endian 24-bit integers in 3 bytes.
    case int24
    /// Little-endian 24-bit integers in the low 3 of 4 bytes, sign-extended.
    case int24in32
    /// Little-endian 32-bit integers.
    case int32
    /// 32-bit floats, full scale ±1.
    case float32

    /// Bytes of one sample.
    @inlinable
    package var bytesPerSample: Int {
        switch self {
        case .int16: 2
        case .int24: 3
        case .int24in32, .int32, .float32: 4
        }
    }

    /// Significant bits of one sample; 32 for floats, as in `AudioFormat`.
    @inlinable
    package var bitDepth: Int {
        switch self {
        case .int16: 16
        case .int24, .int24in32: 24
        case .int32, .float32: 32
        }
    }
}
