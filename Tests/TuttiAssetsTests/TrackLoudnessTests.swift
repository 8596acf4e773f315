import Testing
import TuttiAssets
import TuttiCore

/// What tags say of loudness, and what players make of that.
@Suite struct TrackLoudnessTests {
    private func loudness(_ tags: [String: String]) -> TrackLoudness { TrackLoudness { tags[$0] } }

    @Test func replayGainRefersToMinus18() {
        let found = loudness([
            "replaygain_track_gain": "-7.30 dB", "replaygain_track_peak": "0.5", "replaygain_album_gain": "+1,5 DB",
            "replaygain_album_peak": "1.0",
        ])
        #expect(found.track?.integrated == -10.7)
        #expect(abs((found.track?.peak ?? 0) - -6.0206) < 1e-4)
        #expect(found.album == TrackLoudness.Measure(integrated: -19.5, peak: 0))
    }

    @Test func gainsOfOpusFilesReferToMinus23AndWin() {
        let found = loudness(["r128_track_gain": "-2560", "r128_album_gain": "128", "replaygain_track_gain": "3 dB"])
        #expect(found.track == TrackLoudness.Measure(integrated: -13))
        #expect(found.album == TrackLoudness.Measure(integrated: -23.5))
    }

    @Test(arguments: [
        "", " ", "dB", "nan", "inf", "-inf dB", "1e3", "0x10", "-99 dB", "999999999999999999999999999999", "--3",
        "3 LU",
        "\u{0663}", "1.2.3",
    ])
    func whatIsNoGainIsNotKnown(_ text: String) {
        let found = loudness(["replaygain_track_gain": text, "r128_album_gain": text])
        #expect(found == TrackLoudness())
    }

    @Test(arguments: ["32768", "-32769", "1.5", "99999999999999999999", "-32768"])
    func gainsOfOpusFilesBeyond16BitsOrBeliefAreNotKnown(_ text: String) {
        #expect(loudness(["r128_track_gain": text]) == TrackLoudness())
    }

    @Test(arguments: ["0", "-1", "nan", "inf", "33", "", "1e-3"]) func whatIsNoPeakIsNotKnown(_ text: String) {
        let found = loudness(["replaygain_track_gain": "-1 dB", "replaygain_track_peak": text])
        #expect(found.track == TrackLoudness.Measure(integrated: -17))
    }

    private func track(_ integrated: Double, _ peak: Double? = nil) -> TrackLoudness {
        TrackLoudness(track: TrackLoudness.Measure(integrated: integrated, peak: peak))
    }

    @Test func everythingIsBroughtToMinus18() {
        #expect(LoudnessNormalization.track.gain(of: track(-9.5, 0.3)) == -8.5)
        #expect(LoudnessNormalization.track.gain(of: track(-24, -20)) == 6)
        #expect(LoudnessNormalization.off.gain(of: track(-9.5, 0.3)) == 0)
    }

    @Test func whatIsNotKnownCountsAsMinus14() {
        for mode in [LoudnessNormalization.track, .album] { #expect(mode.gain(of: TrackLoudness()) == -4) }
        #expect(LoudnessNormalization.track.gain(of: track(.nan)) == -4)
    }

    @Test func noPeakThatIsKnownExceedsTheCeiling() {
        for peak in stride(from: -40.0, through: 6, by: 0.5) {
            for integrated in stride(from: -60.0, through: 0, by: 1) {
                let gain = LoudnessNormalization.track.gain(of: track(integrated, peak))
                #expect(peak + gain <= -1 + 1e-9 && gain <= 12 && gain >= -40)
            }
        }
        // Without a peak nothing is raised.
        #expect(LoudnessNormalization.track.gain(of: track(-30)) == 0)
    }

    @Test func anAlbumHasOneGainAndStandsInForItsTracks() {
        let album = TrackLoudness.Measure(integrated: -12, peak: 0)
        let (soft, loud) = (
            TrackLoudness(track: .init(integrated: -25, peak: -10), album: album),
            TrackLoudness(track: .init(integrated: -9, peak: 0), album: album)
        )
        #expect(LoudnessNormalization.album.gain(of: soft) == -6)
        #expect(LoudnessNormalization.album.gain(of: loud) == -6)
        #expect(LoudnessNormalization.album.gain(of: track(-20, -9)) == 2)
        #expect(LoudnessNormalization.track.gain(of: TrackLoudness(album: album)) == -6)
    }
}
