import Glibc
import TuttiChain
import TuttiEffects

// How many times faster than real time effects are, on one core: pink-like noise at 48 kHz, the best of several runs of
// ten seconds in calls of 512 frames, by processor time. Arguments: names, of which a part is enough; all without any.

let frames = 512
let calls = 48_000 * 10 / frames

func equalizer(_ count: Int) -> Effect {
    let step = pow(1_000, 1 / Double(count - 1))
    return .equalizer(
        (0..<count).map { EQBand(.peak, frequency: 20 * pow(step, Double($0)), gain: $0 % 2 == 0 ? 3 : -3, q: 4) })
}

let cases: [(name: String, channels: Int, amplitude: Float, effects: [Effect])] = [
    ("equaliser, 31 bands", 2, 0.3, [equalizer(31)]),
    ("equaliser, 10 bands", 2, 0.3, [equalizer(10)]),
    ("equaliser, 31 bands, mono", 1, 0.3, [equalizer(31)]),
    ("crossover, 48 dB", 2, 0.3, [.crossover(Crossover(.low, frequency: 80, slope: 48))]),
    ("crossfeed", 2, 0.3, [.crossfeed(Crossfeed())]),
    ("delay", 2, 0.3, [.delay(Delay(time: 0.3, feedback: 40, wetDryMix: 30))]),
    ("compressor, working", 2, 1, [.compressor(Compressor())]),
    ("limiter, soft sound", 2, 0.05, [.limiter(Limiter())]),
    ("limiter, working", 2, 1, [.limiter(Limiter(ceiling: -3))]),
    ("gain", 2, 0.3, [.gain(-3)]),
    ("matrix", 2, 0.3, [.channels(.mono)]),
    ("nothing", 2, 0.3, []),
]

func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

for (name, channelCount, amplitude, effects) in cases {
    let names = CommandLine.arguments.dropFirst()
    guard names.isEmpty || names.contains(where: { name.contains($0) }) else { continue }
    let shape = AudioProcessor.Shape(sampleRate: 48_000, channelCount: channelCount, maximumFrames: frames)
    let chain = try ChainProcessor(EffectChain(effects), shape)
    let noise = UnsafeMutablePointer<Float>.allocate(capacity: 16 * frames)
    var low: Float = 0
    for index in 0..<(16 * frames) {
        low = 0.9 * low + 0.1 * Float.random(in: -1...1)
        noise[index] = amplitude * (0.5 * Float.random(in: -1...1) + 2 * low)
    }
    let planes = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channelCount)
    for channel in 0..<channelCount { planes[channel] = .allocate(capacity: frames) }
    var best = Double.infinity
    for _ in 0..<5 {
        let start = seconds()
        for call in 0..<calls {
            for channel in 0..<channelCount {
                planes[channel].update(from: noise + (call + 3 * channel) % 16 * frames, count: frames)
            }
            chain.process(Planes(planes, count: channelCount), frames: frames)
        }
        best = min(best, seconds() - start)
    }
    let factor = Double(calls * frames) / 48_000 / best
    print("\(name): \(Int(factor.rounded())) × real time")
}
