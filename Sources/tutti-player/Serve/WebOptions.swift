import TuttiLogging

/// How `tutti serve` serves HTTP.
struct WebOptions {
    /// Where, unless told otherwise.
    static let usualAddress = "127.0.0.1:7780"

    /// `ADDRESS:PORT`, or `off`.
    var address: String
    /// PEM files; nil for the certificate of this sender.
    var certificate: String?
    var key: String?
    var log: LogOptions
}
