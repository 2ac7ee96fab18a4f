import ArgumentParser
import DiaryCore
import DiaryCrypto
import FoundationEssentials
import SystemPackage
import WireFormats

/// The files of a tenant's export, readable by their owner only, and their manifest. Written in pieces, so that memory stays bounded.
final class ExportFolder {
    struct Manifest: Encodable {
        struct File: Encodable {
            let path: String
            /// nil for an object.
            let rows: Int?
            let bytes: Int64
            let sha256: String
        }

        let tenant: String
        let slug: String
        let written_at: String
        let version: String
        let files: [File]
    }

    private struct OpenFile {
        let path: String
        let descriptor: FileDescriptor
        var hash = SHA256Stream()
        var rows: Int?
        var bytes: Int64 = 0

        mutating func write(_ piece: [UInt8]) throws {
            try descriptor.writeAll(piece)
            hash.update(piece)
            bytes += Int64(piece.count)
        }
    }

    private let root: String
    private var files: [Manifest.File] = []
    private var current: OpenFile?

    var fileCount: Int { files.count }

    init(_ root: String) throws {
        self.root = root
        guard !FileManager.default.fileExists(atPath: root) else { throw CommandFailure("--to: \(root) is there already") }
        try makeFolder(root)
    }

    /// Begins a file of rows and ends the one before it.
    func beginRows(_ path: String) throws { try begin(path, rows: 0) }

    func append(_ lines: [String]) throws {
        try current?.write(Array((lines.joined(separator: "\n") + "\n").utf8))
        current?.rows? += lines.count
    }

    /// Copies every file below `source`, if that exists.
    func copy(_ source: String, as target: String) throws {
        guard FileManager.default.fileExists(atPath: source) else { return }
        for name in try FileManager.default.subpathsOfDirectory(atPath: source).sorted() {
            var isFolder = false
            guard FileManager.default.fileExists(atPath: "\(source)/\(name)", isDirectory: &isFolder), !isFolder else { continue }
            let original: FileDescriptor
            do { original = try FileDescriptor.open("\(source)/\(name)", .readOnly, options: [.closeOnExec, .noFollow]) } catch Errno
                .noSuchFileOrDirectory
            {
                // Deleted since it was listed.
                continue
            }
            try original.closeAfter {
                try begin("\(target)/\(name)", rows: nil)
                while true {
                    let piece = try [UInt8](unsafeUninitializedCapacity: 1 << 18) { buffer, count in
                        count = try original.read(into: UnsafeMutableRawBufferPointer(buffer))
                    }
                    if piece.isEmpty { break }
                    try current?.write(piece)
                }
            }
        }
    }

    func finish(_ tenant: Tenant) throws -> Manifest {
        try end()
        let manifest = Manifest(
            tenant: tenant.id.description, slug: tenant.slug, written_at: Date().formatted(.iso8601), version: Version.text, files: files)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let file = try open("manifest.json")
        try file.closeAfter { _ = try file.writeAll(encoder.encode(manifest)) }
        return manifest
    }

    private func begin(_ path: String, rows: Int?) throws {
        try end()
        try makeFolder("\(root)/\(path.split(separator: "/").dropLast().joined(separator: "/"))")
        current = OpenFile(path: path, descriptor: try open(path), rows: rows)
    }

    private func end() throws {
        guard var file = current else { return }
        current = nil
        try file.descriptor.close()
        files.append(Manifest.File(path: file.path, rows: file.rows, bytes: file.bytes, sha256: Hex.encode(file.hash.finish())))
    }

    private func open(_ path: String) throws -> FileDescriptor {
        try FileDescriptor.open(
            FilePath("\(root)/\(path)"), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
