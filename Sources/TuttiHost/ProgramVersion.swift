/// The version of the programs, as `--version` prints it.
package enum ProgramVersion {
    /// As in `deploy/debian/changelog`.
    package static let current = "0.1.0"
}
