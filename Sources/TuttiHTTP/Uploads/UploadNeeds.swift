import TuttiSchema

extension Call {
    /// The inputs that queues and schedules name; nil if the service does not answer.
    func namedInputs() async -> Set<String>? {
        do {
            var named: Set<String> = []
            for group in try await allStatuses().groups {
                if let item = group.item { named.insert(item.uri) }
                let queue = try await tryToAsk(ControlRequest(.queue, group: group.group ?? "")).queue
                named.formUnion((queue?.entries ?? []).map(\.uri))
            }
            for schedule in try await ask(ControlRequest(.schedules)).schedules ?? [] {
                named.formUnion(schedule.order.inputs.map(\.uri))
            }
            return named
        } catch {
            return nil
        }
    }
}
