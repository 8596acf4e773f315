import Foundation
import Glibc
import TuttiPOSIX
import TuttiSchema

extension TuttiRun {
    private enum Steering {
        /// Rounds of commands; by turns of both ways.
        static let rounds = 6
        /// Seconds between two commands: what is heard before and after each has to be found again.
        static let interval = 1.5
        /// Seconds by which the interval grows from command to command, so that no rhythm of the player's is met.
        static let shift = 0.037
        /// Seconds of music that count as all that rooms hold.
        static let loaded = 290.0
        /// Seconds until everything must be loaded.
        static let patience = 60.0
    }

    /// Gives the commands, one after the other, and says when.
    func steer() throws(LabError) -> [SteeringStep.Record] {
        let socket = try connected()
        var records: [SteeringStep.Record] = []
        for round in 0..<Steering.rounds {
            try waitUntilLoaded(socket)
            for step in SteeringStep.round {
                let way: SteeringStep.Way = round % 2 == 0 ? .program : .socket
                let time = try give(step, way, socket)
                let refilled = step.kind == .edit ? try refill(since: time, socket) : nil
                records.append(
                    SteeringStep.Record(
                        step.kind, way, rawNanoseconds: time, target: step.target, refilledMilliseconds: refilled))
                rest(Steering.interval + Steering.shift * Double(records.count % 10))
                if step.kind.loads { try waitUntilLoaded(socket) }
            }
        }
        return records
    }

    private func give(
        _ step: SteeringStep, _ way: SteeringStep.Way, _ socket: borrowing UnixSocket
    ) throws(LabError) -> Int64 {
        switch way {
        case .program:
            let process = try session.start(
                [programs.tutti] + step.arguments, on: LabSession.sender, name: "steering")
            guard process.wait() == .exited(code: 0) else {
                throw .runFailed("tutti \(step.arguments.joined(separator: " ")): \(lastWords("steering"))")
            }
            return process.started
        case .socket:
            let time = MonotonicRaw.now()
            let answer = ask(socket, step.request)
            guard answer?.ok == true else { throw .runFailed("\(step.request): \(answer?.error ?? "no answer")") }
            return time
        }
    }

    private func ask(_ socket: borrowing UnixSocket, _ request: String) -> ControlResponse? {
        guard socket.send(Array((request + "\n").utf8)), let line = socket.line(limit: 4 << 20) else { return nil }
        return try? JSONDecoder().decode(ControlResponse.self, from: Data(line))
    }

    private func connected() throws(LabError) -> UnixSocket {
        let path = "\(session.folder(of: LabSession.sender))/tutti/control.sock"
        let deadline = MonotonicRaw.now() + Int64(Steering.patience * 1e9)
        while true {
            if let socket = UnixSocket.connected(to: path, timeoutSeconds: 5) { return socket }
            guard MonotonicRaw.now() < deadline else { throw .timedOut("a connection to \(path)") }
            usleep(20_000)
        }
    }

    /// How long rooms take to hold what follows the first piece, ms.
    private func refill(since start: Int64, _ socket: borrowing UnixSocket) throws(LabError) -> [String: Double] {
        var times: [String: Double] = [:]
        while times.count < bench.rooms.count {
            guard MonotonicRaw.now() - start < Int64(Steering.patience * 1e9) else { throw .timedOut("an edit") }
            if let status = ask(socket, "{\"command\":\"status\"}")?.status {
                let elapsed = Double(MonotonicRaw.now() - start) / 1e6
                for room in status.rooms where times[room.name] == nil {
                    let needed = SteeringStep.firstPiece + SteeringStep.refill
                    if room.holds(from: status.position, to: needed) { times[room.name] = elapsed }
                }
            }
            usleep(2_000)
        }
        return times
    }

    private func waitUntilLoaded(_ socket: borrowing UnixSocket) throws(LabError) {
        let deadline = MonotonicRaw.now() + Int64(Steering.patience * 1e9)
        while MonotonicRaw.now() < deadline {
            let answer = ask(socket, "{\"command\":\"status\"}")
            if let status = answer?.status, status.state == .playing,
                status.isLoaded(to: status.position + Steering.loaded)
            {
                return rest(Steering.interval)
            }
            usleep(100_000)
        }
        throw .timedOut("loading five minutes")
    }

    private func rest(_ seconds: Double) { usleep(UInt32(seconds * 1e6)) }
}
