// Whoever imports Tutti has times, ranges, formats and sample buffers too, the errors of playback and the audio graph.
@_exported public import TuttiCore
@_exported public import TuttiEngine
@_exported public import TuttiPlayback
