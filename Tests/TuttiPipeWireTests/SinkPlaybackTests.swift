import Testing
import TuttiPipeWire

@Suite("When a sink's sound plays") struct SinkPlaybackTests {
    @Test("sound has the service play; silence brings back what was interrupted, and then closes")
    func plays() {
        var playback = SinkPlayback(idle: 10)
        #expect(playback.deadline == nil)
        #expect(playback.soundBegan(at: 0) == [.ask])
        playback.connected(at: 1)
        #expect(playback.answered(failure: nil, at: 2).isEmpty)
        playback.sounds(at: 60)
        #expect(playback.deadline == 70 && playback.tick(at: 69).isEmpty)
        #expect(playback.tick(at: 70) == [.release(isArmed: true), .finish])
        #expect(playback.tick(at: 71).isEmpty && playback.deadline == nil)
        #expect(playback.finished(at: 71) == [.release(isArmed: true), .close])
        #expect(playback.state == .quiet && !playback.isConnected)
        #expect(playback.soundBegan(at: 80) == [.ask])
    }

    @Test("sound that comes while it ends is played anew after it")
    func again() {
        var playback = Self.playing
        _ = playback.tick(at: 10)
        #expect(playback.soundBegan(at: 10.1).isEmpty)
        #expect(playback.finished(at: 10.2) == [.release(isArmed: true), .close])
    }

    @Test("a service that refuses is asked again after a pause, or when a program comes")
    func refusal() {
        var playback = SinkPlayback(idle: 10)
        _ = playback.soundBegan(at: 0)
        #expect(playback.answered(failure: "no", at: 1) == [.release(isArmed: false), .report("no")])
        #expect(playback.deadline == 1 + SinkPlayback.pause)
        #expect(playback.tick(at: 20).isEmpty)
        #expect(playback.tick(at: 31) == [.release(isArmed: true)])
        #expect(playback.deadline == nil)
        _ = playback.soundBegan(at: 40)
        _ = playback.answered(failure: "no", at: 41)
        #expect(playback.programCame() == [.release(isArmed: true)])
    }

    @Test("a service that says yes and never reads is given up")
    func absent() {
        var playback = SinkPlayback(idle: 60)
        _ = playback.soundBegan(at: 0)
        _ = playback.answered(failure: nil, at: 1)
        playback.sounds(at: 9)
        #expect(playback.tick(at: 9).isEmpty)
        let effects = playback.tick(at: SinkPlayback.patience)
        #expect(effects.prefix(2) == [.abandon, .release(isArmed: false)] && effects.count == 3)
    }

    @Test("a short sound that nobody could play is forgotten")
    func short() {
        var playback = SinkPlayback(idle: 10)
        _ = playback.soundBegan(at: 0)
        #expect(playback.tick(at: 9).isEmpty)
        #expect(playback.tick(at: 10) == [.abandon, .release(isArmed: true)])
        #expect(playback.answered(failure: "late", at: 11).isEmpty)
    }

    @Test("somebody who plays something else there keeps it: only new sound takes it back")
    func taken() {
        var playback = Self.playing
        playback.disconnected(at: 5)
        #expect(playback.deadline == 5 + SinkPlayback.grace && playback.tick(at: 6).isEmpty)
        playback.sounds(at: 10)
        #expect(playback.tick(at: 10) == [.release(isArmed: false)])
        #expect(playback.deadline == nil && playback.tick(at: 1000).isEmpty)
    }

    @Test("a reader that comes back in time goes on reading")
    func comesBack() {
        var playback = Self.playing
        playback.disconnected(at: 5)
        playback.connected(at: 6)
        #expect(playback.state == .playing)
        playback.disconnected(at: 7)
        #expect(playback.answered(failure: nil, at: 7).isEmpty && playback.state == .lost(since: 7))
        #expect(playback.answered(failure: "no", at: 8).first == .release(isArmed: false))
    }

    @Test("a reader that nobody asked for is fed, and left alone after silence")
    func uninvited() {
        var playback = SinkPlayback(idle: 10)
        playback.connected(at: 0)
        #expect(playback.deadline == 10)
        #expect(playback.soundBegan(at: 5).isEmpty && playback.state == .playing)
        #expect(playback.tick(at: 15) == [.release(isArmed: true), .close])
        playback.connected(at: 20)
        #expect(playback.tick(at: 30) == [.release(isArmed: true), .close])
    }

    @Test("silence takes the place of samples that do not come")
    func pacing() {
        var pacer = SilencePacer(rate: 48_000)
        #expect(pacer.deadline == nil && pacer.due(at: 5) == 0)
        pacer.samplesCame(at: 10)
        #expect(pacer.due(at: 10.05) == 0)
        #expect(pacer.deadline == 10 + SilencePacer.patience)
        #expect(abs(pacer.due(at: 10.2) - 9600) <= 1)
        #expect(pacer.due(at: 10.25) == 0)
        #expect(pacer.due(at: 1000) == 48_000)
        pacer.stop()
        #expect(pacer.deadline == nil)
    }

    @Test("times are numbers with a unit")
    func times() {
        #expect(ShortTime.seconds("200ms") == 0.2 && ShortTime.seconds("10s") == 10 && ShortTime.seconds("1h") == 3600)
        #expect(ShortTime.seconds("1.5m") == 90)
        for wrong in ["", "s", "10", "-1s", "nans", "infs", "1 s", "xms"] { #expect(ShortTime.seconds(wrong) == nil) }
    }

    private static var playing: SinkPlayback {
        var playback = SinkPlayback(idle: 10)
        _ = playback.soundBegan(at: 0)
        playback.connected(at: 0)
        return playback
    }
}
