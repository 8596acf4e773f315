import Foundation

/// What only a soak run tries (`make soak`): more of the kind of what every run tries already.
package enum Soak {
    /// Whether this is one: `TUTTI_TEST_SOAK` is set.
    package static let isOn = ProcessInfo.processInfo.environment["TUTTI_TEST_SOAK"]?.isEmpty == false

    /// These in a soak run, none otherwise.
    package static func only<Element>(_ elements: [Element]) -> [Element] { isOn ? elements : [] }
}
