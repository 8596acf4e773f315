/// Finds the highest point of a concave function on an interval.
enum ConcavePeak {
    /// The argument of the maximum of `function` between `low` and `high`, to `tolerance`. RT.
    static func search(low: Double, high: Double, tolerance: Double, _ function: (Double) -> Double) -> Double {
        precondition(tolerance > 0, "a search ends")
        let golden = 0.618_033_988_749_895
        var a = low
        var b = high
        var c = b - golden * (b - a)
        var d = a + golden * (b - a)
        var atC = function(c)
        var atD = function(d)
        // 64 steps shrink any interval by 10¹³.
        for _ in 0..<64 where b - a > tolerance {
            if atC >= atD {
                b = d
                d = c
                atD = atC
                c = b - golden * (b - a)
                atC = function(c)
            } else {
                a = c
                c = d
                atC = atD
                d = a + golden * (b - a)
                atD = function(d)
            }
        }
        return (a + b) / 2
    }
}
