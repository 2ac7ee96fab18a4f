import HTTPListener

/// Which options or settings choose where the API listens, for messages.
struct ListenRemedy {
    let host: String
    let port: String

    /// By the options of `diary dev`.
    static let options = ListenRemedy(host: "--host", port: "--port")
    /// By the setting, which is both.
    static let setting = ListenRemedy(host: Settings.listenAddress.name, port: Settings.listenAddress.name)
}
