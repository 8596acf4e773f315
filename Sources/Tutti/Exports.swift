// Whoever imports Tutti has the times, ranges, formats and sample buffers too.
@_exported public import TuttiCore
