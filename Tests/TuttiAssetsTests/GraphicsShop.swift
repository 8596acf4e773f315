/// Presentation graphics of Blu-ray discs (US 2009/0185789), as `.sup` files have them.
struct GraphicsShop {
    /// A rectangle of one colour that is shown from one millisecond to another, or until the next one.
    struct Box {
        var (x, y, width, height): (Int, Int, Int, Int)
        var start: Int
        var end: Int?
    }

    let canvas: (width: Int, height: Int)

    func file(_ boxes: [Box]) -> [UInt8] {
        boxes.flatMap { box in
            shown(box) + (box.end.map { composition(nil, $0) + segment(0x80, [], $0) } ?? [])
        }
    }

    private func shown(_ box: Box) -> [UInt8] {
        let window = [1, 0] + word(box.x) + word(box.y) + word(box.width) + word(box.height)
        // Colour 1: white, and opaque.
        let palette: [UInt8] = [0, 0, 1, 235, 128, 128, 255]
        let line = [0, 0xC0 | UInt8(box.width >> 8), UInt8(box.width & 0xFF), 1, 0, 0]
        let pixels = (0..<box.height).flatMap { _ in line }
        let object =
            word(0) + [0, 0xC0, UInt8((pixels.count + 4) >> 16)] + word((pixels.count + 4) & 0xFFFF)
            + word(box.width) + word(box.height) + pixels
        return composition(box, box.start) + segment(0x17, window, box.start) + segment(0x14, palette, box.start)
            + segment(0x15, object, box.start) + segment(0x80, [], box.start)
    }

    private func composition(_ box: Box?, _ time: Int) -> [UInt8] {
        let head = word(canvas.width) + word(canvas.height) + [0x10] + word(0)
        let objects = box.map { word(0) + [0, 0] + word($0.x) + word($0.y) } ?? []
        return segment(0x16, head + [box == nil ? 0 : 0x80, 0, 0, box == nil ? 0 : 1] + objects, time)
    }

    private func segment(_ type: UInt8, _ data: [UInt8], _ milliseconds: Int) -> [UInt8] {
        let time = milliseconds * 90
        return Array("PG".utf8) + word(time >> 16) + word(time & 0xFFFF) + word(0) + word(0) + [type] + word(data.count)
            + data
    }

    private func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
}
