import TuttiAssets
import TuttiCalibration
import TuttiCommandLine
import TuttiCore
import TuttiOutput
import TuttiSchema
import TuttiSender

/// A stereo recording of two rooms, and where it is from.
struct MeasureTake {
    /// The file or the device.
    let origin: String
    let sampleRate: Int
    let left: [Float]
    let right: [Float]
    /// What may be wrong with it, for people.
    var remarks: [String] = []
    /// What the rooms said while it was made; nil for a file.
    var statuses: [RoomStatus?]?

    private static let blockFrames = 1 << 16
    /// The most frames of a file that are kept: ten minutes at 96 kHz.
    private static let maximumFrames = 60_000_000
    /// Codings that give back the samples they were given, by FFmpeg's names.
    private static let lossless = ["pcm_", "flac", "alac", "wavpack", "ape", "tta"]

    /// Reads a file of any format.
    ///
    /// - Throws: `ProgramFailure`, with status 3 for what cannot be read.
    init(reading path: String) throws {
        origin = path
        var samples: [Float] = []
        let asset = try Asset.open(AssetInput(uri: path))
        sampleRate = asset.info.sampleRate
        switch asset.info.channelCount {
        case 2: break
        case 1:
            throw Failure(
                "\(path) is mono: record in stereo, with one room on each channel, or use --signal chirps"
            )
        case let count: throw Failure("\(path) has \(count) channels: a recording needs two, with one room on each")
        }
        if !Self.lossless.contains(where: { asset.info.codec.hasPrefix($0) }) {
            remarks.append("\(asset.info.codec) is lossy and may move what you measure; use WAV or FLAC")
        }
        let frames = min(Int(StereoMeasurement.longest) * sampleRate, Self.maximumFrames)
        do {
            while samples.count < 2 * frames, let block = try asset.read(maximumFrames: Self.blockFrames) {
                samples += block.samples
            }
            if samples.count >= 2 * frames {
                remarks.append("only the first \(frames / max(1, sampleRate)) s were evaluated")
            }
        } catch {
            guard case .truncated = error else { throw error }
            // A recorder that was switched off leaves a header that promises more; what there is counts.
            remarks.append("the file is shorter than its header says")
        }
        (left, right) = Self.channels(of: samples)
    }

    /// Takes what a stereo input recorded.
    ///
    /// - Throws: `ProgramFailure` when the input failed.
    init(_ recording: CaptureRecorder.Recording, device: String) throws {
        if let failure = recording.failure { throw Failure(failure.description) }
        origin = device
        sampleRate = recording.sampleRate
        (left, right) = Self.channels(of: recording.samples)
        if recording.lostSeconds > 0.03 {
            remarks.append("the input lost \(Int(min(recording.lostSeconds, 1e6) * 1000)) ms of sound")
        }
    }

    var seconds: Double { Double(left.count) / Double(max(1, sampleRate)) }

    private static func channels(of samples: [Float]) -> (left: [Float], right: [Float]) {
        func channel(_ first: Int) -> [Float] {
            stride(from: first, to: samples.count - samples.count % 2, by: 2).map { samples[$0] }
        }
        return (channel(0), channel(1))
    }

    /// Finds how far its rooms are apart.
    ///
    /// - Throws: `ProgramFailure` with why it does not tell.
    func measured() throws -> StereoMeasurement {
        do {
            return try StereoMeasurement(left: left, right: right, sampleRate: sampleRate)
        } catch {
            throw Failure(Self.text(error, origin))
        }
    }

    private static func text(_ error: MeasurementError, _ origin: String) -> String {
        func number(_ value: Double, _ digits: Int) -> String { CalibrateReport.number(value, digits: digits) }
        switch error {
        case .sampleRate(let rate):
            let (lowest, highest) = (StereoMeasurement.sampleRates.lowerBound, StereoMeasurement.sampleRates.upperBound)
            return "\(origin) has a sample rate of \(rate) Hz; use \(lowest) to \(highest) Hz"
        case .tooShort(let seconds):
            return
                "\(origin) lasts \(number(seconds, 1)) s; record \(Int(StereoMeasurement.shortest)) s or more, "
                + "best a minute"
        case .silent: return "\(origin) is silent: play music in both rooms and raise the recording level"
        case .dead(let channel, let decibels):
            return
                "the \(channel) channel of \(origin) is dead (\(number(decibels, 0)) dB below the other): "
                + "check its cable and its room's volume"
        case .identical:
            return
                "both channels of \(origin) carry the same signal: is one room on both cables?"
        case .clipped(let channel, let share):
            return
                "the \(channel) channel of \(origin) is clipped (\(number(share * 100, 1)) % of its samples): lower "
                + "the recording level"
        case .unrelated:
            return
                "the channels of \(origin) are unrelated: play the same in both rooms, and connect both left outputs"
        case .beyondRange(let seconds):
            return
                "the rooms are \(number(abs(seconds) * 1000, 0)) ms apart "
                + "(the \(seconds > 0 ? "right" : "left") channel is late), and only up to 250 ms can be measured: compare their output delays (tutti delay)"
        case .tooLittle(let count):
            return
                "only \(count) windows of \(origin) can be used: play livelier music, or use --signal noise"
        }
    }
}
