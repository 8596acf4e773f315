/// One second-order filter of an equaliser, after the Audio EQ Cookbook of R. Bristow-Johnson.
public struct EQBand: Sendable, Hashable {
    /// What a filter does.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// Raises or lowers what lies around the frequency.
        case peak
        /// Raises or lowers what lies below the frequency.
        case lowShelf
        /// Raises or lowers what lies above the frequency.
        case highShelf
        /// Lets pass what lies below the frequency; 12 dB an octave.
        case lowPass
        /// Lets pass what lies above the frequency; 12 dB an octave.
        case highPass
        /// Takes the frequency out.
        case notch
        /// Turns phases around the frequency and keeps levels.
        case allPass

        /// Whether the kind has a gain.
        public var hasGain: Bool {
            switch self {
            case .peak, .lowShelf, .highShelf: true
            case .lowPass, .highPass, .notch, .allPass: false
            }
        }
    }

    /// What a band may be set to.
    public enum Limits {
        /// Hertz; a processor also refuses what is not below half of its sample rate.
        public static let frequencies = 5.0...96_000.0
        /// Decibels.
        public static let gains = -60.0...24.0
        /// Quality factors.
        public static let qualities = 0.05...100.0
    }

    /// The kind of filter.
    public var kind: Kind
    /// Corner or centre in Hz.
    public var frequency: Double
    /// Decibels at the centre or on the shelf; 0 for kinds that have none.
    public var gain: Double
    /// The quality factor: 0.7071 is the steepest slope without a peak; a peak's width is its frequency divided by it.
    public var q: Double

    /// A band.
    public init(_ kind: Kind, frequency: Double, gain: Double = 0, q: Double = 0.707_106_781_186_547_5) {
        self.kind = kind
        self.frequency = frequency
        self.gain = gain
        self.q = q
    }
}
