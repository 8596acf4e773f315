extension ComparisonReport {
    /// The pairs' offsets over time as an SVG picture.
    package var plot: String {
        let (width, height, margin) = (960.0, 420.0, 60.0)
        let points = pairs.flatMap(\.offsets)
        let duration = max(1, points.map(\.seconds).max() ?? 1)
        let reach = Self.niceReach(points.map { abs($0.microseconds) }.max() ?? 1)
        func x(_ seconds: Double) -> Double { margin + seconds / duration * (width - 2 * margin) }
        func y(_ offset: Double) -> Double { height / 2 - offset / reach * (height / 2 - margin) }
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" font-family=\"sans-serif\" "
                + "font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        ]
        for step in -2...2 {
            let value = reach * Double(step) / 2
            lines.append(
                "<line x1=\"\(x(0))\" x2=\"\(x(duration))\" y1=\"\(y(value))\" y2=\"\(y(value))\" stroke=\"#ddd\"/>"
                    + "<text x=\"\(margin - 6)\" y=\"\(y(value) + 4)\" text-anchor=\"end\">\(value) µs</text>")
        }
        for step in 0...4 {
            let seconds = duration * Double(step) / 4
            lines.append(
                "<text x=\"\(x(seconds))\" y=\"\(height - margin / 2)\" text-anchor=\"middle\">"
                    + "\((seconds * 10).rounded() / 10) s</text>")
        }
        let colors = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf"]
        for (index, pair) in pairs.enumerated() {
            let color = colors[index % colors.count]
            let path = pair.offsets.map { "\(Self.short(x($0.seconds))),\(Self.short(y($0.microseconds)))" }
            lines.append("<polyline fill=\"none\" stroke=\"\(color)\" points=\"\(path.joined(separator: " "))\"/>")
            lines.append(
                "<text x=\"\(margin + 160 * Double(index % 5))\" y=\"\(20 + 14 * Double(index / 5))\" fill=\"\(color)\">"
                    + "\(Self.escaped(pair.first)) – \(Self.escaped(pair.second))</text>")
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    /// 1, 2 or 5 times a power of ten, at least `value`.
    private static func niceReach(_ value: Double) -> Double {
        var reach = 1.0
        let factors = [2, 2.5, 2]
        var index = 0
        while reach < value, reach < 1e9 {
            reach *= factors[index % 3]
            index += 1
        }
        return reach
    }

    private static func short(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
