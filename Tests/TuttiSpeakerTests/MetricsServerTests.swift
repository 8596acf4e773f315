import TestSupport
import Testing
import TuttiHost
import TuttiSpeaker

/// What a speaker tells Prometheus, and what strangers can do there.
@Suite(.serialized, .repeatedWhenDisturbed) struct MetricsServerTests {
    /// A speaker that serves figures, and where.
    private func withMetrics(_ body: (SpeakerService, UInt16) async throws -> Void) async throws {
        try await withSpeaker {
            $0.metrics = ("127.0.0.1", 0)
        } _: { service, _ in
            try await body(service, UInt16(try #require(service.metricsPort)))
        }
    }

    private func ask(_ request: String, at port: UInt16) throws -> String {
        let connection = try #require(TestConnection(port: port))
        connection.send(Array((request + "\r\nHost: speaker\r\n\r\n").utf8))
        return connection.text()
    }

    @Test("the figures are there as text, and the connection is closed after them")
    func figures() async throws {
        try await withMetrics { service, port in
            let sender = try #require(TestConnection(port: service.port))
            _ = try #require(sender.greet())
            let answer = try ask("GET /metrics HTTP/1.1", at: port)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(answer.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"))
            for line in [
                "tutti_speaker_playing{room=\"kitchen\"} 0.0", "tutti_speaker_senders{room=\"kitchen\"} 1.0",
                "tutti_speaker_volume_ratio{room=\"kitchen\"} 0.6", "tutti_speaker_stalls_total{room=\"kitchen\"} 0.0",
                "tutti_speaker_sync_error_seconds_bucket{room=\"kitchen\",le=\"1e-06\"} 0.0",
                "tutti_speaker_sync_error_seconds_bucket{room=\"kitchen\",le=\"+Inf\"} 0.0",
            ] { #expect(answer.contains("\n\(line)\n"), "\(line)\n\(answer)") }
            #expect(answer.contains("\nprocess_resident_memory_bytes "))
            let received = answer.firstMatch(of: /\ntutti_speaker_received_bytes_total{room="kitchen"} ([0-9.]+)\n/)
            #expect(received.flatMap { Double($0.1) } ?? 0 > 0)
        }
    }

    @Test("HEAD has no body, other methods and places have errors, and none is served without --metrics")
    func others() async throws {
        try await withMetrics { _, port in
            let head = try ask("HEAD /metrics HTTP/1.1", at: port)
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(head.hasSuffix("\r\n\r\n"))
            #expect(try ask("GET /metrics?x=y HTTP/1.0", at: port).contains(" 200 OK\r\n"))
            #expect(try ask("DELETE /metrics HTTP/1.1", at: port).hasPrefix("HTTP/1.1 405 "))
            #expect(try ask("GET / HTTP/1.1", at: port).hasPrefix("HTTP/1.1 404 "))
            #expect(try ask("no request at all", at: port).hasPrefix("HTTP/1.1 400 "))
        }
        try await withSpeaker { service, _ in #expect(service.metricsPort == nil) }
    }

    @Test("a request that never ends is cut off, by its size or after five seconds")
    func endless() async throws {
        try await withMetrics { _, port in
            let long = try #require(TestConnection(port: port))
            long.send(Array(("GET /metrics HTTP/1.1\r\nX: " + String(repeating: "x", count: 20_000)).utf8))
            #expect(!long.text().contains("200 OK"))
            let slow = try #require(TestConnection(port: port))
            slow.send(Array("GET /metrics HTTP/1.1\r\n".utf8))
            let began = ContinuousClock.now
            #expect(slow.text().isEmpty)
            #expect(ContinuousClock.now - began < .seconds(9), "the other side did not hang up")
        }
    }

    @Test("any number of connections that say nothing leave room for one that asks")
    func crowd() async throws {
        try await withMetrics { _, port in
            let silent = (0..<64).compactMap { _ in TestConnection(port: port) }
            #expect(silent.count == 64)
            let answer = try ask("GET /metrics HTTP/1.1", at: port)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
            withExtendedLifetime(silent) {}
        }
    }

    @Test("a place that is taken leaves the speaker without figures, and playing")
    func taken() async throws {
        try await withMetrics { _, port in
            try await withSpeaker {
                $0.metrics = ("127.0.0.1", Int(port))
            } _: { service, _ in
                #expect(service.metricsPort == nil)
                let sender = try #require(TestConnection(port: service.port))
                #expect(sender.greet() != nil)
            }
        }
    }
}
