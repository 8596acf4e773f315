import Glibc
package import NIOCore
import NIOPosix
import TuttiHost
import TuttiSchema

/// Takes in files, so that they can be played: on the disk as they come, checked by another program, and never more of
/// them than `UploadRule` allows.
package actor UploadStore {
    /// Says what is wrong with a file, for people; nil for one that can be played.
    package typealias Checker = @Sendable (_ path: String) async -> String?
    /// The paths that queues and schedules name; nil if nobody knows.
    package typealias Needs = @Sendable () async -> Set<String>?

    /// A file that was taken in.
    package struct Kept: Codable, Sendable {
        /// To be given as an input.
        var uri: String
        var bytes: Int
    }

    /// Files that may come at the same time.
    package static let mostAtOnce = 4
    /// Seconds that checking one may take.
    private static let checkingTime = 20.0

    /// Where files will lie that were sent.
    package nonisolated let path: String
    private let stateDirectory: String
    private let rule: UploadRule
    private let check: Checker
    private let needs: Needs
    private var opened: UploadFolder?
    /// Bytes of what is coming, by number.
    private var coming: [Int: Int] = [:]
    private var lastNumber = 0

    package init(
        stateDirectory: String, rule: UploadRule = UploadRule(), needs: @escaping Needs, check: @escaping Checker
    ) {
        (self.stateDirectory, self.rule, self.needs, self.check) = (stateDirectory, rule, needs, check)
        path = UploadFolder.path(inStateDirectory: stateDirectory)
    }

    /// A store whose files `tutti probe` checks.
    package init(stateDirectory: String, player: String, needs: @escaping Needs) {
        self.init(stateDirectory: stateDirectory, needs: needs) { path in
            let answer = await ChildProgram.output(
                of: [player, "probe", "--", path], limit: 64 << 10, within: Self.checkingTime)
            struct Report: Decodable { var problem: String? }
            guard let report: Report = answer.flatMap({ JSONLine.decode($0) }) else {
                return "it cannot be opened, or takes too long to"
            }
            return report.problem
        }
    }

    /// Takes in a file.
    ///
    /// - Parameters:
    ///   - name: as its sender calls it.
    ///   - length: how many bytes will come; nil if that is not known.
    ///   - body: its bytes; whatever it throws is thrown.
    /// - Throws: `.tooLarge`, `.noSpace`, `.unavailable`, `.unplayable`, `.failed`; nothing is left then.
    package func take<Body: AsyncSequence & Sendable>(
        _ name: String, length: Int?, _ body: Body
    ) async throws -> Kept where Body.Element == ByteBuffer {
        let name = UploadName.safe(name)
        let check = check
        return try await receive(name, length: length, mostBytes: rule.fileBytes, body) { upload, bytes in
            if let fault = await check(upload.path) {
                throw Problem(.unplayable, fault.replacing(upload.path, with: name))
            }
            return Kept(uri: try await Self.onDisk { () throws(HostError) in try upload.keep() }, bytes: bytes)
        }
    }

    /// Takes in a file for as long as `use` reads it.
    ///
    /// - Parameters:
    ///   - mostBytes: how many bytes it may have.
    ///   - use: gets the file's path; where a problem of it names that, the file's name stands there.
    /// - Throws: as `take` does, and what `use` throws. Nothing is left in any case.
    package func lend<Body: AsyncSequence & Sendable, Value: Sendable>(
        _ name: String, length: Int?, mostBytes: Int, _ body: Body,
        to use: @escaping @Sendable (_ path: String) async throws(Problem) -> Value
    ) async throws -> Value where Body.Element == ByteBuffer {
        let name = UploadName.safe(name)
        return try await receive(name, length: length, mostBytes: mostBytes, body) { upload, _ in
            let value: Value
            do throws(Problem) {
                value = try await use(upload.path)
            } catch {
                var problem = error
                problem.detail = problem.detail.replacing(upload.path.dropLast(name.count), with: "")
                throw problem
            }
            try await Self.onDisk { () throws(HostError) in upload.discard() }
            return value
        }
    }

    /// Writes a file to the disk as it comes, and has it kept or discarded; where that throws, it is discarded.
    private func receive<Body: AsyncSequence & Sendable, Value: Sendable>(
        _ name: String, length: Int?, mostBytes: Int, _ body: Body,
        then finish: @Sendable (ComingUpload, _ bytes: Int) async throws -> Value
    ) async throws -> Value where Body.Element == ByteBuffer {
        let mostBytes = min(mostBytes, rule.fileBytes)
        guard length ?? 0 <= mostBytes else { throw Self.tooLarge(mostBytes) }
        guard coming.count < Self.mostAtOnce else {
            var problem = Problem(.unavailable, "\(Self.mostAtOnce) files are coming in; try again later")
            problem.retryAfter = 10
            throw problem
        }
        lastNumber += 1
        let number = lastNumber
        // What does not say how long it is may be as long as is allowed.
        coming[number] = length ?? mostBytes
        defer { coming[number] = nil }
        let folder = try await folder()
        try await makeRoom(in: folder, besides: number)
        let upload = try await Self.onDisk { () throws(HostError) in try folder.begin(name) }
        do {
            return try await finish(upload, try await fill(upload, name, length: length, mostBytes, body, in: folder))
        } catch {
            // Also when this task is cancelled, which takes nothing to a thread any more.
            _ = await Task { try await Self.onDisk { () throws(HostError) in upload.discard() } }.result
            throw error
        }
    }

    // MARK: Room

    private func folder() async throws -> UploadFolder {
        if let opened { return opened }
        let stateDirectory = stateDirectory
        let folder = try await Self.onDisk { () throws(HostError) in try UploadFolder(stateDirectory: stateDirectory) }
        opened = folder
        return folder
    }

    /// Lets files go whose time is over, and as many more as a new one needs.
    private func makeRoom(in folder: UploadFolder, besides number: Int) async throws {
        let uploads = try await Self.onDisk { () throws(HostError) in folder.uploads() }
        let bytes = coming[number] ?? 0
        let others = coming.filter { $0.key != number }
        let reserved = (others.values.reduce(0, +), others.count)
        let now = time(nil)
        var leaving = rule.leaving(uploads, needed: [], for: bytes, reserved: reserved, at: now)
        // The queues are read only where a file would go.
        if leaving?.isEmpty != true {
            let needed = await needs() ?? Set(uploads.map(\.path))
            leaving = rule.leaving(uploads, needed: needed, for: bytes, reserved: reserved, at: now)
        }
        guard let leaving else {
            throw Problem(
                .noSpace, "there is no room for more files: queues, schedules and the last hour's files need it all")
        }
        let spare = rule.spareBytes
        let free = try await Self.onDisk { () throws(HostError) in
            for upload in leaving { folder.remove(upload) }
            return folder.freeBytes
        }
        guard free - spare >= bytes else { throw diskFull }
    }

    // MARK: Bytes

    /// Bytes that are written at once, and after which the disk's free space is looked at anew.
    private static let (pieceBytes, lookBytes) = (256 << 10, 16 << 20)

    private func fill<Body: AsyncSequence & Sendable>(
        _ upload: ComingUpload, _ name: String, length: Int?, _ mostBytes: Int, _ body: Body, in folder: UploadFolder
    ) async throws -> Int where Body.Element == ByteBuffer {
        var (count, looked) = (0, 0)
        var pending: [UInt8] = []
        for try await part in body {
            count += part.readableBytes
            guard count <= mostBytes else { throw Self.tooLarge(mostBytes) }
            pending.append(contentsOf: part.readableBytesView)
            guard pending.count >= Self.pieceBytes else { continue }
            try await write(pending, to: upload)
            pending.removeAll(keepingCapacity: true)
            if count - looked > Self.lookBytes {
                looked = count
                guard try await Self.onDisk({ () throws(HostError) in folder.freeBytes }) >= rule.spareBytes else {
                    throw diskFull
                }
            }
        }
        try await write(pending, to: upload)
        guard length.map({ $0 == count }) ?? true else { throw Problem(.malformed, "the body broke off") }
        guard count > 0 else { throw Problem(.unplayable, "\(name): the file is empty") }
        return count
    }

    private func write(_ bytes: [UInt8], to upload: ComingUpload) async throws {
        do {
            try await Self.onDisk { () throws(HostError) in try upload.write(bytes) }
        } catch let error as HostError {
            if case .file(_, _, let code) = error, [ENOSPC, EDQUOT, EFBIG].contains(code) { throw diskFull }
            throw Problem(.failed, "\(error)")
        }
    }

    /// Threads that wait for a disk are not those that answer others.
    private static func onDisk<Value: Sendable>(
        _ body: @escaping @Sendable () throws(HostError) -> Value
    ) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive { try body() }
    }

    private static func tooLarge(_ mostBytes: Int) -> Problem {
        Problem(.tooLarge, "a file has \(mostBytes >> 20) MiB at most here")
    }

    private var diskFull: Problem { Problem(.noSpace, "the disk of this host has too little space left") }
}
