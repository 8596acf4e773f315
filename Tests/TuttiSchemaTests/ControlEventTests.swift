import Testing
import TuttiSchema

@Suite struct ControlEventTests {
    /// Lines as the control socket has them.
    @Test(arguments: [
        #"{"event":"state","state":"paused"}"#,
        #"{"event":"itemFailed","index":2,"message":"broken","uri":"x.flac"}"#,
        #"{"event":"itemFailed","id":7,"index":2,"message":"broken","uri":"x.flac"}"#,
        #"{"event":"stalled"}"#,
        #"{"event":"notice","message":"words"}"#,
        #"{"event":"room","room":"kitchen","state":"playing"}"#,
        #"{"event":"room","message":"gone","room":"bath","state":"lost"}"#,
        #"{"event":"room","room":"bath","state":"lost-device"}"#,
        #"{"event":"room","message":"3 packets","room":"bath","state":"damaged"}"#,
        #"{"event":"room","group":"down","room":"bath","state":"thinner"}"#,
        #"{"event":"item","item":{"album":null,"artist":"A","duration":3,"index":0,"title":null,"uri":"-"}}"#,
        #"{"event":"progress","status":{"position":3,"queue":{"index":0,"length":1},"rate":1,"rooms":[],"state":"playing"}}"#,
        #"{"event":"finished","exitCode":1,"message":"why"}"#,
    ])
    func survivesBeingReadAndWritten(line: String) throws {
        let event: ControlEvent = try #require(JSONLine.decode(line.utf8))
        #expect(String(decoding: JSONLine.encode(event), as: UTF8.self) == line)
    }

    @Test(arguments: ["", "{}", #"{"event":"confetti"}"#, #"{"event":"state"}"#, #"{"event":"item","item":7}"#])
    func whatIsNoEventOfThisVersionIsNone(line: String) {
        let event: ControlEvent? = JSONLine.decode(line.utf8)
        #expect(event == nil)
    }
}
