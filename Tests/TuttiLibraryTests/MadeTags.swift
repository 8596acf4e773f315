import TuttiAssets

/// Tags of tracks that no file stands behind.
enum MadeTags {
    static func tags(
        _ title: String, artist: String? = nil, album: String? = nil, year: Int? = nil, composer: String? = nil
    ) -> AssetTags {
        var tags = AssetTags()
        (tags.title, tags.artist, tags.album, tags.year, tags.composer) = (title, artist, album, year, composer)
        return tags
    }
}
