import FoundationEssentials
import Glibc

/// Reads settings. `NAME_FILE` names a file that holds the value (systemd credentials, Docker secrets).
///
/// A credential's folder is `CREDENTIALS_DIRECTORY` (systemd.exec(5)). Where a named file cannot be read, a credential of the same file
/// name stands in for it: `/etc/diary/keys/smtp-password` is closed to the service's user, and its unit hands over `smtp-password`.
struct Environment: Sendable {
    /// What others set for this process; no settings of the service.
    enum ForeignVariable: String {
        case path = "PATH"
        case home = "HOME"
        /// XDG Base Directory Specification
        case caches = "XDG_CACHE_HOME"
        /// sd_listen_fds(3)
        case listenProcess = "LISTEN_PID"
        case listenSockets = "LISTEN_FDS"
        /// systemd.exec(5)
        case credentials = "CREDENTIALS_DIRECTORY"
        /// sd_notify(3)
        case notifySocket = "NOTIFY_SOCKET"
        /// sd_watchdog_enabled(3)
        case watchdogMicroseconds = "WATCHDOG_USEC"
        case watchdogProcess = "WATCHDOG_PID"
    }

    private let values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    static var process: Environment { Environment(ProcessInfo.processInfo.environment) }

    var names: [String] { Array(values.keys) }

    /// These values, where nothing is set by the name or its file.
    func defaulting(to other: [String: String]) -> Environment {
        Environment(other.filter { values[$0.key + "_FILE"] == nil }.merging(values) { _, own in own })
    }

    /// - Throws: also for a setting that the catalogue does not list.
    func read<Value>(_ setting: Setting<Value>) throws(SettingsError) -> Value { try setting.value(try text(setting)) }

    /// nil when it is not set.
    func text(_ setting: any DeclaredSetting) throws(SettingsError) -> String? {
        guard SettingsCatalogue.names.contains(setting.name) else { throw SettingsError(setting, "is not in the catalogue of settings") }
        return try text(named: setting.name)
    }

    func text(_ variable: ForeignVariable) throws(SettingsError) -> String? { try text(named: variable.rawValue) }

    private func text(named name: String) throws(SettingsError) -> String? {
        if let value = values[name], !value.isEmpty { return value }
        guard let path = values[name + "_FILE"], !path.isEmpty else { return nil }
        guard let data = FileManager.default.contents(atPath: path) ?? credential(path) else {
            throw SettingsError(name + "_FILE", "the file cannot be read")
        }
        let text = String(decoding: data, as: UTF8.self)
        let value = text.last == "\n" ? String(text.dropLast()) : text
        // Units name the credentials of optional secrets too, and an empty one stands for a file that is not there.
        return value.isEmpty ? nil : value
    }

    private func credential(_ path: String) -> Data? {
        guard let folder = values[ForeignVariable.credentials.rawValue], let name = path.split(separator: "/").last else { return nil }
        return FileManager.default.contents(atPath: "\(folder)/\(name)")
    }
}

extension StringProtocol {
    /// Without the spaces at both ends.
    var trimmed: String {
        var text = Substring(self)
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
