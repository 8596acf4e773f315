import TuttiCore
import TuttiSchema

/// What is added to a queue.
extension MPDCall {
    /// Tracks that one command adds at most, and bytes of an address.
    private static let (mostTracks, longestAddress) = (10_000, 4_096)
    /// Tracks that are moved to a place after they were added.
    static let mostMoves = 2_000

    /// What a client's name for something means to the service.
    ///
    /// - Parameter isOne: whether a folder is refused.
    /// - Throws: that there is no such thing.
    func inputs(_ uri: String, isOne: Bool = false) throws(MPDFault) -> [ControlInput] {
        guard uri.utf8.count <= Self.longestAddress, uri == MPDOutput.shown(uri) else {
            throw MPDFault(.argument, "the address has more than \(Self.longestAddress) bytes, or control characters")
        }
        if uri.hasPrefix("http://") || uri.hasPrefix("https://") { return [ControlInput(uri: uri)] }
        var path = uri
        if uri.hasPrefix("file://") {
            guard let decoded = Self.path(ofFileURI: uri) else { throw MPDFault(.argument, "Malformed URI") }
            path = decoded
        } else if uri.firstRange(of: "://") != nil {
            throw MPDFault(.noSuchThing, "Unsupported URI scheme")
        }
        return path.hasPrefix("/") ? try inputs(atPath: path, isOne) : try inputs(inLibrary: path, isOne)
    }

    private func inputs(atPath path: String, _ isOne: Bool) throws(MPDFault) -> [ControlInput] {
        switch house.kind(ofFile: path) {
        case .file: return [ControlInput(uri: path)]
        case .none: throw MPDFault(.noSuchThing, "No such file on the host of the service, or not readable")
        case .folder:
            guard !isOne else { throw MPDFault(.argument, "A folder is not one song") }
            let files = house.files(in: path, most: Self.mostTracks)
            guard !files.isEmpty else { throw MPDFault(.noSuchThing, "No music in this folder") }
            return files.map { ControlInput(uri: $0) }
        }
    }

    private func inputs(inLibrary path: String, _ isOne: Bool) throws(MPDFault) -> [ControlInput] {
        if let song = library.song(at: path) { return [library.input(for: song)] }
        let folder = path.split(separator: "/").joined(separator: "/")
        guard !isOne, library.entries(in: folder) != nil else { throw MPDFault(.noSuchThing, "No such song") }
        return library.songs(matching: .base(folder)).prefix(Self.mostTracks).map { library.input(for: $0.song) }
    }

    /// The absolute path that an address means; nil for what is none.
    static func path(ofFileURI uri: String) -> String? {
        var rest = Array(uri.utf8.dropFirst(7))[...]
        if rest.starts(with: Array("localhost/".utf8)) { rest = rest.dropFirst(9) }
        var path: [UInt8] = []
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                path.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), code != 0
            else { return nil }
            path.append(code)
            rest = rest.dropFirst(2)
        }
        guard path.first == UInt8(ascii: "/") else { return nil }
        return String(validating: path, as: UTF8.self)
    }

    // MARK: Adding

    /// Adds tracks to the client's partition.
    ///
    /// - Parameter place: where the first of them is then; nil for the end.
    /// - Returns: the numbers of the new entries.
    @discardableResult
    mutating func add(_ inputs: [ControlInput], at place: Int? = nil) throws(MPDFault) -> [UInt64] {
        if inputs.isEmpty { return [] }
        guard place == nil || inputs.count <= Self.mostMoves else {
            throw MPDFault(.argument, "more than \(Self.mostMoves) tracks can be added at the end only")
        }
        let partition = try partition()
        guard partition.isThere || !partition.rooms.isEmpty else {
            throw MPDFault(.system, "this partition has no rooms; move an output here first (moveoutput)")
        }
        let before = Set(partition.queue.entries.map(\.id))
        let answer = try ask(.add(inputs, place: partition.isUnderWay ? nil : partition.place), of: partition)
        // What was never given a name is called after its rooms.
        if client.partition != MPDClient.usualPartition, let name = answer.status?.group,
            !Names.areSame(name, partition.name)
        {
            client.partition = name
        }
        let entries = try self.partition().queue.entries
        let new = entries.map(\.id).filter { !before.contains($0) }
        guard let place, place + new.count < entries.count else { return new }
        for (offset, id) in new.enumerated() {
            try ask(.move(from: .id(id), to: place + offset), of: try self.partition())
        }
        return new
    }

    /// Carries out `add` and `addid` of a list in one request where several stand beside each other: a list of a
    /// thousand is common, and each request takes the service its time.
    ///
    /// - Returns: how many were carried out; 0 where they have to be taken one by one.
    mutating func added(_ lines: ArraySlice<[UInt8]>, okAfterEach: Bool) -> Int {
        guard !addsOneByOne, client.permissions.contains(.add),
            let first = lines.first.flatMap({ try? MPDWords(line: $0) }),
            ["add", "addid"].contains(first.command)
        else { return 0 }
        var tracks: [ControlInput] = []
        for line in lines {
            guard let words = try? MPDWords(line: line), words.command == first.command, words.arguments.count == 1,
                let input = try? inputs(words.arguments[0], isOne: true)
            else { break }
            tracks += input
        }
        guard tracks.count > 1 else { return 0 }
        guard let new = try? add(tracks), new.count == tracks.count else {
            // One of them is refused: which one, they tell when they are taken one by one.
            addsOneByOne = true
            return 0
        }
        for id in new {
            if first.command == "addid" { output.pair("Id", MPDQueue.songID(of: id)) }
            if okAfterEach { output.line("list_OK") }
        }
        return tracks.count
    }
}
