import TuttiSender

/// Why a command ends early: one line and an exit status.
struct Failure: Error {
    let message: String
    let exitCode: Int32

    init(_ message: String, exitCode: Int32 = 1) {
        self.message = message
        self.exitCode = exitCode
    }

    init(_ error: SenderError) { self.init(error.description, exitCode: error.exitCode) }
}
