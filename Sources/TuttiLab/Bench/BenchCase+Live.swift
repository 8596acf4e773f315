extension BenchCase {
    /// A line-in whose crystal is fast, as late as the way to the rooms allows. How late it really is, from the recordings,
    /// tells `Tests/Lab/live/measure.py`.
    package static let lives: [BenchCase] = [
        live("live-lan", "wired, a line-in 200 ppm fast, 50 ms later", rooms(.lan), latency: 50, apart: 20),
        live("live-wifi", "Wi-Fi, a line-in 200 ppm fast, 150 ms later", rooms(.wifi), latency: 150, apart: 500),
    ]

    private static func live(
        _ name: String, _ title: String, _ rooms: [Room], latency: Int, apart: Double
    ) -> BenchCase {
        BenchCase(
            name, title, rooms: rooms, hasSnapcast: false,
            marks: [p99(apart), BenchMark(.gaps, 0), BenchMark(.underruns, 0)]
        ).with {
            $0.live = Live(latency: latency, ppm: 200)
            // A line-in has no end.
            $0.lastSecond = $0.seconds
        }
    }
}
