/// Something that the bench does to the rooms while they play.
package struct BenchEvent: Sendable, Equatable {
    package enum Action: Sendable, Equatable {
        /// The room's card underruns.
        case underrun(room: String)
        /// The room's speaker is started: late, or again.
        case startSpeaker(room: String)
        /// The room's speaker is killed, with no chance to say so.
        case killSpeaker(room: String)
        /// The room's speaker stands still, or goes on.
        case pauseSpeaker(room: String)
        case continueSpeaker(room: String)
        /// The sender is killed, with no chance to say so.
        case killSender
        /// The service is started again; on another host, with a copy of its store.
        case startService(host: String)
        /// Somebody gives `tutti` this command on the sender's host.
        case command([String])
        /// The room is added to those that a service plays in.
        case addRoom(String)
        /// These hosts reach one another and none of the others; no hosts: all reach all.
        case split([String])
        /// The host has another address.
        case move(host: String, address: String)
        /// The host's link gets another character.
        case link(host: String, LinkProfile)
        /// CLOCK_REALTIME, which all hosts share, is stepped.
        case stepClock(milliseconds: Int)
    }

    /// When: seconds after the command to play.
    package var seconds: Double
    package var action: Action

    package init(_ seconds: Double, _ action: Action) {
        self.seconds = seconds
        self.action = action
    }

    /// What is done, in a few words.
    package var text: String {
        switch action {
        case .underrun(let room): "xrun in \(room)"
        case .startSpeaker(let room): "speaker of \(room) started"
        case .killSpeaker(let room): "speaker of \(room) killed"
        case .pauseSpeaker(let room): "speaker of \(room) stopped"
        case .continueSpeaker(let room): "speaker of \(room) continued"
        case .killSender: "sender killed"
        case .startService(let host): "service started on \(host)"
        case .command(let words): "tutti \(words.joined(separator: " "))"
        case .addRoom(let room): "\(room) added"
        case .split(let hosts): hosts.isEmpty ? "network joined" : "\(hosts.joined(separator: ", ")) split off"
        case .move(let host, let address): "\(host) moved to \(address)"
        case .link(let host, let profile): "link of \(host) \(profile.name)"
        case .stepClock(let milliseconds): "CLOCK_REALTIME \(milliseconds > 0 ? "+" : "−")\(abs(milliseconds)) ms"
        }
    }

    /// Whether what was done lasts until the next event, and shows only in time.
    package var lasts: Bool {
        switch action {
        case .link, .split, .killSender: true
        default: false
        }
    }

    /// An event that was done.
    package struct Record: Sendable, Codable, Equatable {
        package var text: String
        /// When, ns of CLOCK_MONOTONIC_RAW.
        package var rawNanoseconds: Int64
        /// Whether it lasts until the next event.
        package var lasts: Bool

        package init(text: String, rawNanoseconds: Int64, lasts: Bool = false) {
            self.lasts = lasts
            self.text = text
            self.rawNanoseconds = rawNanoseconds
        }
    }
}
