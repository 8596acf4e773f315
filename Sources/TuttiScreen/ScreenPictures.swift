import Synchronization
package import TuttiCore
package import TuttiHost

/// What is to be seen on a screen: said by any thread, and drawn by the one of a `ScreenWindow`.
package final class ScreenPictures: VideoSink {
    struct State {
        var pictures = PictureQueue<VideoFrame>()
        var overlays = PictureQueue<[ScreenOverlay]>()
        var status = ScreenStatus()
        /// What overlays lie on; nil before anything was drawn.
        var areas: ScreenAreas?
        /// Something other than a picture's instant asks for drawing.
        var needsDrawing = true
    }

    /// What one refresh shows.
    struct Content {
        let picture: VideoFrame?
        let overlays: [ScreenOverlay]
    }

    let state = Mutex(State())
    /// Rung whenever something is said.
    let bell: Bell

    /// Nothing to be seen.
    ///
    /// - Throws: `HostError.system` when the kernel makes no pipe.
    package init() throws(HostError) { bell = try Bell() }

    package func present(_ presentation: VideoPresentation) {
        state.withLock { state in
            switch presentation {
            case .show(let frame, let instant): state.pictures.show(frame, at: instant)
            case .takeBack(let instant):
                state.pictures.takeBack(from: instant)
                state.needsDrawing = true
            case .removeImage:
                state.pictures.removeAll()
                state.needsDrawing = true
            }
        }
        bell.ring()
    }

    /// Shows images above the picture in place of all others, from a host time on, or at once.
    package func show(_ overlays: [ScreenOverlay], atHostTime instant: HostTime? = nil) {
        state.withLock { state in
            guard let instant else {
                state.overlays.removeAll()
                state.overlays.show(overlays, at: HostTime(nanoseconds: .min))
                return state.needsDrawing = true
            }
            state.overlays.show(overlays, at: instant)
        }
        bell.ring()
    }

    /// What overlays lie on; nil while nothing has been drawn.
    package var areas: ScreenAreas? { state.withLock { $0.areas } }

    /// Images that were to be shown at a host time or later are not.
    package func takeBackOverlays(fromHostTime instant: HostTime) {
        state.withLock { state in
            state.overlays.takeBack(from: instant)
            state.needsDrawing = true
        }
        bell.ring()
    }

    /// How well the screen does.
    package var status: ScreenStatus {
        state.withLock { state in
            var status = state.status
            let pictures = state.pictures
            (status.shownFrames, status.droppedFrames) = (pictures.shownCount, pictures.droppedCount)
            (status.lateFrames, status.errors) = (pictures.lateCount, pictures.errors)
            return status
        }
    }

    /// Counts anew from here.
    package func resetCounts() {
        state.withLock { state in
            state.pictures.resetCounts()
            (state.status.missedRefreshes, state.status.refusedFrames) = (0, 0)
        }
    }
}
