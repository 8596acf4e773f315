import CKernels
import CSDL
import TuttiCore

/// A texture that takes pictures of one size and kind.
///
/// SDL's drivers convert 8-bit 4:2:0 by the matrices of BT.601 and, in video range, of BT.709. Pictures of 10 bits are
/// rounded to 8 for them. All else becomes red, green and blue here.
final class PictureTexture {
    /// What a texture takes.
    struct Kind: Equatable {
        enum Layout: Equatable {
            case planar, interleaved, bgra
        }

        let (width, height): (Int, Int)
        let layout: Layout
        let isTranslucent: Bool
        private let conversion: UInt32

        init(_ frame: VideoFrame) {
            (width, height) = (frame.width, frame.height)
            isTranslucent = frame.pixelFormat == .bgra
            let mode: SDL_YUV_CONVERSION_MODE? =
                switch (frame.colorMatrix, frame.isFullRange) {
                case (.bt601, false): SDL_YUV_CONVERSION_BT601
                case (.bt601, true): SDL_YUV_CONVERSION_JPEG
                case (.bt709, false): SDL_YUV_CONVERSION_BT709
                case (.bt709, true), (.bt2020, _): nil
                }
            conversion = (mode ?? SDL_YUV_CONVERSION_BT709).rawValue
            switch frame.pixelFormat {
            case .yuv420 where mode != nil, .yuv420p10 where mode != nil: layout = .planar
            case .nv12 where mode != nil: layout = .interleaved
            default: layout = .bgra
            }
        }

        var mode: SDL_YUV_CONVERSION_MODE { SDL_YUV_CONVERSION_MODE(conversion) }

        var pixelFormat: UInt32 {
            switch layout {
            case .planar: SDL_PIXELFORMAT_IYUV.rawValue
            case .interleaved: SDL_PIXELFORMAT_NV12.rawValue
            case .bgra: tutti_sdl_bgra()
            }
        }
    }

    let kind: Kind
    let texture: OpaquePointer
    private var rows = PictureRows()

    /// A texture; nil where the driver makes none of that size.
    init?(_ kind: Kind, renderer: OpaquePointer) {
        // The mode is the program's, and a texture's from when it is made.
        SDL_SetYUVConversionMode(kind.mode)
        guard
            let texture = SDL_CreateTexture(
                renderer, kind.pixelFormat, Int32(SDL_TEXTUREACCESS_STREAMING.rawValue), Int32(clamping: kind.width),
                Int32(clamping: kind.height))
        else { return nil }
        SDL_SetTextureBlendMode(texture, kind.isTranslucent ? SDL_BLENDMODE_BLEND : SDL_BLENDMODE_NONE)
        SDL_SetTextureScaleMode(texture, SDL_ScaleModeLinear)
        (self.kind, self.texture) = (kind, texture)
    }

    deinit { SDL_DestroyTexture(texture) }

    /// Takes a picture of the texture's kind.
    ///
    /// - Returns: false where the driver refuses it.
    func upload(_ frame: VideoFrame) -> Bool {
        switch (kind.layout, frame.pixelFormat) {
        case (.planar, .yuv420p10): uploadNarrowed(frame)
        case (.planar, _): uploadPlanes(frame)
        case (.interleaved, _):
            frame.withPlane(0) { luma in
                frame.withPlane(1) { chroma in
                    SDL_UpdateNVTexture(
                        texture, nil, luma.bytes8, luma.pitch, chroma.bytes8, chroma.pitch) == 0
                }
            }
        case (.bgra, .bgra):
            frame.withPlane(0) { SDL_UpdateTexture(texture, nil, $0.bytes, $0.pitch) == 0 }
        case (.bgra, _): uploadConverted(frame)
        }
    }

    private func uploadPlanes(_ frame: VideoFrame) -> Bool {
        frame.withPlane(0) { luma in
            frame.withPlane(1) { blue in
                frame.withPlane(2) { red in
                    SDL_UpdateYUVTexture(
                        texture, nil, luma.bytes8, luma.pitch, blue.bytes8, blue.pitch, red.bytes8, red.pitch) == 0
                }
            }
        }
    }

    private func uploadNarrowed(_ frame: VideoFrame) -> Bool {
        let (width, height) = (frame.width, frame.height)
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        let bytes = rows.bytes(width * height + 2 * halfWidth * halfHeight)
        var place = bytes
        for (plane, wide, high) in [(0, width, height), (1, halfWidth, halfHeight), (2, halfWidth, halfHeight)] {
            frame.withPlane(plane) { plane in
                for row in 0..<high {
                    let from = plane.bytes + row * plane.bytesPerRow
                    tutti_picture_narrow(from.assumingMemoryBound(to: UInt16.self), place + row * wide, wide)
                }
            }
            place += wide * high
        }
        let blue = bytes + width * height
        return SDL_UpdateYUVTexture(
            texture, nil, bytes, Int32(clamping: width), blue, Int32(clamping: halfWidth),
            blue + halfWidth * halfHeight, Int32(clamping: halfWidth)) == 0
    }

    private func uploadConverted(_ frame: VideoFrame) -> Bool {
        var (pixels, pitch): (UnsafeMutableRawPointer?, Int32) = (nil, 0)
        guard SDL_LockTexture(texture, nil, &pixels, &pitch) == 0, let pixels else { return false }
        rows.convert(frame, to: pixels, bytesPerRow: Int(pitch))
        SDL_UnlockTexture(texture)
        return true
    }
}

extension VideoFrame.Plane {
    fileprivate var bytes8: UnsafePointer<UInt8> { bytes.assumingMemoryBound(to: UInt8.self) }
    fileprivate var pitch: Int32 { Int32(clamping: bytesPerRow) }
}
