import HTTPListener

/// The names of the options or the setting that choose where the API listens, for error messages that say what to change.
struct ListenOptionNames {
    let host: String
    let port: String

    /// The options of `diary dev`.
    static let options = ListenOptionNames(host: "--host", port: "--port")
    /// The setting `DIARY_LISTEN`, which names host and port together.
    static let setting = ListenOptionNames(host: Settings.listenAddress.name, port: Settings.listenAddress.name)
}
