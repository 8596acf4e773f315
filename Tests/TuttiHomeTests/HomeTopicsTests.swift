import Testing
import TuttiHome

@Suite("Topics") struct HomeTopicsTests {
    @Test("what a topic is about")
    func meanings() {
        let topics = House.topics
        let kitchen = HomePlace.room("aa")
        #expect(topics.meaning(of: topics.command(kitchen, .volume)) == .command(kitchen, word: "volume"))
        #expect(topics.meaning(of: "tutti/n1/group/down_1/set/dance") == .command(.group("down_1"), word: "dance"))
        #expect(topics.meaning(of: "tutti/n1/set/pause") == .command(.service, word: "pause"))
        #expect(topics.meaning(of: "homeassistant/status") == .birth)
        for place in [HomePlace.service, .group("a_b-c"), .room("id_12")] {
            let topic = topics.configuration(place, "sensor", "sync-error")
            #expect(topics.meaning(of: topic) == .configuration(place))
        }
    }

    @Test(
        "other topics mean nothing",
        arguments: [
            "", "tutti", "tutti/n2/set/pause", "tutti/n1/set", "tutti/n1/group/a/b/set/x", "tutti/n1/attic/a/set/x",
            "tutti/n1/group//set/x", "tutti/n1/group/a b/set/x", "homeassistant/sensor/n2/service_x/config",
            "homeassistant/sensor/n1/nothing/config", "homeassistant/sensor/n1/group_a_x/configs",
            "tutti/n1/group/a/state",
        ])
    func others(topic: String) { #expect(House.topics.meaning(of: topic) == .other) }

    @Test("prefixes may have levels, and a node that is none is made one")
    func prefixes() {
        let topics = HomeTopics(prefix: "home/music", discoveryPrefix: "ha/found", node: "a/b")
        #expect(Slug.isValid(topics.node))
        #expect(topics.status == "home/music/\(topics.node)/status")
        #expect(topics.meaning(of: topics.command(.service, .stop)) == .command(.service, word: "stop"))
        #expect(topics.meaning(of: topics.configuration(.group("x"), "text", "play")) == .configuration(.group("x")))
    }
}
