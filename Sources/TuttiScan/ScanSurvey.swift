import TuttiAssets
import TuttiHost
import TuttiStore

/// What is known of the inputs of a scan before anything is measured: which belong to one album, and which of those are
/// to be measured.
struct ScanSurvey {
    /// What a first look at an input finds.
    enum Look: Sendable {
        case known(MeasuredTrack)
        case new(FileStamp, album: String?)
        case failed(String)

        var file: FileStamp? {
            switch self {
            case .known(let track): track.file
            case .new(let file, _): file
            case .failed: nil
            }
        }

        var album: String? {
            switch self {
            case .known(let track): track.album?.name
            case .new(_, let album): album
            case .failed: nil
            }
        }
    }

    /// Tracks that are measured together: those of an album in one folder, or a single one.
    struct Unit: Sendable {
        /// The album's name; nil for a single track.
        let album: String?
        let folder: String
        /// Numbers of the inputs.
        var members: [Int]
    }

    /// The inputs, each once.
    let inputs: [AssetInput]
    /// What was found of each.
    let looks: [Look]
    /// In the order of their first inputs.
    let units: [Unit]

    init(_ inputs: [AssetInput], store: HouseStore, threads: Int) {
        var seen: Set<AssetInput> = []
        let inputs = inputs.filter { seen.insert($0.bare).inserted }
        let looks = Workers.map(inputs.count, threads: threads) { Self.look(at: inputs[$0], store) }
        (self.inputs, self.looks) = (inputs, looks)
        units = Self.units(looks)
    }

    private static func look(at input: AssetInput, _ store: HouseStore) -> Look {
        if input.isRemote || input.isStandardInput { return .failed("\(input.name): only files can be measured") }
        if let known = try? store.measured(input) { return .known(known) }
        guard let file = FileStamp(of: input.uri) else {
            return .failed(
                input.isReadOnce ? "\(input.name): only files can be measured" : "\(AssetError.notFound(input.uri))")
        }
        do {
            return .new(file, album: try Asset.open(input).info.album)
        } catch {
            return .failed("\(error)")
        }
    }

    private static func units(_ looks: [Look]) -> [Unit] {
        var units: [Unit] = []
        var places: [[String]: Int] = [:]
        for (index, look) in looks.enumerated() {
            guard let path = look.file?.path else { continue }
            let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
            if let album = look.album, let place = places[[folder, album]] {
                units[place].members.append(index)
            } else {
                if let album = look.album { places[[folder, album]] = units.count }
                units.append(Unit(album: look.album, folder: folder, members: [index]))
            }
        }
        return units
    }

    /// What was measured of a unit earlier; nil when any of it is to be measured again, since an album is measured as a
    /// whole. Some tracks of an album that is known are known.
    func known(_ unit: Unit) -> [MeasuredTrack]? {
        var tracks: [MeasuredTrack] = []
        for index in unit.members {
            guard case .known(let track) = looks[index], track.album?.trackCount ?? .max >= unit.members.count else {
                return nil
            }
            tracks.append(track)
        }
        return tracks
    }
}

extension AssetInput {
    /// What it is, whatever it is called.
    fileprivate var bare: AssetInput { AssetInput(uri: uri, start: start, end: end) }
}
