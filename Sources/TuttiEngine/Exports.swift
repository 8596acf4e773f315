// Whoever makes nodes sets effects, and gets planes to fill.
@_exported public import TuttiChain
@_exported public import TuttiEffects
