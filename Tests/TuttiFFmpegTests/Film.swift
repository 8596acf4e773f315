import CFFmpegFormat
import Foundation
import Glibc
import Testing
import TuttiCore

/// A film that the program `ffmpeg` makes, and its coded pictures.
struct Film {
    let format: VideoFormat
    let buffers: [VideoSampleBuffer]

    /// Pictures that differ from each other, in the coding that `options` ask for.
    init(_ codec: VideoFormat.Codec, _ options: [String], size: String = "64x48", rate: String = "25", count: Int = 50)
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tutti-film-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("film.mkv").path
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=\(size):rate=\(rate)", "-frames:v",
                "\(count)",
            ]
            + options + [path]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "ffmpeg \(options)")
        (format, buffers) = try Self.read(path, codec)
    }

    private static func read(
        _ path: String, _ codec: VideoFormat.Codec
    ) throws -> (VideoFormat, [VideoSampleBuffer]) {
        var opened: UnsafeMutablePointer<AVFormatContext>?
        try #require(avformat_open_input(&opened, path, nil, nil) >= 0)
        defer { avformat_close_input(&opened) }
        let context = try #require(opened)
        try #require(avformat_find_stream_info(context, nil) >= 0)
        let stream = try #require(context.pointee.streams[0])
        let parameters = try #require(stream.pointee.codecpar)
        let cookie = UnsafeBufferPointer(
            start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size))
        let format = try #require(
            VideoFormat(
                codec: codec, width: Int(parameters.pointee.width), height: Int(parameters.pointee.height),
                magicCookie: Array(cookie)))
        var buffers: [VideoSampleBuffer] = []
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        let unit = stream.pointee.time_base
        while let packet, av_read_frame(context, packet) >= 0 {
            let data = UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size))
            let time = try #require(
                MediaTime(value: packet.pointee.pts * Int64(unit.num), timescale: unit.den))
            let duration = MediaTime(value: packet.pointee.duration * Int64(unit.num), timescale: unit.den)
            buffers.append(
                try #require(
                    VideoSampleBuffer(
                        format: format, presentationTime: time, duration: duration?.isPositive == true ? duration : nil,
                        isSync: packet.pointee.flags & AV_PKT_FLAG_KEY != 0, data: Array(data))))
            av_packet_unref(packet)
        }
        return (format, buffers)
    }
}
