import Testing
import TuttiCore
import TuttiDesktop
import TuttiRemote
import TuttiSchema

@Suite("A group as a media player") struct MediaPlayerTests {
    @Test("its properties are what the group does")
    func properties() {
        let player = Self.player(Sample.status(rate: 1.5))
        let properties = player.properties
        #expect(properties.value(of: "PlaybackStatus") == .string("Playing"))
        #expect(properties.value(of: "LoopStatus") == .string("None"))
        #expect(properties.value(of: "Rate") == .double(1.5))
        #expect(properties.value(of: "Volume") == .double(0.4))
        #expect(properties.value(of: "CanGoNext") == .boolean(true))
        #expect(properties.value(of: "CanSeek") == .boolean(true))
        #expect(properties.value(of: "CanControl") == .boolean(true))
        #expect(player.position(at: 102) == 13_000_000)
        #expect(player.identity == "Tutti: downstairs")
    }

    @Test("the track is described as Xesam has it")
    func metadata() {
        let player = Self.player(Sample.status(), artwork: "file:///run/1.jpg")
        #expect(
            player.properties.value(of: "Metadata")
                == .dictionary([
                    "mpris:trackid": .objectPath("/org/tutti/entry/7"), "mpris:length": .int64(200_000_000),
                    "mpris:artUrl": .string("file:///run/1.jpg"), "xesam:title": .string("Air"),
                    "xesam:artist": .strings(["Bach"]), "xesam:album": .string("Suites"),
                    "xesam:url": .string("file:///srv/Suites,%201/air.flac"),
                ]))
        var station = PlayerStatus.Item(index: 2, title: "A song", uri: "http://radio/live", station: "Radio")
        #expect(Self.metadata(station)?["xesam:album"] == .string("Radio"))
        #expect(Self.metadata(station)?["mpris:trackid"] == .objectPath("/org/tutti/index/2"))
        #expect(Self.metadata(station)?["mpris:length"] == nil)
        #expect(Self.metadata(station)?["xesam:url"] == .string("http://radio/live"))
        (station.title, station.duration) = (nil, .infinity)
        #expect(Self.metadata(station)?["xesam:title"] == .string("live"))
        #expect(Self.metadata(station)?["mpris:length"] == .int64(.max))
    }

    @Test("what can be done depends on place, repeat and length")
    func abilities() {
        var status = Sample.status(index: 2, length: 3)
        #expect(!Self.player(status).properties.abilities.canGoNext)
        status.queue.repeat = .all
        #expect(Self.player(status).properties.abilities.canGoNext)
        #expect(Self.player(status).properties.value(of: "LoopStatus") == .string("Playlist"))
        status.item?.duration = nil
        #expect(!Self.player(status).properties.abilities.canSeek)
        status.state = .stopped
        let stopped = Self.player(status).properties.abilities
        #expect(stopped.canPlay && !stopped.canPause && !stopped.canGoNext && !stopped.canSeek)
        let nothing = Self.player(nil).properties
        #expect(nothing.playback == .stopped && !nothing.abilities.canPlay && nothing.track == nil)
    }

    @Test("the volume is the loudest room's, and 0 when all are muted")
    func volume() {
        #expect(Self.player(Sample.status(rooms: [Sample.room("a", muted: true)])).properties.volume == 0)
        let oneMuted = [Sample.room("a", volume: 80, muted: true), Sample.room("b", volume: 30)]
        #expect(Self.player(Sample.status(rooms: oneMuted)).properties.volume == 0.8)
        // Where nothing plays the rooms are known from elsewhere.
        let known = [Sample.room("bath", volume: 25), Sample.room("attic", volume: 90)]
        #expect(Self.player(nil, rooms: known).properties.volume == 0.25)
        #expect(Self.player(nil).properties.volume == 1)
    }

    @Test("listeners are told what has changed, and nothing else")
    func changes() {
        var player = Self.player(Sample.status())
        #expect(Self.take(Sample.status(position: 15), &player, at: 105).isEmpty)
        var status = Sample.status(.paused, position: 16)
        status.queue.shuffle = true
        #expect(
            Self.take(status, &player, at: 106)
                == [.changed(["PlaybackStatus": .string("Paused"), "Shuffle": .boolean(true)])])
        #expect(Self.take(status, &player, at: 200).isEmpty)
    }

    @Test("a jump is told with its place; playing, pausing and resuming are not")
    func seeks() {
        var player = Self.player(Sample.status())
        #expect(Self.take(Sample.status(position: 20.3), &player, at: 110).isEmpty, "late by less than half a second")
        #expect(Self.take(Sample.status(position: 90), &player, at: 111) == [.seeked(90_000_000)])
        #expect(Self.take(Sample.status(position: 95), &player, at: 116).isEmpty)
        #expect(Self.take(Sample.status(.paused, position: 96.2), &player, at: 117).count == 1)
        #expect(Self.take(Sample.status(.paused, position: 96.2), &player, at: 150).isEmpty)
        #expect(Self.take(Sample.status(.paused, position: 3), &player, at: 151) == [.seeked(3_000_000)])
        #expect(
            Self.take(Sample.status(position: 3), &player, at: 160) == [
                .changed(["PlaybackStatus": .string("Playing")])
            ])
        #expect(Self.take(Sample.status(position: 5), &player, at: 162).isEmpty)
    }

    @Test("small jumps add up: nobody's own count is off by more than half a second")
    func drift() {
        var player = Self.player(Sample.status())
        #expect(Self.take(Sample.status(position: 10.3), &player, at: 100).isEmpty)
        #expect(Self.take(Sample.status(position: 10.6), &player, at: 100) == [.seeked(10_600_000)])
    }

    @Test("a jump while rooms fill their buffers changes neither status nor, when they play, the place again")
    func buffering() {
        var player = Self.player(Sample.status())
        #expect(Self.take(Sample.status(.buffering, position: 90), &player, at: 101) == [.seeked(90_000_000)])
        #expect(Self.take(Sample.status(position: 90), &player, at: 101.3).isEmpty)
        #expect(Self.take(Sample.status(.paused, position: 90), &player, at: 101.3).count == 1)
        #expect(Self.take(Sample.status(.buffering, position: 20), &player, at: 110) == [.seeked(20_000_000)])
        #expect(Self.take(Sample.status(.paused, position: 20), &player, at: 111).isEmpty)
    }

    @Test("who waited for a slow start is told where it is then, once")
    func slowStart() {
        var player = Self.player(Sample.status())
        #expect(Self.take(Sample.status(.buffering, position: 11), &player, at: 101).isEmpty)
        #expect(Self.take(Sample.status(.buffering, position: 11), &player, at: 104).isEmpty)
        #expect(Self.take(Sample.status(position: 11), &player, at: 105) == [.seeked(11_000_000)])
        #expect(Self.take(Sample.status(position: 12), &player, at: 106).isEmpty)
    }

    @Test("another track begins at 0 without a word; elsewhere, listeners are told where")
    func tracks() {
        var player = Self.player(Sample.status(position: 190))
        let next = Self.take(Sample.status(position: 0.2, item: Sample.item(8)), &player, at: 110)
        #expect(next.count == 1)
        guard case .changed(let values)? = next.first else { return }
        #expect(Set(values.keys) == ["Metadata"])
        let third = Self.take(Sample.status(position: 50, item: Sample.item(9)), &player, at: 120)
        #expect(third.last == .seeked(50_000_000))
    }

    @Test("while rooms connect it does what it did; then it plays")
    func starting() {
        var player = Self.player(Sample.status(.starting, position: 0))
        #expect(player.properties.playback == .stopped)
        #expect(Self.take(Sample.status(position: 0), &player, at: 101).count == 1)
        #expect(player.properties.playback == .playing)
        #expect(Self.take(Sample.status(.starting, position: 1), &player, at: 102).isEmpty)
        #expect(player.properties.playback == .playing)
    }

    @Test("the rate stays while it is paused, and one that is set then is shown")
    func rate() {
        var player = Self.player(Sample.status(rate: 1.25))
        _ = Self.take(Sample.status(.paused, position: 20), &player, at: 105)
        #expect(player.properties.rate == 1.25)
        #expect(player.noteRate(0.75) == [.changed(["Rate": .double(0.75)])])
        #expect(player.noteRate(0.75).isEmpty && player.noteRate(.nan).isEmpty && player.noteRate(5).isEmpty)
        _ = Self.take(Sample.status(position: 20, rate: 0.75), &player, at: 106)
        #expect(player.noteRate(2).isEmpty, "while it plays the group itself says")
    }

    @Test("numbers that are none make no trap", arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func numbers(_ number: Double) {
        var status = Sample.status(position: number, rooms: [Sample.room("a", volume: number)])
        status.item?.duration = number
        status.rate = number
        var player = Self.player(status)
        _ = player.position(at: 101)
        _ = Self.take(status, &player, at: 102)
        _ = player.properties.value(of: "Metadata")
        #expect((0...1).contains(player.properties.volume))
        #expect(player.properties.rate == 1)
    }

    private static func player(
        _ status: PlayerStatus?, rooms: [RoomStatus] = [], artwork: String? = nil
    ) -> MediaPlayer { MediaPlayer(Sample.group(status), rooms: rooms, artwork: artwork, at: 100) }

    private static func take(_ status: PlayerStatus, _ player: inout MediaPlayer, at now: Double) -> [MediaPlayer
        .Signal]
    {
        player.take(Sample.group(status, at: now), rooms: [], artwork: nil, at: now)
    }

    private static func metadata(_ item: PlayerStatus.Item) -> [String: BusValue]? {
        guard case .dictionary(let fields)? = player(Sample.status(item: item)).properties.value(of: "Metadata") else {
            return nil
        }
        return fields
    }
}
