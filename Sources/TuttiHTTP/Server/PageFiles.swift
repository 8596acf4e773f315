/// The files of the page, which are part of the program.
package struct PageFiles: Sendable {
    /// A file as it is sent.
    package struct File: Sendable {
        package let bytes: [UInt8]
        package let type: String
        /// Changes with the content.
        package let tag: String
    }

    private let files: [String: File]

    /// All files in `Sources/TuttiHTTP/Page`, by name.
    private static let embedded: [String: [UInt8]] = [
        "index.html": PackageResources.index_html, "icon.svg": PackageResources.icon_svg,
        "style.css": PackageResources.style_css, "tutti.webmanifest": PackageResources.tutti_webmanifest,
        "api.js": PackageResources.api_js, "app.js": PackageResources.app_js, "dom.js": PackageResources.dom_js,
        "covers.js": PackageResources.covers_js, "library.js": PackageResources.library_js,
        "playlists.js": PackageResources.playlists_js,
        "files.js": PackageResources.files_js, "health.js": PackageResources.health_js,
        "later.js": PackageResources.later_js, "player.js": PackageResources.player_js,
        "queue.js": PackageResources.queue_js,
        "rooms.js": PackageResources.rooms_js, "sound.js": PackageResources.sound_js,
        "stations.js": PackageResources.stations_js,
        "store.js": PackageResources.store_js,
        "texts.js": PackageResources.texts_js, "tracks.js": PackageResources.tracks_js,
        "voice.js": PackageResources.voice_js,
        "wall.js": PackageResources.wall_js,
    ]

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "json": "application/json", "woff2": "font/woff2",
        "webmanifest": "application/manifest+json", "txt": "text/plain; charset=utf-8",
    ]

    /// The program's own files.
    package init() { self.init(Self.embedded) }

    /// These files, by name. In `index.html`, `assets/NAME` gets the tag of that file, so that a browser may keep the
    /// file for ever.
    package init(_ contents: [String: [UInt8]]) {
        var files = contents.mapValues { _ in File(bytes: [], type: "", tag: "") }
        for (name, bytes) in contents where name != "index.html" { files[name] = Self.file(name, bytes) }
        if let bytes = contents["index.html"] {
            var text = String(decoding: bytes, as: UTF8.self)
            for (name, file) in files where name != "index.html" {
                text = text.split(separator: "assets/\(name)\"", omittingEmptySubsequences: false)
                    .joined(separator: "assets/\(name)?v=\(file.tag)\"")
            }
            files["index.html"] = Self.file("index.html", Array(text.utf8))
        }
        self.files = files
    }

    private static func file(_ name: String, _ bytes: [UInt8]) -> File {
        let suffix = name.split(separator: ".").last.map(String.init) ?? ""
        return File(bytes: bytes, type: types[suffix] ?? "application/octet-stream", tag: ContentTag.of(bytes))
    }

    /// The file of a path: `/`, or `/assets/NAME`. Nothing else is looked for, on no disk.
    package func file(at path: String) -> File? {
        if path == "/" { return files["index.html"] }
        guard path.hasPrefix("/assets/") else { return nil }
        return files[String(path.dropFirst("/assets/".count))]
    }

    /// The names of all files.
    package var names: Set<String> { Set(files.keys) }
}
