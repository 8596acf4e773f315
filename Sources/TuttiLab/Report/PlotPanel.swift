/// A frame with axes and lines, as elements of an SVG picture.
struct PlotPanel {
    var title: String
    /// Where the frame is in the picture, without what is written around it.
    var left: Double
    var top: Double
    var width: Double
    var height: Double
    var xScale: PlotScale
    var yScale: PlotScale
    var xUnit: String
    var yUnit: String
    var series: [PlotSeries]
    /// Places on the x axis that are marked by a line from top to bottom.
    var marks: [Double] = []

    /// The panel's elements, one a line.
    var elements: [String] {
        grid
            + marks.map { mark in
                "<line x1=\"\(x(mark))\" x2=\"\(x(mark))\" y1=\"\(short(top))\" y2=\"\(short(top + height))\" stroke=\"#999\" "
                    + "stroke-dasharray=\"4 3\"/>"
            } + lines + heading
    }

    private func x(_ value: Double) -> String { short(left + xScale.share(value) * width) }
    private func y(_ value: Double) -> String { short(top + (1 - yScale.share(value)) * height) }

    private var grid: [String] {
        var result = [
            "<rect x=\"\(short(left))\" y=\"\(short(top))\" width=\"\(short(width))\" height=\"\(short(height))\" "
                + "fill=\"none\" stroke=\"#888\"/>"
        ]
        for (index, tick) in yScale.ticks.enumerated() {
            let isTop = index == yScale.ticks.count - 1
            result.append(
                "<line x1=\"\(short(left))\" x2=\"\(short(left + width))\" y1=\"\(y(tick))\" y2=\"\(y(tick))\" "
                    + "stroke=\"#ddd\"/><text x=\"\(short(left - 5))\" y=\"\(y(tick))\" dy=\"4\" text-anchor=\"end\">"
                    + "\(tick.shortText)\(isTop ? " \(yUnit)" : "")</text>")
        }
        for (index, tick) in xScale.ticks.enumerated() {
            let isLast = index == xScale.ticks.count - 1
            result.append(
                "<line x1=\"\(x(tick))\" x2=\"\(x(tick))\" y1=\"\(short(top))\" y2=\"\(short(top + height))\" "
                    + "stroke=\"#eee\"/><text x=\"\(x(tick))\" y=\"\(short(top + height + 15))\" text-anchor=\"middle\">"
                    + "\(tick.shortText)\(isLast ? " \(xUnit)" : "")</text>")
        }
        return result
    }

    private var lines: [String] {
        series.compactMap { line in
            guard !line.points.isEmpty else { return nil }
            let path = line.points.map { "\(x($0.x)),\(y($0.y))" }.joined(separator: " ")
            return
                "<polyline fill=\"none\" stroke=\"\(line.color)\" stroke-width=\"\(short(line.width))\" points=\"\(path)\"/>"
        }
    }

    private var heading: [String] {
        var result = [
            "<text x=\"\(short(left))\" y=\"\(short(top - 7))\" font-weight=\"bold\">\(Self.escaped(title))</text>"
        ]
        var at = left + width
        for line in series.reversed() where !line.label.isEmpty {
            result.append(
                "<text x=\"\(short(at))\" y=\"\(short(top - 7))\" text-anchor=\"end\" fill=\"\(line.color)\">"
                    + "\(Self.escaped(line.label))</text>")
            at -= 7 * Double(line.label.count) + 16
        }
        return result
    }

    /// A picture of panels.
    static func picture(width: Double, height: Double, _ panels: [PlotPanel]) -> String {
        let head = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" "
                + "font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        ]
        return (head + panels.flatMap(\.elements) + ["</svg>", ""]).joined(separator: "\n")
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    private func short(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return rounded == rounded.rounded() ? rounded.text(0) : rounded.text(1)
    }
}
