// Whoever reads the laboratory's reports has their offsets and spreads too, which the product's own measurement shares.
@_exported public import TuttiSignal
