package import TuttiCore

/// What one player is asked to do: by a person at a command line, a program at the control socket, or a script of the
/// simulator.
///
/// Numbers are as they were given: the player refuses those that are out of their range.
package enum PlayerCommand: Sendable, Equatable {
    /// Pauses all rooms at one instant.
    case pause
    /// Resumes playback. `place` says where, and how, if nothing plays there: a service resumes a stopped queue so.
    case resume(place: PlayOrder? = nil)
    /// Pauses or resumes; `place` as for `resume`.
    case toggle(place: PlayOrder? = nil)
    /// Ends playback.
    case stop
    /// Goes to the next track.
    case next
    /// Goes to the start of the track, or to the track before.
    case previous
    /// Moves within the current track.
    case seek(SeekTarget)

    /// Sets the volume of a room, or of all rooms with nil.
    case volume(VolumeChange, room: String?)
    /// Mutes or unmutes a room, or all rooms with nil.
    case mute(Bool, room: String?)
    /// Sets a room's output delay, in milliseconds of -5000 … 5000.
    case delay(milliseconds: Double, room: String)
    /// Gives a room another name, which its speaker keeps.
    case name(String, room: String)
    /// Lets this room's card lead playback time, or none with nil.
    case reference(String?)

    /// Plays so many seconds of a track in a second, 0.5 … 2.
    case rate(Double)
    /// Lets a track and the next overlap for so many seconds, 0 … 12.
    case crossfade(Double)
    /// Sets what is made equally loud.
    case normalise(LoudnessNormalization)
    /// Sets whether there is less difference between loud and soft.
    case night(Bool)
    /// Chooses the audio track of films.
    case audio(TrackChoice)
    /// Chooses the subtitles of films.
    case subtitle(TrackChoice)
    /// Goes to a chapter.
    case chapter(ChapterTarget)

    /// Adds tracks at the end of the queue. `place` says where they wait if nothing plays there.
    case add([ControlInput], place: PlayOrder? = nil)
    /// Adds tracks after the current one; `place` as for `add`.
    case insert([ControlInput], place: PlayOrder? = nil)
    /// Removes these entries.
    case remove([QueuePlace])
    /// Moves an entry to an index, counted from 0.
    case move(from: QueuePlace, to: Int)
    /// Puts a track in the place of an entry.
    case replace(QueuePlace, with: ControlInput)
    /// Removes everything except the current track.
    case clear
    /// Goes to an entry.
    case jump(QueuePlace)
    /// Shuffles what follows, or restores the order.
    case shuffle(Bool)
    /// Sets whether entries leave the queue after they play.
    case consume(Bool)
    /// Sets what follows the end of the queue.
    case `repeat`(RepeatMode)
}

extension PlayerCommand {
    /// The same with other inputs.
    package func mapInputs<Failure: Error>(
        _ body: ([ControlInput]) throws(Failure) -> [ControlInput]
    ) throws(Failure) -> PlayerCommand {
        switch self {
        case .add(let inputs, let place): .add(try body(inputs), place: place)
        case .insert(let inputs, let place): .insert(try body(inputs), place: place)
        case .replace(let entry, let input): .replace(entry, with: try body([input]).first ?? input)
        default: self
        }
    }

    /// The word of the control socket.
    package var word: ControlRequest.Word {
        switch self {
        case .pause: .pause
        case .resume: .resume
        case .toggle: .toggle
        case .stop: .stop
        case .next: .next
        case .previous: .previous
        case .seek: .seek
        case .volume: .volume
        case .mute: .mute
        case .delay: .delay
        case .name: .name
        case .reference: .reference
        case .rate: .rate
        case .crossfade: .crossfade
        case .normalise: .normalise
        case .night: .night
        case .audio: .audio
        case .subtitle: .subtitle
        case .chapter: .chapter
        case .add: .add
        case .insert: .insert
        case .remove: .remove
        case .move: .move
        case .replace: .replace
        case .clear: .clear
        case .jump: .jump
        case .shuffle: .shuffle
        case .consume: .consume
        case .repeat: .repeat
        }
    }

    /// The room that it is about; nil for all of them, or where it is about none.
    package var room: String? {
        switch self {
        case .volume(_, let room), .mute(_, let room), .reference(let room): room
        case .delay(_, let room), .name(_, let room): room
        default: nil
        }
    }

    /// Where, and how, it is to be done if nothing plays there.
    package var place: PlayOrder? {
        switch self {
        case .resume(let place), .toggle(let place), .add(_, let place), .insert(_, let place): place
        default: nil
        }
    }
}
