import ArgumentParser
import Glibc
import TuttiAssets

/// The files of one run, which must not be each other's.
struct RenderPaths {
    let inputs: [AssetInput]
    /// Other files that are read: chains and impulse responses.
    let others: [String]
    let output: String
    let plot: String?

    /// A file, by whatever name or link it is reached.
    private struct Identity: Hashable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    /// - Throws: `ValidationError` where a file would be read and written; `ProgramFailure` for a plot that cannot be.
    func check() throws {
        let read = inputs.filter { !$0.isStandardInput && !$0.isRemote }.map(\.uri) + others
        for written in [output, plot].compactMap(\.self) {
            guard let identity = Identity(written) else { continue }
            if let same = read.first(where: { Identity($0) == identity }) {
                throw ValidationError("\(written) is the same file as \(same), which is read; write to another name")
            }
        }
        guard let plot else { return }
        guard plot != output, Identity(plot) == nil || Identity(plot) != Identity(output) else {
            throw ValidationError("--plot and -o name the same file")
        }
        try MeasurePicture.check(plot)
    }
}
