package import TuttiRooms
package import TuttiSchema

extension ControlResponse {
    /// It was not done.
    package init(_ error: SenderError) { self.init(error: error.description, exitCode: error.exitCode) }
}
