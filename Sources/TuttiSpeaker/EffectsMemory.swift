import Foundation
import TuttiChain
import TuttiEffects
import TuttiHost
import TuttiTrust
import TuttiWire

/// What a speaker keeps on its disk of the room's effects: the chain as text, and the impulse responses that it names,
/// each in a file that is called by its content.
struct EffectsMemory: Sendable {
    /// An impulse response of which not all has come.
    private struct Upload {
        let id: String
        let size: Int
        var bytes: [UInt8] = []
    }

    /// The most impulse responses on the disk that no chain names yet.
    private static let unused = 4

    private let directory: String
    private let files: any StateFiles
    private var upload: Upload?
    /// Those that have come since a chain was kept.
    private var fresh: [String] = []

    init(directory: String, files: any StateFiles) {
        self.directory = directory
        self.files = files
    }

    private var chainPath: String { directory + "/effects.chain" }
    private func path(ofImpulse id: String) -> String { "\(directory)/impulse-\(id)" }

    /// Whether an impulse response is there.
    func has(_ id: String) -> Bool { FileManager.default.fileExists(atPath: path(ofImpulse: id)) }

    /// Takes some bytes of an impulse response; the first ones begin it anew, and the last ones put it on the disk.
    ///
    /// - Throws: what is wrong, in words.
    mutating func take(_ part: ImpulsePart) throws(EffectsProblem) {
        if part.offset == 0 { upload = Upload(id: part.id, size: part.size) }
        guard var upload, upload.id == part.id, upload.size == part.size, upload.bytes.count == part.offset,
            part.data.count <= part.size - part.offset
        else {
            self.upload = nil
            throw EffectsProblem("the parts of the impulse response do not fit together; try again")
        }
        upload.bytes += part.data
        self.upload = upload
        guard upload.bytes.count == upload.size else { return }
        self.upload = nil
        guard ContentID.of(upload.bytes) == upload.id, ImpulseResponse(bytes: upload.bytes) != nil else {
            throw EffectsProblem("the impulse response has come damaged; try again")
        }
        do {
            try files.write(upload.bytes, to: path(ofImpulse: upload.id))
        } catch {
            throw EffectsProblem("the speaker cannot keep the impulse response: \(error)")
        }
        fresh.append(upload.id)
        while fresh.count > Self.unused { remove(fresh.removeFirst()) }
    }

    /// The impulse responses of these names.
    ///
    /// - Throws: what is wrong, in words.
    func impulses(_ ids: [String]) throws(EffectsProblem) -> [String: ImpulseResponse] {
        var result: [String: ImpulseResponse] = [:]
        for id in ids where result[id] == nil {
            let bytes: [UInt8]?
            do {
                bytes = try files.read(path(ofImpulse: id))
            } catch {
                throw EffectsProblem("an impulse response cannot be read: \(error)")
            }
            guard let bytes, let impulse = ImpulseResponse(bytes: bytes) else {
                throw EffectsProblem("an impulse response of the room is missing; set it again")
            }
            result[id] = impulse
        }
        return result
    }

    /// Keeps a chain, and of the impulse responses those that it names.
    ///
    /// - Throws: what is wrong, in words.
    mutating func keep(_ chain: EffectChain, before: EffectChain) throws(EffectsProblem) {
        do {
            try files.write(Array(chain.description.utf8), to: chainPath)
        } catch {
            throw EffectsProblem("the effects are heard, and forgotten at the next start: \(error)")
        }
        let kept = Set(chain.impulses)
        for id in Set(before.impulses + fresh).subtracting(kept) { remove(id) }
        fresh = []
    }

    /// The chain that was kept; none where there is none.
    ///
    /// - Throws: what is wrong, in words.
    func chain() throws(EffectsProblem) -> EffectChain {
        do {
            guard let bytes = try files.read(chainPath) else { return EffectChain() }
            return try EffectChain(parsing: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw EffectsProblem("the room's effects cannot be read and are off (\(chainPath)): \(error)")
        }
    }

    private func remove(_ id: String) { try? FileManager.default.removeItem(atPath: path(ofImpulse: id)) }
}

/// Why something about effects was not done, in words for people.
struct EffectsProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
