import Glibc
import TuttiAssets
import TuttiLibrary

func measureScan(_ state: String, _ folders: [String]) {
    defer { remove(state) }
    do {
        let library = try LibraryStore(directory: state)
        for folder in folders { _ = try library.add(folder) }
        for run in ["first", "again"] {
            let (start, work) = (seconds(), seconds(CLOCK_PROCESS_CPUTIME_ID))
            LibraryScan(library).run { event in
                guard case .finished(let progress, let trouble, _) = event else { return }
                let passed = seconds() - start
                let worked = seconds(CLOCK_PROCESS_CPUTIME_ID) - work
                print(
                    "\(run): \(progress.found) files found, \(progress.read) read, in \(passed) s: "
                        + "\(Int(Double(progress.found) / passed)) a second; \(worked) s of processors; "
                        + "\(residentMegabytes()) MB")
                for line in trouble { print("  \(line)") }
            }
        }
        library.close()
    } catch {
        print(error)
    }
}

func measureTags(_ files: [String]) {
    for file in files {
        var best = Double.infinity
        for _ in 0..<5 {
            let start = seconds(CLOCK_THREAD_CPUTIME_ID)
            for _ in 0..<200 { _ = try? AssetTags.read(file) }
            best = min(best, (seconds(CLOCK_THREAD_CPUTIME_ID) - start) / 200)
        }
        print("\(file): \((best * 1e7).rounded() / 10) µs")
    }
}

func remove(_ folder: String) {
    for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/\(LibraryStore.fileName)\(suffix)") }
    rmdir(folder)
}
