import TestSupport
import Testing

/// Real programs in rooms of this machine: what they do, and at times when, to a millisecond or two. The programs
/// mostly wait, and each room has a folder, ports and a network of its own, so suites may run two at a time; the tests
/// of a suite share its folder and run one after the other.
@Suite("The lab", .repeatedWhenDisturbed)
enum BehaviourTests {}

/// Real programs on hosts of this machine, measured to microseconds: one lab at a time, because they share its
/// processors.
@Suite("The lab, measuring", .serialized, .repeatedWhenDisturbed)
enum MeasurementTests {}
