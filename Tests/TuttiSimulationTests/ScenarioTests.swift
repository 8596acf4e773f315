import Testing
import TuttiSimulation

@Suite struct ScenarioTests {
    @Test func machinesAreSendersThenSpeakers() {
        let scenario = Scenario(
            duration: 1, rooms: [RoomPlan(name: "kitchen"), RoomPlan(name: "bath")],
            senders: [SenderPlan(name: "den")], songs: [], groups: [])
        #expect(scenario.machines == [.sender("den"), .speaker("kitchen"), .speaker("bath")])
    }
}
