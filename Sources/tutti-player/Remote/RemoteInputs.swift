import Glibc
import TuttiAssets
import TuttiCommandLine
import TuttiSchema
import TuttiTunnel

/// What is named here and played by another host.
enum RemoteInputs {
    /// Sends the files among the inputs, each once however many tracks of it are named, and names them as they are
    /// called there. What is not here is left to the other host.
    ///
    /// - Throws: `ProgramFailure` for a file that cannot be sent.
    static func send(_ inputs: [ControlInput], to host: RemoteHost) throws -> [ControlInput] {
        var sent: [String: String] = [:]
        var inputs = inputs
        let files = Set(inputs.map(\.uri).filter(isFile))
        for (index, input) in inputs.enumerated() where files.contains(input.uri) {
            if sent[input.uri] == nil {
                sent[input.uri] = try send(input.uri, to: host, number: sent.count + 1, of: files.count)
            }
            if let uri = sent[input.uri] { inputs[index].uri = uri }
        }
        return inputs
    }

    private static func isFile(_ uri: String) -> Bool { !AssetInput(uri: uri).isRemote && access(uri, F_OK) == 0 }

    private static func send(_ path: String, to host: RemoteHost, number: Int, of count: Int) throws -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let place = count > 1 ? " (\(number) of \(count))" : ""
        let isShown = isatty(STDERR_FILENO) == 1
        let result = StepIn.wait {
            do {
                return Result<String, RemoteFailure>.success(
                    try await host.send(file: path) { part in
                        guard isShown else { return }
                        Terminal.writeError("\rsending \(name)\(place): \(Int(part * 100)) %\u{1B}[K")
                    })
            } catch let failure as RemoteFailure {
                return .failure(failure)
            } catch {
                return .failure(RemoteFailure("\(name): cannot be sent: \(error)"))
            }
        }
        if isShown { Terminal.writeError("\r\u{1B}[K") }
        return try result.get()
    }
}
