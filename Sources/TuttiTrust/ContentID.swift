import Crypto

/// Names bytes by their content.
package enum ContentID {
    /// The SHA-256 of `bytes`, as 64 lower-case hexadecimal digits.
    package static func of(_ bytes: [UInt8]) -> String { Fingerprint.hexadecimal(SHA256.hash(data: bytes)) }
}
