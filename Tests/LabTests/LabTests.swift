import TestSupport
import Testing

/// Real programs on hosts of this machine: one lab at a time, because they share its processors.
@Suite("The lab", .serialized, .repeatedWhenDisturbed)
enum LabTests {}
