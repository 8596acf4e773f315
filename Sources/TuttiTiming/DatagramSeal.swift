/// How timing datagrams are signed: a value that the clock holds, and asks for each datagram that goes out or comes in.
package protocol DatagramSeal: Sendable {
    /// The datagram as it is sent; nil when nothing can be signed, and nothing is to be sent.
    mutating func close(_ datagram: [UInt8]) -> [UInt8]?
    /// The datagram that somebody has signed; nil when nobody has who may, or when it has come before.
    mutating func open(_ bytes: [UInt8]) -> [UInt8]?
}
