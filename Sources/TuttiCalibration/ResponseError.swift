/// Why a recording does not tell a room's frequency response.
package enum ResponseError: Error, Sendable, Equatable {
    /// It has fewer or more frames a second than can be evaluated.
    case sampleRate(Int)
    /// It is shorter than the sweep with its chirps, or longer than is looked at; seconds.
    case length(Double)
    /// There is no sound in it at all.
    case silent
    /// No sweep was found, and the loudest tenth of a second is this soft; dB of full scale, RMS.
    case tooSoft(decibels: Double)
    /// The sweep is clipped; the share of its samples.
    case clipped(share: Double)
    /// There is sound, and no sweep in it.
    case notFound
    /// One of the two chirps is there, and the other one would lie outside of the recording.
    case cut
    /// The second chirp is so much louder than the first one, in dB: the recorder sets its level by itself.
    case unsteady(decibels: Double)
    /// The sweep is only so many dB above the noise between 200 Hz and 2 kHz.
    case noise(decibels: Double)
}
