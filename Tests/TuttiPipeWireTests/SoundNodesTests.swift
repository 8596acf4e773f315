import Testing
import TuttiPipeWire

@Suite("Nodes of the graph that sound can be had of") struct SoundNodesTests {
    @Test("sources, sinks and what programs play are found by their names, the latest of several")
    func nodes() {
        var nodes = SoundNodes()
        nodes.add(30, name: "mic", mediaClass: "Audio/Source", serial: "130")
        nodes.add(31, name: "speakers", mediaClass: "Audio/Sink", serial: nil)
        nodes.add(32, name: "player", mediaClass: "Stream/Output/Audio", serial: nil)
        nodes.add(33, name: "recorder", mediaClass: "Stream/Input/Audio", serial: nil)
        nodes.add(34, name: "camera", mediaClass: "Video/Source", serial: nil)
        #expect(nodes.node(named: "mic")?.number == 30 && nodes.node(named: "mic")?.isSink == false)
        #expect(nodes.node(named: "speakers")?.isSink == true && nodes.node(named: "speakers.monitor")?.number == 31)
        #expect(nodes.node(named: "player") != nil && nodes.node(named: "mic.monitor") == nil)
        #expect(nodes.node(named: "recorder") == nil && nodes.node(named: "camera") == nil)
        nodes.add(40, name: "mic", mediaClass: "Audio/Source/Virtual", serial: "140")
        #expect(nodes.node(named: "mic")?.serial == "140")
        nodes.remove(40)
        nodes.remove(30)
        #expect(nodes.node(named: "mic") == nil)
    }

    @Test("no more nodes are known than there is room for")
    func bounds() {
        var nodes = SoundNodes()
        for number in 0...UInt32(SoundNodes.most) {
            nodes.add(number, name: "n\(number)", mediaClass: "Audio/Sink", serial: nil)
        }
        #expect(nodes.node(named: "n\(SoundNodes.most)") == nil && nodes.node(named: "n0") != nil)
    }

    @Test("inputs are offered by the name of their node, or by another one")
    func inputs() {
        #expect(OfferedInput("alsa_input.usb-X-00.analog-stereo")?.name == "alsa_input.usb-X-00.analog-stereo")
        #expect(OfferedInput("phono=alsa input=1")?.node == "alsa input=1" && OfferedInput("phono=x")?.name == "phono")
        for text in ["", "=", "a=", "=a", "a/b", "../a=x", ".a=x", "a b", String(repeating: "a", count: 65)] {
            #expect(OfferedInput(text) == nil, "\(text)")
        }
    }
}
