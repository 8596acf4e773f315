/// A file's name, equal to another only if all bytes are: to `String`, both ways of writing `é` are the same.
struct ByteName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: ByteName, other: ByteName) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
