/// A file directly inside a job's folder, by its two names: the service's and the sandboxed program's.
struct JobFile: Sendable {
    let folder: String
    let name: String

    /// nil when the path is not that of a file directly in the folder.
    init?(_ path: String, in folder: String) {
        let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        guard path.hasPrefix(base + "/") else { return nil }
        let name = path.dropFirst(base.count + 1)
        guard !name.isEmpty, !name.contains("/"), name != "..", name != "." else { return nil }
        self.folder = base
        self.name = String(name)
    }

    var path: String { "\(folder)/\(name)" }

    func path(in sandbox: Sandbox) -> String { "\(sandbox.folder(folder))/\(name)" }

    /// For ffmpeg: names no other protocol and cannot be taken for an option.
    func url(in sandbox: Sandbox) -> String { "file:\(path(in: sandbox))" }
}
