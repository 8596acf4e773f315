/// Messages between clients.
extension MPDCommand {
    static let messages: [MPDCommand] = [
        MPDCommand("subscribe", .read, 1...1) { call throws(MPDFault) in
            try call.commander.hub.subscribe(call.client.number, to: call.arguments[0])
            call.changes.append(MPDChange(.subscription))
        },
        MPDCommand("unsubscribe", .read, 1...1) { call throws(MPDFault) in
            try call.commander.hub.unsubscribe(call.client.number, from: call.arguments[0])
            call.changes.append(MPDChange(.subscription))
        },
        MPDCommand("channels", .read, 0...0) { call throws(MPDFault) in
            for channel in call.commander.hub.channels { call.output.pair("channel", channel) }
        },
        MPDCommand("readmessages", .read, 0...0) { call throws(MPDFault) in
            for message in call.commander.hub.takeMessages(call.client.number) {
                call.output.pair("channel", message.channel)
                call.output.pair("message", message.text)
            }
        },
        MPDCommand("sendmessage", .control, 2...2) { call throws(MPDFault) in
            for client in try call.commander.hub.send(call.arguments[1], to: call.arguments[0]) {
                call.changes.append(MPDChange(.message, .client(client)))
            }
        },
    ]
}
