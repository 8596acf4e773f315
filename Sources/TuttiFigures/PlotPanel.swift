/// A frame with axes and lines, as elements of an SVG picture.
package struct PlotPanel {
    package var title: String
    /// Where the frame is in the picture, without what is written around it.
    package var left: Double
    package var top: Double
    package var width: Double
    package var height: Double
    package var xScale: PlotScale
    package var yScale: PlotScale
    package var xUnit: String
    package var yUnit: String
    package var series: [PlotSeries]
    /// Places on the x axis that are marked by a line from top to bottom.
    package var marks: [Double] = []
    /// Whether the marks have their numbers, from 1, at their upper ends.
    package var numbersMarks = false

    /// A panel.
    package init(
        title: String, left: Double, top: Double, width: Double, height: Double, xScale: PlotScale, yScale: PlotScale,
        xUnit: String, yUnit: String, series: [PlotSeries], marks: [Double] = []
    ) {
        self.title = title
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        self.xScale = xScale
        self.yScale = yScale
        self.xUnit = xUnit
        self.yUnit = yUnit
        self.series = series
        self.marks = marks
    }

    /// The panel's elements, one a line.
    var elements: [String] {
        grid
            + marks.enumerated().map { index, mark in
                "<line x1=\"\(x(mark))\" x2=\"\(x(mark))\" y1=\"\(short(top))\" y2=\"\(short(top + height))\" stroke=\"#999\" "
                    + "stroke-dasharray=\"4 3\"/>" + (numbersMarks ? number(index + 1, at: mark) : "")
            } + lines + heading
    }

    private func x(_ value: Double) -> String { short(left + xScale.share(value) * width) }
    private func y(_ value: Double) -> String { short(top + (1 - yScale.share(value)) * height) }

    private func number(_ number: Int, at mark: Double) -> String {
        // Those of marks side by side stand at two heights.
        "<text x=\"\(x(mark))\" y=\"\(short(top + (number.isMultiple(of: 2) ? 21 : 11)))\" dx=\"2\" font-size=\"10\" fill=\"#555\">\(number)</text>"
    }

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
                    + "\(PlotText.tick(tick))\(isTop ? " \(yUnit)" : "")</text>")
        }
        for (index, tick) in xScale.ticks.enumerated() {
            let isLast = index == xScale.ticks.count - 1
            result.append(
                "<line x1=\"\(x(tick))\" x2=\"\(x(tick))\" y1=\"\(short(top))\" y2=\"\(short(top + height))\" "
                    + "stroke=\"#eee\"/><text x=\"\(x(tick))\" y=\"\(short(top + height + 15))\" text-anchor=\"middle\">"
                    + "\(PlotText.tick(tick))\(isLast ? " \(xUnit)" : "")</text>")
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
    ///
    /// - Parameter notes: lines of text, with where each begins.
    package static func picture(
        width: Double, height: Double, _ panels: [PlotPanel], notes: [(x: Double, y: Double, text: String)] = []
    ) -> String {
        let head = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" "
                + "font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        ]
        let texts = notes.map { "<text x=\"\(Int($0.x))\" y=\"\(Int($0.y))\">\(escaped($0.text))</text>" }
        return (head + panels.flatMap(\.elements) + texts + ["</svg>", ""]).joined(separator: "\n")
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    private func short(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        return PlotText.number(rounded, digits: rounded == rounded.rounded() ? 0 : 1)
    }
}
