import Hummingbird
import NIOCore

/// Pictures of what plays.
extension WebResponder {
    /// The picture of a file, made to fit what the query says.
    func picture(ofFile path: String, _ call: Call, _ request: Request) async throws(Problem) -> Response {
        let size = call.query["size"] ?? 640
        guard let picture = await artwork.picture(ofFile: path, size: size) else {
            throw Problem(.notFound, "what plays has no picture")
        }
        return Self.tagged(picture.bytes, tag: picture.tag, type: "image/jpeg", keeping: "private, no-cache", request)
    }
}
