extension AssetInfo.Artwork {
    /// Names of picture files beside music, in the order in which they are looked for.
    package static let fileNames = ["cover", "Cover", "folder", "Folder", "front", "Front", "album", "Album"]
        .flatMap { name in ["jpg", "jpeg", "png", "webp"].map { "\(name).\($0)" } }
}
