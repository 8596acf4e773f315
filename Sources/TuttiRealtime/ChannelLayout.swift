/// Maps stereo to the channels of a card with another number of channels. RT: plain numbers only.
package enum ChannelLayout {
    /// Writes `frames` stereo frames of `stereo` to `output` as frames of `channels` channels: a single one has the
    /// mean of both sides, of several the first two have them and the others are silent.
    package static func map(
        _ stereo: UnsafePointer<Float>, frames: Int, channels: Int, into output: UnsafeMutablePointer<Float>
    ) {
        var frame = 0
        while frame < frames {
            let (left, right) = (stereo[2 * frame], stereo[2 * frame + 1])
            let target = output + channels * frame
            if channels == 1 {
                target[0] = (left + right) / 2
            } else {
                (target[0], target[1]) = (left, right)
                var channel = 2
                while channel < channels {
                    target[channel] = 0
                    channel += 1
                }
            }
            frame += 1
        }
    }
}
