package import TuttiCore

extension PlaybackPlan {
    /// What there is at the place that is read, as `read` is told.
    package enum Reading: Sendable, Equatable {
        /// Decoded audio of `frames` frames, never 0.
        case audio(start: MediaTime, sampleRate: Int, frames: Int)
        /// Nothing is held at the place, but something from this time on.
        case gap(until: MediaTime)
        /// Nothing is held at the place or behind it: it may still come.
        case starved
        /// The stream ends here.
        case ended
    }

    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// Drop what is prerolled and what no deck had room for, and read from a time on.
        case preroll(from: MediaTime)
        /// Drop all that is decoded, and read no more.
        case forget
        /// Read from a time on, with a decoder that has no input yet.
        case seek(to: MediaTime)
        /// Read on at a time.
        case skip(to: MediaTime)
        /// Add the audio that was read to what is prerolled.
        case keep
        /// Write the audio that was read to a deck. What does not fit is written before anything else is read.
        case write(DeckSide)
        /// Write so many frames of silence to a deck and read on at `until`, or, if not all fit, as far from the place
        /// as was written.
        case writeSilence(DeckSide, frames: Int, until: MediaTime)
        /// Give a free deck this run.
        case program(DeckSide, DeckRun)
        /// Write what is prerolled to a deck; nothing is prerolled then.
        case writePreroll(DeckSide)
        /// Hand a deck to the render thread: it has its start instant.
        case arm(DeckSide)
        /// Drop what the deck had no room for, but for so many frames.
        case keepRest(frames: Int)
        /// Take back what a deck has, if the render thread is far enough, and report the outcome with `tookBack`.
        case takeBack(TakeBack)
        /// Nothing follows on a deck: it rings out.
        case finish(DeckSide)
        /// Let a deck fade out from an instant on; `.min` is now. One that does not sound by then never does.
        case end(DeckSide, atGroupNanoseconds: Int64, fadeOutNanoseconds: Int64)
        /// Nothing more can be done for now: look again after so many milliseconds, or once something happens.
        case lookAgain(milliseconds: Int)
    }

    /// What a deck is to give back, so that what is written next comes at `frame`.
    package struct TakeBack: Sendable, Equatable {
        /// What comes there.
        enum Purpose: Sendable, Equatable {
            /// What is held from this time on now.
            case replacement(from: MediaTime)
            /// More: the stream had ended there.
            case more
        }

        package let deck: DeckSide
        /// Frames of the deck that stay.
        package let frame: Int64
        /// Frames that must lie between the render thread and `frame`.
        package let margin: Int64
        let purpose: Purpose
    }

    /// What plays: one run of one sample rate on one timebase.
    package struct Run: Sendable, Equatable {
        package let deck: DeckSide
        package let timebase: Timebase
        /// Frames a second.
        package let sampleRate: Int
        /// The media time of the deck's first frame.
        package let start: MediaTime
        /// Whether the deck has been told that nothing follows.
        package internal(set) var isFinished = false
    }
}
