import TuttiAssets
import TuttiCalibration
import TuttiCodecs
import TuttiCommandLine
import TuttiCore
import TuttiDecoding

/// A telephone's recording of a screen: how bright its pictures are, and its sound.
struct ScreenRecording {
    let frames: [LuminanceSample]
    /// One channel, full scale at ±1.
    let samples: [Float]
    /// Frames of sound a second.
    let sampleRate: Int

    /// More pictures than this in the longest recording would be of no use.
    private static let mostFrames = 100_000

    /// Reads a file of any format.
    ///
    /// - Throws: `AssetError` for one that is missing, or has no sound or no pictures, `Failure` with status 3 for pictures
    ///   that cannot be decoded.
    init(_ path: String) throws {
        let longest = ScreenCalibration.longestRecording
        let (stereo, sampleRate) = try CalibrateRecording.stereo(path, longest: longest)
        samples = CalibrateRecording.loudest(stereo, channels: 2)
        self.sampleRate = sampleRate
        let isTooLong = Double(samples.count) > longest * Double(sampleRate)
        frames = try isTooLong ? [] : Self.frames(path, longest: longest)
    }

    private static func frames(_ path: String, longest: Double) throws -> [LuminanceSample] {
        let film = try FilmReader(AssetInput(uri: path))
        var decoder: (any VideoDecoder)?
        var format: VideoFormat?
        var frames: [LuminanceSample] = []
        var problem: CodecError?
        func add(_ pictures: [VideoFrame]) {
            frames += pictures.map {
                LuminanceSample(seconds: $0.presentationTime.seconds, luminance: $0.meanLuminance)
            }
        }
        while frames.count < mostFrames, let buffer = try film.next(), buffer.presentationTime.seconds < longest {
            do throws(CodecError) {
                if buffer.format != format {
                    add(decoder?.finish() ?? [])
                    (decoder, format) = (try Decoders.makeVideo(for: buffer.format), buffer.format)
                }
                if let decoder { add(try decoder.decode(buffer)) }
            } catch {
                // A damaged picture is one less.
                problem = error
            }
        }
        add(decoder?.finish() ?? [])
        if frames.isEmpty, let problem {
            throw Failure("\(path): its pictures cannot be decoded: \(problem)", exitCode: 3)
        }
        return frames
    }

    /// What it tells.
    ///
    /// - Throws: `Failure` with what to do, where it tells nothing.
    func lateness() throws -> PictureLateness {
        do {
            return try ScreenCalibration.analyse(frames, samples: samples, sampleRate: sampleRate)
        } catch {
            throw Failure(Self.text(error))
        }
    }

    private static func text(_ error: ScreenCalibrationError) -> String {
        let flashes = FlashPattern.instants.count
        switch error {
        case .sampleRate(let rate):
            return
                "the recording's sound has a sample rate of \(rate) Hz; chirps need \(Calibration.lowestSampleRate) Hz "
                + "or more"
        case .length(let seconds):
            let limit = Int(ScreenCalibration.longestRecording)
            return seconds > ScreenCalibration.longestRecording
                ? "the recording lasts more than \(limit) s; cut it to the \(Int(FlashPattern.duration)) s that flash"
                : "the recording lasts \(Int(seconds)) s; film the whole pattern, \(Int(FlashPattern.duration)) s"
        case .frameRate(let rate):
            return rate == 0
                ? "the recording has no pictures that can be used"
                : "the recording has \(CalibrateReport.number(rate, digits: 1)) pictures a second; film with "
                    + "\(Int(ScreenCalibration.lowestFrameRate)) or more, better with 60"
        case .silent: return "the recording is silent; is the telephone's microphone covered?"
        case .notHeard(let heard):
            return
                "only \(heard) of \(flashes) chirps were heard: film nearer to the room's loudspeaker, turn it up, or "
                + "reduce noise"
        case .dark: return "the pictures are too dark: film the screen so that it fills them"
        case .noFlashes:
            return
                "the chirps were heard, but no flash was seen with them: film the screen so that it fills the picture, "
                + "in a room that is not bright"
        case .tooFewFlashes(let seen):
            return
                "only \(seen) of \(flashes) flashes were seen clearly: keep the telephone still, and film the screen so "
                + "that it fills the picture"
        case .unsteady(let milliseconds):
            return "the flashes vary too much (\(CalibrateReport.number(milliseconds, digits: 1)) ms): check `tutti "
                + "status` while something plays, and film once more with 60 pictures a second or more"
        }
    }
}
