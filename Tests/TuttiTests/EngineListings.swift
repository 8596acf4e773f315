import Tutti

/// The listings of docs/engine.md are parts of this file.
enum EngineListings {
    static func render(_ source: String, to destination: String) throws {
        // The file to play, and its format.
        let file = try AudioFile(forReading: source)
        let engine = AudioEngine()
        let player = PlayerNode()
        let reverb = ReverbNode()
        try engine.attach(player)
        try engine.attach(reverb)

        // Half of what is heard is reverberation.
        reverb.wetDryMix = 50

        // Connect the nodes; the main mixer is connected to the output.
        try engine.connect(player, to: reverb, format: file.format)
        try engine.connect(reverb, to: engine.mainMixerNode, format: file.format)
        try player.scheduleFile(file)

        // Render when asked to, as fast as it can be done.
        try engine.enableManualRendering(.offline, format: file.format, maximumFrameCount: 4_096)
        try engine.start()
        try player.play()

        let buffer = try PCMBuffer(format: file.format, frameCapacity: engine.manualRenderingMaximumFrameCount)
        let settings = AudioFileSettings(.wav, sampleRate: file.format.sampleRate)
        let output = try AudioFileWriter(forWriting: destination, settings: settings)
        while engine.manualRenderingSampleTime < file.length {
            let left = file.length - engine.manualRenderingSampleTime
            switch try engine.renderOffline(min(Int(left), buffer.frameCapacity), to: buffer) {
            case .success: try output.write(buffer.block)
            case .insufficientDataFromInputNode, .cannotDoInCurrentContext: continue
            case .error: throw PlaybackError.invalidRendering("the engine cannot render")
            }
        }
        engine.stop()
        try output.close()
    }
}
