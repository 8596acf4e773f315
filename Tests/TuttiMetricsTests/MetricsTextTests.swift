import Testing
import TuttiMetrics

/// Figures as Prometheus reads them.
@Suite struct MetricsTextTests {
    @Test("figures of a name stand together below its help and type, whatever came between")
    func families() {
        var metrics = MetricsText()
        metrics.add("a", .gauge, 1, ["room": "bath"], help: "The first.")
        metrics.add("b_total", .counter, 2, help: "The second.")
        metrics.add("a", .gauge, 1.5, ["room": "den"], help: "Not told twice.")
        #expect(
            metrics.text == """
                # HELP a The first.
                # TYPE a gauge
                a{room="bath"} 1.0
                a{room="den"} 1.5
                # HELP b_total The second.
                # TYPE b_total counter
                b_total 2.0

                """)
    }

    @Test(
        "a name of a room may be any text",
        arguments: [("a\"b\\c", #"a\"b\\c"#), ("a\nb\r\nc", #"a\nb\nc"#), ("é", "é")])
    func labels(_ name: String, _ escaped: String) {
        var metrics = MetricsText()
        metrics.add("a", .gauge, 1, ["room": name], help: "One.")
        #expect(metrics.text.hasSuffix("a{room=\"\(escaped)\"} 1.0\n"))
    }

    @Test("what is not known, or no number, is left out", arguments: [nil, Double.nan, .infinity, -.infinity])
    func unknown(_ value: Double?) {
        var metrics = MetricsText()
        metrics.add("a", .gauge, value, help: "One.")
        #expect(metrics.text.isEmpty)
    }

    @Test("a histogram has its buckets cumulated, the last of them without a bound, and sum and count")
    func histograms() {
        var metrics = MetricsText()
        let histogram = MetricsHistogram(bounds: [1e-6, 0.5], counts: [3, 0, 2], sum: 4.5)
        metrics.add("error_seconds", histogram, ["room": "bath"], help: "How far off.")
        #expect(
            metrics.text == """
                # HELP error_seconds How far off.
                # TYPE error_seconds histogram
                error_seconds_bucket{room="bath",le="1e-06"} 3.0
                error_seconds_bucket{room="bath",le="0.5"} 3.0
                error_seconds_bucket{room="bath",le="+Inf"} 5.0
                error_seconds_sum{room="bath"} 4.5
                error_seconds_count{room="bath"} 5.0

                """)
    }

    @Test("what this process takes is known")
    func process() throws {
        let figures = try #require(ProcessFigures.own)
        #expect(figures.processorSeconds > 0)
        #expect(figures.residentBytes > 1e6)
        #expect(figures.openFiles > 2)
    }
}
