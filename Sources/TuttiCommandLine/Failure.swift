/// Why a command ends early: one line and an exit status.
package struct Failure: Error {
    package let message: String
    package let exitCode: Int32

    package init(_ message: String, exitCode: Int32 = 1) {
        self.message = message
        self.exitCode = exitCode
    }
}
