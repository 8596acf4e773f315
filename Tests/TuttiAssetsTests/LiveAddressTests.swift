import Testing
import TuttiAssets

@Suite("Live inputs by name")
struct LiveAddressTests {
    @Test("Places, formats and latencies are read")
    func reads() throws {
        let card = try LiveAddress("alsa:plughw:CARD=Device,DEV=0?latency=60ms")
        #expect(card.source == .card("plughw:CARD=Device,DEV=0") && card.latency == 60_000_000)
        let pipe = try LiveAddress("pipe:/tmp/fifo?format=44100:24:2&latency=2s")
        #expect(pipe.source == .pipe(path: "/tmp/fifo") && pipe.latency == 2_000_000_000)
        #expect(pipe.format == (try RawFormat(parsing: "44100:24:2")))
        #expect(try LiveAddress("pipe:///tmp/fifo").source == .pipe(path: "/tmp/fifo"))
        #expect(try LiveAddress("unix:/run/a.sock").source == .socket(path: "/run/a.sock"))
        let node = try LiveAddress("pipewire:phono?latency=80ms")
        #expect(try node.source == .node("phono") && node.format == RawFormat(parsing: "48000:f32:2"))
        #expect(try LiveAddress("tcp://[::1]:4953").source == .connection(host: "::1", port: 4953))
        #expect(try LiveAddress("tcp://0.0.0.0:4953?mode=server").source == .listener(host: "0.0.0.0", port: 4953))
        #expect(try LiveAddress("tcp://0.0.0.0:4953?listen").source == .listener(host: "0.0.0.0", port: 4953))
        let program = try LiveAddress("exec:curl http://a/?b=c?format=48000:16:1")
        #expect(program.source == .program(command: "curl http://a/?b=c") && program.format.channelCount == 1)
        #expect(try LiveAddress("exec:curl http://a/?b=c").source == .program(command: "curl http://a/?b=c"))
        #expect(program.latency == LiveAddress.usualLatency && !program.raisesLatency)
        let rising = try LiveAddress("alsa:hw:1?latency=auto")
        #expect(rising.latency == LiveAddress.firstLatency && rising.raisesLatency)
    }

    @Test(
        "What makes no sense is refused with a reason",
        arguments: [
            "alsa:", "pipe:relative", "pipewire:", "pipewire:/run/x", "tcp://host", "tcp://:1", "tcp://host:0",
            "tcp://host:99999",
            "alsa:x?format=1:2:3", "alsa:x?threshold=1", "alsa:x?threshold=loud",
            "alsa:x?latency=1ms", "alsa:x?latency=11s", "alsa:x?latency=fast", "alsa:x?latency=", "alsa:x?color=red",
            "pipe:/x?format=48000:16:6", "unix:?latency=1s", "alsa:x?latency=99999999999999999999999s",
        ])
    func refuses(text: String) {
        #expect(throws: AssetError.self) { try LiveAddress(text) }
        #expect(LiveAddress.isOne(text))
    }

    @Test("Files, addresses and stations are not live")
    func others() {
        for text in ["/a/pipe:b.flac", "http://a/b", "station:x", "-", "a.wav", ""] {
            #expect(!LiveAddress.isOne(text), "\(text)")
        }
    }

    @Test("Another latency takes the place of the first")
    func changes() throws {
        #expect(try LiveAddress.with(latency: "60ms", "alsa:hw:1") == "alsa:hw:1?latency=60.0ms")
        let changed = try LiveAddress.with(latency: "1s", "pipe:/a?latency=60ms&format=48000:16:2")
        #expect(changed == "pipe:/a?format=48000:16:2&latency=1000.0ms")
        #expect(try LiveAddress(changed).latency == 1_000_000_000)
        #expect(try LiveAddress.with(latency: "auto", changed) == "pipe:/a?format=48000:16:2&latency=auto")
        #expect(try LiveAddress.with(threshold: "-40dB", "alsa:hw:1") == "alsa:hw:1?threshold=-40.0")
        #expect(throws: AssetError.self) { try LiveAddress.with(latency: "1h", "alsa:hw:1") }
        #expect(throws: AssetError.self) { try LiveAddress.with(threshold: "loud", "alsa:hw:1") }
    }
}
