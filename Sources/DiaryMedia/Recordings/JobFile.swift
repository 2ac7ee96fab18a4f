import BlockingCalls
import FoundationEssentials
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

/// Space on the disk of a job's folder.
enum JobSpace {
    /// O_TMPFILE without O_DIRECTORY, which it includes.
    private static let temporary = FileDescriptor.OpenOptions(rawValue: 0o20000000)

    /// Whether a MiB cannot be written: the disk, a quota or the number of files is full. ffmpeg's exit code does not distinguish that from
    /// an unreadable recording.
    ///
    /// No name in the folder is opened: the program may have put a link there to a file that only the service may write.
    static func isFull(_ folder: String) -> Bool {
        guard let file = try? nameless(in: folder) else { return true }
        let written = try? file.closeAfter { try file.writeAll([UInt8](repeating: 0, count: 1 << 20)) }
        return written != 1 << 20
    }

    private static func nameless(in folder: String) throws -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                FilePath(folder), .writeOnly, options: [.directory, temporary, .closeOnExec], permissions: .ownerReadWrite)
        } catch let error as Errno where error == .notSupported || error == .isDirectory || error == .invalidArgument {
            // A file system or kernel without O_TMPFILE.
            return try unlinked(in: folder)
        }
    }

    /// The name exists between two system calls, cannot be foreseen, and is not opened when it is taken.
    static func unlinked(in folder: String) throws -> FileDescriptor {
        let path = "\(folder)/.\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
        try? FileManager.default.removeItem(atPath: path)
        return file
    }
}
