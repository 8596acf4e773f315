/// Files with secrets, as settings name them.
package enum CredentialFile {
    /// Where one is: an absolute path, or the name of one of systemd's credentials.
    package static func path(_ name: String, environment: [String: String]) -> String {
        guard !name.hasPrefix("/"), let folder = environment["CREDENTIALS_DIRECTORY"] else { return name }
        return "\(folder)/\(name)"
    }
}
