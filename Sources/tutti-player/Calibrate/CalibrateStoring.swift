import TuttiCalibration
import TuttiCommandLine
import TuttiSender

/// Shows what was found, asks, and stores it in the speakers.
struct CalibrateStoring {
    var report: CalibrateReport
    let rooms: CalibrateRooms
    let storesUnasked: Bool
    let isDryRun: Bool
    let isJSON: Bool

    func run() async throws {
        if !isJSON {
            for line in report.lines() { Terminal.write(line + "\n") }
            if rooms.distances.allSatisfy({ $0 == 0 }) {
                Terminal.write(
                    "this assumes that the microphone is equally far from all rooms; a metre is 2.9 ms (--distance)\n")
            }
        }
        var report = report
        if !isDryRun, try isWanted() {
            // All or none.
            try await rooms.check(mayPlay: true)
            for index in rooms.addresses.indices where index != rooms.reference {
                try await store(index, in: &report)
            }
        } else if !isJSON {
            Terminal.write("nothing saved\n")
        }
        if isJSON { Terminal.write(json: report) }
    }

    private func store(_ index: Int, in report: inout CalibrateReport) async throws {
        let lateMs = report.rooms[index].lateMs
        var before: OutputDelay?
        let (name, after) = try await DelayOfRoom.change(rooms.addresses[index]) { delay in
            before = delay
            return OutputDelay(milliseconds: delay.milliseconds + lateMs)
        }
        report.rooms[index].previousOutputDelayMs = before?.milliseconds
        report.rooms[index].outputDelayMs = after.milliseconds
        report.rooms[index].stored = true
        if !isJSON { Terminal.write("\(after.effect(on: name))\n") }
    }

    private func isWanted() throws -> Bool {
        if storesUnasked { return true }
        // With --json, there is no question: the output is for programs.
        if isJSON { return false }
        Terminal.write("save these delays in the speakers? [y/N] ")
        let answer = readLine()?.lowercased()
        return answer == "y" || answer == "yes"
    }
}
