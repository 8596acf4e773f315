/// How libavformat fetches `http(s)://` addresses.
enum NetworkOptions {
    /// Name and value of each option: only web protocols, ten seconds of silence at most, and a dropped connection
    /// taken up again where it broke.
    static let all: [(name: String, value: String)] = [
        ("protocol_whitelist", "http,https,httpproxy,tls,tcp,crypto"),
        ("user_agent", "Tutti/1"),
        ("rw_timeout", "10000000"),
        ("reconnect", "1"),
        ("reconnect_streamed", "1"),
        ("reconnect_delay_max", "4"),
        ("icy", "1"),
    ]
}
