import Hummingbird
import NIOCore

/// Pictures of what plays, and of the library.
extension WebResponder {
    /// The picture of a file, made to fit what the query says.
    ///
    /// - Parameter isKept: whether a browser may show it again for some minutes without asking.
    func picture(
        ofFile path: String, isKept: Bool, _ call: Call, _ request: Request
    ) async throws(Problem) -> Response {
        let size = call.query["size"] ?? 640
        guard let picture = await artwork.picture(ofFile: path, size: size) else {
            throw Problem(.notFound, isKept ? "there is no picture of it" : "what plays has no picture")
        }
        return Self.tagged(
            picture.bytes, tag: picture.tag, type: "image/jpeg",
            keeping: isKept ? "private, max-age=600" : "private, no-cache", request)
    }
}
