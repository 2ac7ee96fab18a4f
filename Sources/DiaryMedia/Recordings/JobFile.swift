import BlockingCalls

/// A file directly inside a job's folder, with its path for the service and for the sandboxed program.
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

    /// Bytes; 0 for a missing file, and for what a program has put in its place that is none.
    var size: Int { UntrustedFile(path)?.size ?? 0 }

    /// nil for a missing file, for what a program has put in its place that is none, and for one of more bytes.
    func contents(atMost bytes: Int) -> [UInt8]? {
        guard let file = UntrustedFile(path), file.size <= bytes else { return nil }
        return file.read(at: 0, count: file.size)
    }

    /// For ffmpeg: cannot name another protocol or be read as an option.
    func url(in sandbox: Sandbox) -> String { "file:\(path(in: sandbox))" }
}
