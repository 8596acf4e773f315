import Logging
import NIOCore
import TuttiChain
import TuttiHost
import TuttiRendering
import TuttiWire

/// What the room's sound goes through. It is the room's, whoever plays there, and is kept.
extension SpeakerController {
    /// Answers somebody who looks and asks for effects, once it is known what came of it.
    func answer(_ request: EffectsRequest, on connection: ConnectionID, version: Int) {
        switch request {
        case .show: show(to: connection, version: version, effects: effectsReport())
        case .impulse(let part):
            var problem: String?
            do throws(EffectsProblem) {
                try effectsMemory.take(part)
            } catch {
                problem = error.description
            }
            show(to: connection, version: version, effects: effectsReport(problem))
        case .edit(let edit): carryOut(edit, on: connection, version: version)
        }
    }

    private func carryOut(_ edit: EffectEdit, on connection: ConnectionID, version: Int) {
        let missing = edit.impulses.filter { !effectsMemory.has($0) }
        guard missing.isEmpty else {
            var report = effectsReport()
            report.missing = missing
            return show(to: connection, version: version, effects: report)
        }
        let before = renderer.effects.setting.chain
        let box = NIOLoopBound(self, eventLoop: eventLoop)
        let memory = effectsMemory
        renderer.effects.apply(edit) { ids throws(EffectTrialError) in
            do throws(EffectsProblem) {
                return try memory.impulses(ids)
            } catch {
                throw .unavailable(error.description)
            }
        } completion: { [eventLoop] result in
            eventLoop.execute {
                box.value.finish(result, before: before, on: connection, version: version)
            }
        }
    }

    private func finish(
        _ result: Result<RoomEffects.Setting, EffectTrialError>, before: EffectChain, on connection: ConnectionID,
        version: Int
    ) {
        var problem: String?
        switch result {
        case .success(let setting):
            do throws(EffectsProblem) {
                try effectsMemory.keep(setting.chain, before: before)
            } catch {
                problem = error.description
            }
            logger.info(
                "effects set",
                metadata: [
                    "count": "\(setting.chain.effects.count)",
                    "latency": "\(Int((setting.latency * 1_000).rounded())) ms",
                ])
            // Whoever plays here needs to know how long it takes now until something is heard.
            for slot in occupied { reports.expire(slot) }
        case .failure(let error): problem = "\(error)"
        }
        show(to: connection, version: version, effects: effectsReport(problem))
    }

    /// How the room's effects stand.
    private func effectsReport(_ problem: String? = nil) -> EffectsReport {
        let setting = renderer.effects.setting
        var report = EffectsReport()
        report.chain = setting.chain.description
        (report.latencyMs, report.load) = (setting.latency * 1_000, setting.load)
        report.problem = problem ?? (renderer.effects.trouble.isEmpty ? nil : renderer.effects.trouble)
        return report
    }

    /// Sets what was set before the speaker ended.
    func resumeEffects() {
        do throws(EffectsProblem) {
            let chain = try effectsMemory.chain()
            guard !chain.effects.isEmpty else { return }
            let impulses = try effectsMemory.impulses(chain.impulses)
            do throws(EffectTrialError) {
                try renderer.effects.set(chain, impulses: impulses)
            } catch {
                throw EffectsProblem("the room's effects are off: \(error)")
            }
        } catch {
            logger.error("\(error)")
        }
    }
}
