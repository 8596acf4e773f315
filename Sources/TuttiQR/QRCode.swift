import CQREncode

/// A text as a QR code, for the camera of a phone.
package struct QRCode: Sendable, Equatable {
    /// Rows from the top, each from the left: whether a module is dark. The code is square.
    package let modules: [[Bool]]

    /// Modules of light margin on each side that readers need (ISO/IEC 18004).
    package static let margin = 4

    /// The code of `text`, of which readers restore up to 15 % when it is damaged; nil for an empty text, one with a zero
    /// character, and one of more than about 2300 bytes.
    package init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(0), let code = QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1)
        else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard width > 0, let data = code.pointee.data else { return nil }
        modules = (0..<width).map { row in (0..<width).map { data[row * width + $0] & 1 == 1 } }
    }

    /// Columns of its picture in a terminal.
    package var columns: Int { modules.count + 2 * Self.margin }

    /// Its picture: lines of half blocks, two modules on top of one another in each. The colours are named, black on
    /// white, so that a dark and a light terminal show the same.
    package var picture: String {
        func isDark(_ row: Int, _ column: Int) -> Bool {
            modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column]
        }
        let range = -Self.margin..<modules.count + Self.margin
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
            let blocks = range.map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (false, false): " "
                case (true, false): "▀"
                case (false, true): "▄"
                case (true, true): "█"
                }
            }
            return "\u{1B}[38;5;16;48;5;231m" + blocks.joined() + "\u{1B}[0m\n"
        }.joined()
    }
}
