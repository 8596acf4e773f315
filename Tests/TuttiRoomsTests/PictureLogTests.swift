import Testing
import TuttiCore
import TuttiRooms

@Suite struct PictureLogTests {
    private static let format = VideoFormat(codec: .h264, width: 16, height: 16)

    private func time(_ picture: Int) -> MediaTime { MediaTime(frame: Int64(picture), sampleRate: 25) }

    private func picture(_ number: Int, isSync: Bool) throws -> VideoSampleBuffer {
        let format = try #require(Self.format)
        return try #require(
            VideoSampleBuffer(
                format: format, presentationTime: time(number), isSync: isSync, data: [UInt8](repeating: 1, count: 10)))
    }

    /// A log of `count` pictures, every tenth a sync one.
    private func log(_ count: Int) throws -> PictureLog {
        var log = PictureLog()
        for number in 0..<count {
            log.append(
                PictureLog.Entry(
                    picture: try picture(number, isSync: number % 10 == 0), formatID: 0, beginsAnew: number == 0))
        }
        return log
    }

    @Test func whoEntersBeginsWithTheSyncPictureBefore() throws {
        let log = try log(100)
        for number in 0..<100 { #expect(log.entrance(at: time(number)) == number / 10 * 10) }
        #expect(log.entrance(at: time(-3)) == 0 && log.entrance(at: time(5_000)) == 90)
        #expect(PictureLog().entrance(at: .zero) == 0)
    }

    @Test func whatIsCutIsGoneAndItsIndicesAreUsedAgain() throws {
        var log = try log(100)
        log.cut(from: time(64))
        #expect(log.endIndex == 64 && log.byteCount == 640 && log[63] != nil && log[64] == nil)
        log.cut(from: time(64))
        #expect(log.endIndex == 64)
        log.append(PictureLog.Entry(picture: try picture(60, isSync: true), formatID: 0, beginsAnew: true))
        #expect(log.entrance(at: time(62)) == 64)
        log.cut(from: nil)
        #expect(log.byteCount == 0 && log.firstIndex == 65 && log.endIndex == 65)
    }

    @Test func whatIsBehindIsForgottenButForWhatDecodersNeed() throws {
        var log = try log(1_000)
        log.trim(before: time(777))
        #expect(log.firstIndex == 770 && log.byteCount == 2_300 && log[769] == nil)
        #expect(log[770]?.picture.presentationTime == time(770) && log.entrance(at: time(3)) == 770)
        log.trim(before: time(5))
        #expect(log.firstIndex == 770)
    }

    @Test func whatHasBeenForgottenIsSaidOnce() throws {
        var source = PictureSource()
        #expect(source.takeLost() == nil)
        source.append([try picture(0, isSync: true), try picture(5, isSync: false)], beginsAnew: true, upTo: time(5))
        source.cut(from: time(4))
        source.cut(from: time(9))
        #expect(source.takeLost() == .from(time(4)) && source.takeLost() == nil && source.log.endIndex == 1)
        source.cut(from: time(1))
        source.cut(from: nil)
        source.cut(from: time(2))
        #expect(source.takeLost() == .everything)
    }
}
