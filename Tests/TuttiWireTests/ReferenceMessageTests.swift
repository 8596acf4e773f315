import Testing
import TuttiCore
import TuttiWire

@Suite struct ReferenceMessageTests {
    private let fit = ReferenceFit(
        group: GroupTime(nanoseconds: 5, timescale: TimescaleID(rawValue: 3)), offset: 7, slope: 80e-6)

    @Test func aSlopeTravelsInPartsPerMillion() throws {
        let body = ControlMessage.cardFit(fit).encodedBody()
        guard case .cardFit(let read) = try ControlMessage(parsing: body) else {
            Issue.record("another message")
            return
        }
        #expect(abs(read.slope - 80e-6) < 1e-15)
        #expect((read.group, read.offset) == (fit.group, fit.offset))
    }

    @Test func theOwnerSaysHowPlaybackTimeRunsAndOverlaysDoNot() {
        var speaker = SpeakerHarness()
        let owner = speaker.connect("desk")
        let overlay = speaker.connect("door", stream: 7, policy: .default)
        let command = ReferenceCommand(fit: nil, isReference: true)
        #expect(speaker.receive(.reference(command), on: owner.control) == [.reference(command)])
        #expect(
            speaker.receive(.reference(command), on: overlay.control).messages == [.unsupported(type: "reference")])
        #expect(speaker.session.senderID == "desk")
    }

    @Test func aSenderSaysNothingOfItsCard() {
        var speaker = SpeakerHarness()
        let owner = speaker.connect("desk")
        _ = speaker.receive(.cardFit(fit), on: owner.control)
        #expect(speaker.session.senderID == nil, "that breaks the protocol")
    }

    @Test func aSpeakerFromBeforeDoesNotFollow() throws {
        let old = Array(
            #"""
            {"type":"welcome","id":"k","name":"kitchen","version":1,"session":"1","bufferSeconds":300,\#
            "bufferBytes":1,"codecs":["flac"]}
            """#.utf8)
        guard case .welcome(let welcome) = try ControlMessage(parsing: old) else {
            Issue.record("another message")
            return
        }
        #expect(!welcome.followsReference && welcome.reference == nil)
        #expect(SpeakerHarness.welcome.followsReference)
    }
}
