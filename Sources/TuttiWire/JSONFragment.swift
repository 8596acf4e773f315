/// A value that stands in the JSON of control messages.
///
/// Of these a house of twelve rooms writes fifty a second; what is general about encoders would be most of what that costs.
protocol JSONFragment {
    func write(to json: inout [UInt8])
}

extension Bool: JSONFragment {
    func write(to json: inout [UInt8]) { json += self ? Array("true".utf8) : Array("false".utf8) }
}

extension FixedWidthInteger {
    func write(to json: inout [UInt8]) { json += String(self).utf8 }
}

extension Int: JSONFragment {}
extension Int64: JSONFragment {}
extension UInt16: JSONFragment {}
extension UInt32: JSONFragment {}
extension UInt64: JSONFragment {}

/// Finite ones alone: JSON knows no others.
extension Double: JSONFragment {
    func write(to json: inout [UInt8]) {
        json += description.utf8
        if json.suffix(2) == [UInt8(ascii: "."), UInt8(ascii: "0")] { json.removeLast(2) }
    }
}

extension String: JSONFragment {
    func write(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "\""))
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): json += "\\n".utf8
            case UInt8(ascii: "\r"): json += "\\r".utf8
            case UInt8(ascii: "\t"): json += "\\t".utf8
            case 0..<0x20: json += ((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }
}

extension Array: JSONFragment where Element: JSONFragment {
    func write(to json: inout [UInt8]) {
        json.append(UInt8(ascii: "["))
        for (index, element) in enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            element.write(to: &json)
        }
        json.append(UInt8(ascii: "]"))
    }
}
