// What effects may be set to: the one place that documents, checks and readers of texts take these numbers from.

extension EffectChain {
    /// What a chain may be.
    public enum Limits {
        /// Decibels of a gain.
        public static let gains = -120.0...24.0
        /// Filters of one equaliser.
        public static let bandCounts = 1...128
        /// Bytes of a text that describes a chain.
        public static let maximumTextSize = 1 << 16
    }
}

extension ChannelMatrix {
    /// What a matrix may be.
    public enum Limits {
        /// Rows, and numbers of a row.
        public static let channelCounts = 1...8
        /// Linear gains; negative ones invert.
        public static let gains = -16.0...16.0
    }
}

extension Convolution {
    /// What a convolution may be set to.
    public enum Limits {
        /// Decibels.
        public static let gains = -60.0...24.0
        /// Bytes of what the impulse response is named by, in UTF-8.
        public static let nameSizes = 1...1024
        /// Bytes of what people call it, in UTF-8.
        public static let labelSizes = 0...80
    }
}

extension Reverb {
    /// What a reverb may be set to.
    public enum Limits {
        /// Per cent.
        public static let wetDryMixes = 0.0...100.0
    }
}

extension Delay {
    /// What a delay may be set to.
    public enum Limits {
        /// Seconds.
        public static let times = 0.0...5.0
        /// Per cent.
        public static let feedbacks = -99.0...99.0
        /// Per cent.
        public static let wetDryMixes = 0.0...100.0
    }
}

extension Compressor {
    /// What a compressor may be set to.
    public enum Limits {
        /// dBFS.
        public static let thresholds = -60.0...0.0
        /// Decibels in for one decibel out.
        public static let ratios = 1.0...100.0
        /// Decibels.
        public static let knees = 0.0...24.0
        /// Seconds.
        public static let attacks = 0.0001...1.0
        /// Seconds.
        public static let releases = 0.01...5.0
        /// Decibels.
        public static let makeUpGains = 0.0...24.0
    }
}

extension Limiter {
    /// What a limiter may be set to.
    public enum Limits {
        /// dBTP.
        public static let ceilings = -40.0...0.0
        /// Seconds.
        public static let releases = 0.01...5.0
    }
}

extension Crossfeed {
    /// What crossfeed may be set to.
    public enum Limits {
        /// Hertz.
        public static let frequencies = 300.0...2_000.0
        /// Decibels.
        public static let levels = 1.0...15.0
    }
}

extension Crossover {
    /// What a crossover may be set to.
    public enum Limits {
        /// Hertz.
        public static let frequencies = 20.0...20_000.0
        /// Decibels an octave.
        public static let slopes = [12, 24, 48]
    }
}
