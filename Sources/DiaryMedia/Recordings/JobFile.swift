import SystemPackage

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

    /// Bytes; 0 for a missing file. Without FileManager, because the type of its `.size` depends on whether Foundation is linked.
    var size: Int {
        guard let file = try? FileDescriptor.open(FilePath(path), .readOnly) else { return 0 }
        let end = (try? file.seek(offset: 0, from: .end)) ?? 0
        try? file.close()
        return Int(clamping: end)
    }

    /// For ffmpeg: cannot name another protocol or be read as an option.
    func url(in sandbox: Sandbox) -> String { "file:\(path(in: sandbox))" }
}
