import Foundation
import Testing
import TuttiHTTP

@Suite struct PageFilesTests {
    @Test func nothingButItsOwnFilesIsFound() {
        let page = PageFiles(["index.html": Array("x".utf8), "app.js": Array("y".utf8)])
        #expect(page.file(at: "/")?.type == "text/html; charset=utf-8")
        #expect(page.file(at: "/assets/app.js")?.bytes == Array("y".utf8))
        for path in ["", "/app.js", "/assets/", "/assets/../index.html", "/assets/%2e%2e/app.js", "/etc/passwd", "//"] {
            #expect(page.file(at: path) == nil, "\(path)")
        }
    }

    @Test func thePageNamesItsFilesByTheirContent() throws {
        let html = #"<script src="/assets/app.js"></script><link href="/assets/app.css">"#
        let page = PageFiles(["index.html": Array(html.utf8), "app.js": [1], "app.css": [2]])
        let script = try #require(page.file(at: "/assets/app.js"))
        let text = String(decoding: try #require(page.file(at: "/")).bytes, as: UTF8.self)
        #expect(text.contains("/assets/app.js?v=\(script.tag)\""))
        #expect(text.contains("/assets/app.css?v="))
    }

    @Test func everyFileOfTheFolderIsInTheProgram() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/TuttiHTTP/Page")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(names) == PageFiles().names)
    }
}
