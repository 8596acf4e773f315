#if !FFmpeg
package import TuttiCore

/// What stands for an open file in a build without the package's trait `FFmpeg`: there is none, since none can be opened.
package final class Asset {
    private let nothing: Never

    private init(_ nothing: Never) { self.nothing = nothing }

    /// - Throws: `.unsupported`, always.
    package static func open(
        _ input: AssetInput, interrupter: Interrupter = Interrupter(), policy: ReconnectPolicy = ReconnectPolicy()
    ) throws(AssetError) -> Asset {
        throw .withoutReader(input.name)
    }

    package var input: AssetInput { switch nothing {} }
    package var info: AssetInfo { switch nothing {} }
    package var damageCount: Int { switch nothing {} }
    package var streamTitle: String? { switch nothing {} }
    package var currentTime: MediaTime { switch nothing {} }
    package func read(maximumFrames: Int) throws(AssetError) -> PCMBlock? { switch nothing {} }
    package func seek(to time: MediaTime) throws(AssetError) { switch nothing {} }
    package func startPackets() throws(AssetError) -> AudioFormat? { switch nothing {} }
    package func readPacket() throws(AssetError) -> PacketStep? { switch nothing {} }
    package func stopPackets() throws(AssetError) { switch nothing {} }
}

/// Playlists from the web.
enum RemoteText {
    /// - Throws: `.unsupported`, always.
    static func fetch(_ address: String, policy: ReconnectPolicy, until deadline: Int64) throws(AssetError) -> [UInt8] {
        throw .withoutReader(address)
    }
}

extension AssetError {
    /// Nothing is read in this build.
    fileprivate static func withoutReader(_ name: String) -> AssetError {
        .unsupported(name, reason: "this build reads no files and addresses: it is without the package trait FFmpeg")
    }
}
#endif
