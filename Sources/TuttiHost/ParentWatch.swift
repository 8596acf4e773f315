import Dispatch
import Glibc

/// Ends a program with the one that has started it, however that ends.
package struct ParentWatch {
    private let source: any DispatchSourceRead

    /// Watches standard input, of which the other program has the other end, for as long as this value is there.
    ///
    /// - Parameter action: called on a thread of its own when that is gone.
    package init(action: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        source.setEventHandler {
            var byte: UInt8 = 0
            if read(STDIN_FILENO, &byte, 1) <= 0 { action() }
        }
        source.activate()
    }
}
