// Whoever imports Tutti has the times, ranges, formats and sample buffers too, and the errors of playback.
@_exported public import TuttiCore
@_exported public import TuttiPlayback
