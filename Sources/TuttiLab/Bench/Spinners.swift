/// Processes that do nothing but use the processors, at ordinary priority, until the object goes.
final class Spinners {
    private var processes: [ChildProcess] = []

    /// Starts them on the sender's host, so that they end with the lab at the latest.
    init(_ count: Int, _ session: LabSession) throws(LabError) {
        for index in 0..<count {
            processes.append(
                try session.start(
                    ["sh", "-c", "while :; do :; done"], on: LabSession.sender, name: "spinner-\(index)"))
        }
    }

    /// Ends them.
    func end() {
        for process in processes { process.stop() }
    }
}
