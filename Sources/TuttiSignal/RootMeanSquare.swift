extension ArraySlice<Float> {
    /// The root mean square of the samples; 0 for none.
    package var rootMeanSquare: Double {
        (reduce(0) { $0 + Double($1) * Double($1) } / Double(Swift.max(1, count))).squareRoot()
    }
}
