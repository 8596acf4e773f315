extension VideoFrame {
    /// How bright the picture is on average: 0 is black and 1 white, in its own gradation.
    package var meanLuminance: Double {
        withPlane(0) { plane in
            switch pixelFormat {
            case .yuv420, .yuv422, .yuv444, .nv12, .gray: scaled(mean(of: plane, UInt8.self), bits: 8)
            case .yuv420p10, .yuv422p10, .yuv444p10: scaled(mean(of: plane, UInt16.self), bits: 10)
            case .bgra: meanOfColors(plane) / 255
            }
        }
    }

    private func scaled(_ value: Double, bits: Int) -> Double {
        let unit = Double(1 << (bits - 8))
        let (black, white) = isFullRange ? (0, 256 * unit - 1) : (16 * unit, 235 * unit)
        return (value - black) / (white - black)
    }

    private func mean<Sample: UnsignedInteger & FixedWidthInteger>(of plane: Plane, _: Sample.Type) -> Double {
        var sum = 0
        for row in 0..<height {
            let samples = (plane.bytes + row * plane.bytesPerRow).assumingMemoryBound(to: Sample.self)
            var ofRow: UInt32 = 0
            for column in 0..<width { ofRow &+= UInt32(truncatingIfNeeded: samples[column]) }
            sum += Int(ofRow)
        }
        return Double(sum) / Double(width * height)
    }

    /// By ITU-R BT.709's weights.
    private func meanOfColors(_ plane: Plane) -> Double {
        var (blue, green, red) = (0, 0, 0)
        for row in 0..<height {
            let pixels = (plane.bytes + row * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
            for column in 0..<width {
                blue += Int(pixels[4 * column])
                green += Int(pixels[4 * column + 1])
                red += Int(pixels[4 * column + 2])
            }
        }
        return (0.0722 * Double(blue) + 0.7152 * Double(green) + 0.2126 * Double(red)) / Double(width * height)
    }
}
