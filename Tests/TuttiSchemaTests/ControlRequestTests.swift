import Testing
import TuttiChain
import TuttiCore
import TuttiSchema

/// The lines of the control socket, as `docs/json.md` has them.
@Suite struct ControlRequestTests {
    private static let song = ControlInput(uri: "/a.flac")

    private static var order: PlayOrder {
        var order = PlayOrder(inputs: [song])
        order.rooms = ["kitchen"]
        return order
    }

    private static let orderText = #"{"groups":[],"inputs":[{"uri":"/a.flac"}],"rooms":["kitchen"]}"#

    /// Every command, with its line.
    static let lines: [(ControlRequest, String)] = [
        (ControlRequest(.status), #"{"command":"status"}"#),
        (ControlRequest(.status, group: "down"), #"{"command":"status","group":"down"}"#),
        (ControlRequest(.pause), #"{"command":"pause"}"#),
        (ControlRequest(.resume()), #"{"command":"resume"}"#),
        (ControlRequest(.resume(place: order)), #"{"command":"resume","order":\#(orderText)}"#),
        (ControlRequest(.toggle()), #"{"command":"toggle"}"#),
        (ControlRequest(.stop, group: "down"), #"{"command":"stop","group":"down"}"#),
        (ControlRequest(.next), #"{"command":"next"}"#),
        (ControlRequest(.previous), #"{"command":"previous"}"#),
        (ControlRequest(.seek(.by(MediaTime(frame: -10, sampleRate: 1)))), #"{"command":"seek","position":"-10"}"#),
        (
            ControlRequest(.seek(.to(MediaTime(frame: 1_050, sampleRate: 1_000)))),
            #"{"command":"seek","position":"1.050"}"#
        ),
        (ControlRequest(.levels(room: nil)), #"{"command":"volume"}"#),
        (ControlRequest(.levels(room: "bath")), #"{"command":"volume","room":"bath"}"#),
        (ControlRequest(.volume(.to(40), room: nil)), #"{"command":"volume","volume":"40"}"#),
        (ControlRequest(.volume(.by(5), room: "bath")), #"{"command":"volume","room":"bath","volume":"+5"}"#),
        (ControlRequest(.volume(.by(-2.5), room: nil)), #"{"command":"volume","volume":"-2.5"}"#),
        (ControlRequest(.mute(false, room: "bath")), #"{"command":"mute","muted":false,"room":"bath"}"#),
        (ControlRequest(.station(.list)), #"{"command":"station","mode":"list"}"#),
        (
            ControlRequest(.station(.set("Jazz", uri: "http://a/b"))),
            #"{"command":"station","mode":"set","name":"Jazz","uri":"http://a/b"}"#
        ),
        (ControlRequest(.station(.remove("Jazz"))), #"{"command":"station","mode":"remove","name":"Jazz"}"#),
        (ControlRequest(.library(.statistics)), #"{"command":"library","mode":"statistics"}"#),
        (ControlRequest(.library(.roots)), #"{"command":"library","mode":"roots"}"#),
        (
            ControlRequest(.library(.search("moz pia", LibrarySpan(offset: 20, limit: 10)))),
            #"{"command":"library","limit":10,"mode":"search","offset":20,"words":"moz pia"}"#
        ),
        (
            ControlRequest(.library(.list(.albums, by: .added, LibrarySpan()))),
            #"{"by":"added","command":"library","limit":100,"mode":"list","offset":0,"what":"albums"}"#
        ),
        (
            ControlRequest(.library(.list(.albumArtists, by: .artist, LibrarySpan()))),
            #"{"command":"library","limit":100,"mode":"list","offset":0,"what":"album-artists"}"#
        ),
        (
            ControlRequest(.library(.find(.genres, name: "Jazz"))),
            #"{"command":"library","mode":"find","name":"Jazz","what":"genres"}"#
        ),
        (ControlRequest(.library(.album(7))), #"{"command":"library","id":7,"mode":"album"}"#),
        (
            ControlRequest(.library(.name(7, LibrarySpan()))),
            #"{"command":"library","id":7,"limit":100,"mode":"name","offset":0}"#
        ),
        (
            ControlRequest(.library(.year(1959, LibrarySpan()))),
            #"{"command":"library","limit":100,"mode":"year","offset":0,"year":1959}"#
        ),
        (
            ControlRequest(.library(.all(after: 7, limit: 1_000))),
            #"{"command":"library","id":7,"limit":1000,"mode":"all"}"#
        ),
        (
            ControlRequest(.library(.files(["/a.flac"]))),
            #"{"command":"library","mode":"files","paths":["/a.flac"]}"#
        ),
        (
            ControlRequest(.library(.favourite(true, ids: [7], inputs: []))),
            #"{"command":"library","ids":[7],"mode":"favourite"}"#
        ),
        (
            ControlRequest(.library(.favourite(false, ids: [], inputs: [song])), group: "down"),
            #"{"command":"library","group":"down","inputs":[{"uri":"/a.flac"}],"mode":"unfavourite"}"#
        ),
        (ControlRequest(.library(.stickers(.track(7)))), #"{"command":"library","id":7,"mode":"stickers"}"#),
        (
            ControlRequest(.library(.stickers(.named("rating", after: 7, limit: 10)))),
            #"{"command":"library","id":7,"limit":10,"mode":"stickers","name":"rating"}"#
        ),
        (
            ControlRequest(.library(.sticker(id: 7, name: "rating", value: "5"))),
            #"{"command":"library","id":7,"mode":"sticker","name":"rating","value":"5"}"#
        ),
        (ControlRequest(.library(.scan)), #"{"command":"library","mode":"scan"}"#),
        (ControlRequest(.playlist(.list)), #"{"command":"playlist","mode":"list"}"#),
        (ControlRequest(.playlist(.show("a"))), #"{"command":"playlist","mode":"show","name":"a"}"#),
        (
            ControlRequest(.playlist(.save("a")), group: "down"),
            #"{"command":"playlist","group":"down","mode":"save","name":"a"}"#
        ),
        (
            ControlRequest(.playlist(.set("a", [song]))),
            #"{"command":"playlist","inputs":[{"uri":"/a.flac"}],"mode":"set","name":"a"}"#
        ),
        (
            ControlRequest(.playlist(.add("a", [song], at: 2))),
            #"{"command":"playlist","index":2,"inputs":[{"uri":"/a.flac"}],"mode":"add","name":"a"}"#
        ),
        (
            ControlRequest(.playlist(.delete("a", entries: [1]))),
            #"{"command":"playlist","entries":[1],"mode":"delete","name":"a"}"#
        ),
        (
            ControlRequest(.playlist(.move("a", from: 1, to: 0))),
            #"{"command":"playlist","entries":[1,0],"mode":"move","name":"a"}"#
        ),
        (
            ControlRequest(.playlist(.rename("a", to: "b"))),
            #"{"command":"playlist","mode":"rename","name":"a","to":"b"}"#
        ),
        (ControlRequest(.playlist(.remove("a"))), #"{"command":"playlist","mode":"remove","name":"a"}"#),
        (ControlRequest(.rate(1.5)), #"{"command":"rate","rate":1.5}"#),
        (ControlRequest(.crossfade(2.5)), #"{"command":"crossfade","seconds":2.5}"#),
        (ControlRequest(.night(true)), #"{"command":"night","mode":"on"}"#),
        (ControlRequest(.audio(.language("de"))), #"{"choice":"de","command":"audio"}"#),
        (ControlRequest(.audio(.number(2))), #"{"choice":"2","command":"audio"}"#),
        (ControlRequest(.audio(.automatic)), #"{"choice":"auto","command":"audio"}"#),
        (ControlRequest(.subtitle(.off)), #"{"choice":"off","command":"subtitle"}"#),
        (ControlRequest(.subtitle(.file("/a.srt"))), #"{"choice":"/a.srt","command":"subtitle"}"#),
        (ControlRequest(.chapter(.next)), #"{"choice":"next","command":"chapter"}"#),
        (ControlRequest(.chapter(.number(7))), #"{"choice":"7","command":"chapter"}"#),
        (ControlRequest(.normalise(.album)), #"{"command":"normalise","mode":"album"}"#),
        (ControlRequest(.reference("bath")), #"{"command":"reference","room":"bath"}"#),
        (ControlRequest(.reference(nil)), #"{"command":"reference"}"#),
        (
            ControlRequest(.delay(milliseconds: -3.5, room: "bath")),
            #"{"command":"delay","outputDelayMs":-3.5,"room":"bath"}"#
        ),
        (ControlRequest(.queue), #"{"command":"queue"}"#),
        (ControlRequest(.add([song])), #"{"command":"add","inputs":[{"uri":"/a.flac"}]}"#),
        (
            ControlRequest(.insert([song], place: order)),
            #"{"command":"insert","inputs":[{"uri":"/a.flac"}],"order":\#(orderText)}"#
        ),
        (ControlRequest(.remove([3, 1])), #"{"command":"remove","entries":[3,1]}"#),
        (ControlRequest(.jump(2)), #"{"command":"jump","entries":[2]}"#),
        (ControlRequest(.move(from: 6, to: 1)), #"{"command":"move","entries":[6,1]}"#),
        (ControlRequest(.remove([.id(3), .id(9)])), #"{"command":"remove","ids":[3,9]}"#),
        (ControlRequest(.jump(.id(0))), #"{"command":"jump","ids":[0]}"#),
        (ControlRequest(.move(from: .id(6), to: 1)), #"{"command":"move","entries":[1],"ids":[6]}"#),
        (
            ControlRequest(.replace(.id(4), with: song)),
            #"{"command":"replace","ids":[4],"inputs":[{"uri":"/a.flac"}]}"#
        ),
        (
            ControlRequest(.volume(.balanced(40), room: nil), group: "a"),
            #"{"balance":true,"command":"volume","group":"a","volume":"40"}"#
        ),
        (
            ControlRequest(.replace(1, with: song)),
            #"{"command":"replace","entries":[1],"inputs":[{"uri":"/a.flac"}]}"#
        ),
        (ControlRequest(.name("Küche", room: "bath")), #"{"command":"name","name":"Küche","room":"bath"}"#),
        (ControlRequest(.clear), #"{"command":"clear"}"#),
        (ControlRequest(.shuffle(true)), #"{"command":"shuffle","mode":"on"}"#),
        (ControlRequest(.consume(false)), #"{"command":"consume","mode":"off"}"#),
        (ControlRequest(.repeat(.one)), #"{"command":"repeat","mode":"one"}"#),
        (ControlRequest(.watch, group: "down"), #"{"command":"watch","group":"down"}"#),
        (
            ControlRequest(.play(order, name: "down", detach: true)),
            #"{"command":"play","detach":true,"group":"down","order":\#(orderText)}"#
        ),
        (ControlRequest(.say(order, detach: false)), #"{"command":"say","detach":false,"order":\#(orderText)}"#),
        (
            ControlRequest(.at(when: "07:00", order, name: nil)),
            #"{"command":"at","order":\#(orderText),"when":"07:00"}"#
        ),
        (ControlRequest(.schedules), #"{"command":"schedules"}"#),
        (ControlRequest(.cancel([3])), #"{"command":"cancel","entries":[3]}"#),
        (ControlRequest(.sleep(seconds: nil), group: "down"), #"{"command":"sleep","group":"down"}"#),
        (ControlRequest(.sleep(seconds: 60)), #"{"command":"sleep","seconds":60}"#),
        (ControlRequest(.group(.list)), #"{"command":"group","mode":"list"}"#),
        (
            ControlRequest(.group(.set("down", rooms: ["bath"]))),
            #"{"command":"group","group":"down","mode":"set","rooms":["bath"]}"#
        ),
        (ControlRequest(.effects(room: "bath", nil)), #"{"command":"effects","room":"bath"}"#),
        (
            ControlRequest(.effects(room: "bath", .channels(ChannelSelection(.left)))),
            #"{"command":"effects","edit":"channels","room":"bath","setting":"left"}"#
        ),
        (
            ControlRequest(.effectsFile(room: "bath", path: "/a.wav")),
            #"{"command":"effects","file":"/a.wav","room":"bath"}"#
        ),
        (
            ControlRequest(.stereo(left: "kitchen", right: "bath", isPair: true)),
            #"{"command":"stereo","mode":"on","rooms":["kitchen","bath"]}"#
        ),
        (
            ControlRequest(.stereo(left: "kitchen", right: "bath", isPair: false)),
            #"{"command":"stereo","mode":"off","rooms":["kitchen","bath"]}"#
        ),
        (ControlRequest(.group(.delete("down"))), #"{"command":"group","group":"down","mode":"delete"}"#),
    ]

    @Test func everyCommandHasItsLine() throws {
        for (request, line) in Self.lines {
            #expect(String(decoding: JSONLine.encode(request), as: UTF8.self) == line)
            #expect(try ControlRequest(line: line.utf8) == request)
        }
        #expect(Set(Self.lines.map(\.0.word)) == Set(ControlRequest.Word.allCases))
    }

    @Test func allGroupsAreMeantWhereAllCanBe() throws {
        var request = ControlRequest(.pause)
        request.target = .all
        let line = #"{"all":true,"command":"pause"}"#
        #expect(String(decoding: JSONLine.encode(request), as: UTF8.self) == line)
        #expect(try ControlRequest(line: line.utf8) == request)
        #expect(try ControlRequest(line: #"{"all":true,"command":"next"}"#.utf8) == ControlRequest(.next))
        #expect(try ControlRequest(line: #"{"all":false,"command":"stop"}"#.utf8) == ControlRequest(.stop))
    }

    @Test func whatCanBeLeftOutIsAsDocumented() throws {
        #expect(try ControlRequest(line: #"{"command":"mute"}"#.utf8) == ControlRequest(.mute(true, room: nil)))
        #expect(try ControlRequest(line: #"{"command":"group"}"#.utf8) == ControlRequest(.group(.list)))
        let seek = ControlRequest(.seek(.to(MediaTime(frame: 90, sampleRate: 1))))
        #expect(try ControlRequest(line: #"{"command":"seek","position":"1:30"}"#.utf8) == seek)
        #expect(try ControlRequest(line: #"{"command":"seek","position":"live"}"#.utf8) == ControlRequest(.seek(.live)))
        let play = ControlRequest(.play(Self.order, name: nil, detach: false))
        #expect(try ControlRequest(line: #"{"command":"play","order":\#(Self.orderText)}"#.utf8) == play)
        // Fields of other commands are left alone.
        #expect(try ControlRequest(line: #"{"command":"next","entries":"x"}"#.utf8) == ControlRequest(.next))
    }

    @Test(arguments: [
        (#""command":"seek""#, "a place is T, +T or -T, in seconds or M:SS, or live"),
        (#""command":"seek","position":"soon""#, "a place is T, +T or -T, in seconds or M:SS, or live"),
        (#""command":"volume","volume":"loud""#, "a volume is 0-100, +N or -N"),
        (#""command":"rate""#, "a rate is from 0.5 to 2"),
        (#""command":"crossfade""#, "a crossfade is from 0 to 12 s"),
        (#""command":"normalise","mode":"loud""#, "normalise is off, track or album"),
        (#""command":"normalise""#, "normalise is off, track or album"),
        (#""command":"delay","room":"bath""#, "an output delay needs a room and milliseconds"),
        (#""command":"add""#, "the inputs are missing"),
        (#""command":"insert","inputs":[]"#, "the inputs are missing"),
        (#""command":"remove","entries":[]"#, "the entries are missing"),
        (#""command":"move","entries":[0]"#, "two entries are needed: from and to"),
        (#""command":"jump","entries":[0,1]"#, "one entry is needed"),
        (#""command":"replace","inputs":[{"uri":"a"},{"uri":"b"}]"#, "a track can be replaced with one track only"),
        (#""command":"shuffle","mode":"twice""#, "the mode is on or off"),
        (#""command":"repeat","mode":"on""#, "repeat is off, all, one or single"),
        (#""command":"play""#, "the order is missing"),
        (#""command":"at","when":"07:00""#, "when or the order is missing"),
        (#""command":"cancel""#, "the entries are missing"),
        (#""command":"group","mode":"set""#, "the group's name is missing"),
        (#""command":"group","mode":"twist","group":"x""#, "the mode of a group is set, add, remove or delete"),
        (#""command":"dance""#, "this is not a request"),
        (#""command":"rate","rate":"fast""#, "this is not a request"),
        (#""position":"7""#, "this is not a request"),
        ("", "this is not a request"),
    ])
    func whatIsWrongIsSaid(fields: String, reason: String) {
        do {
            let request = try ControlRequest(line: "{\(fields)}".utf8)
            Issue.record("\(request)")
        } catch {
            #expect(error.description == reason)
        }
    }
}
