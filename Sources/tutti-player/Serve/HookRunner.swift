import Glibc
import Logging
import TuttiHost
import TuttiHouse
import TuttiSchema
import TuttiSender

/// Runs the household's own commands when something happens. Nothing that plays waits for them.
actor HookRunner {
    /// How long a command may take.
    private static let limit = Duration.seconds(10)

    private let commands: [HookPlan.Occasion: [String]]
    private let logger: Logger
    private var plan: HookPlan
    private var queue = HookQueue()
    private var isRunning = false

    /// - Returns: nil where there are none.
    init?(_ options: HookOptions, logger: Logger) {
        guard !options.commands.isEmpty else { return nil }
        commands = options.commands
        plan = HookPlan(idleAfter: options.idleAfter)
        self.logger = logger
    }

    /// Watches a house until the task is cancelled.
    func run(_ house: House) async {
        while !Task.isCancelled {
            // A watcher that does not keep up is let go, and begins anew.
            if let events = await house.watchAll().events {
                begin(plan.goOn(with: await house.playingNames, at: Self.now))
                await follow(events)
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// An announcement begins.
    func announce(in rooms: [String]) { begin(plan.announce(in: rooms)) }

    private func follow(_ events: AsyncStream<ControlEvent>) async {
        let ticks = Task {
            while (try? await Task.sleep(for: .seconds(1))) != nil { self.tick() }
        }
        defer { ticks.cancel() }
        for await event in events { begin(plan.take(event, at: Self.now)) }
    }

    private func tick() { begin(plan.wait(until: Self.now)) }

    private func begin(_ calls: [HookPlan.Call]) {
        for call in calls where commands[call.occasion] != nil && queue.add(call) {
            logger.warning("too many hooks wait; the oldest is left out")
        }
        guard !isRunning, let call = queue.next() else { return }
        isRunning = true
        Task {
            await self.carryOut(call)
            self.goOn()
        }
    }

    private func goOn() {
        isRunning = false
        begin([])
    }

    private func carryOut(_ call: HookPlan.Call) async {
        guard let command = commands[call.occasion] else { return }
        let fields = call.fields.merging(["TUTTI_EVENT": call.occasion.rawValue]) { $1 }
        let metadata: Logger.Metadata = ["hook": "\(call.occasion.rawValue)", "command": "\(command[0])"]
        let child: ChildProgram
        do {
            child = try ChildProgram(command, environment: fields)
        } catch {
            return logger.warning("a hook cannot start: \(HostError.text(ofErrno: error.code))", metadata: metadata)
        }
        logger.debug("a hook runs", metadata: metadata)
        // Whatever it has started ends with it.
        let watch = Task {
            guard (try? await Task.sleep(for: Self.limit)) != nil else { return }
            kill(-child.process, SIGKILL)
        }
        let trouble = await child.end()
        watch.cancel()
        if let trouble { logger.warning("a hook \(trouble)", metadata: metadata) }
    }

    private static var now: Double {
        let passed = start.duration(to: .now).components
        return Double(passed.seconds) + Double(passed.attoseconds) / 1e18
    }

    private static let start = ContinuousClock.now
}

/// The household's own commands, and when nothing is expected to play.
struct HookOptions {
    /// Each with the path of a program first.
    var commands: [HookPlan.Occasion: [String]]
    /// Seconds.
    var idleAfter: Double

    /// What the settings say.
    init(_ settings: PlayerSettings) throws {
        commands = [:]
        for (occasion, setting) in SenderSetting.hooks { commands[occasion] = try settings.value(setting) }
        idleAfter = (try settings.value(SenderSetting.idleAfter) ?? 10) * 60
    }
}
