import DiaryCore
import FoundationEssentials
import ZipArchive

/// Distributes entries to the parts of an export in the order in which they come, and collects what each part holds. Only numbers stay in memory.
actor ExportPlanner {
    /// A document that every part has of its own, made of lines of its entries.
    struct Document: Sendable {
        var path: String
        /// Between lines.
        var separator: [UInt8] = []
    }

    /// Of a member in the zip: 30 bytes before it and 46 in the directory, with its path in both (APPNOTE 4.3.7, 4.3.12).
    private static let memberOverhead: Int64 = 76
    /// The archive holds its members' names in memory, about half a kilobyte of each.
    private static let mostMembers = 150_000
    /// The directory's end, with its forms for large zips (4.3.14 to 4.3.16).
    private static let zipOverhead: Int64 = 98

    private struct Open {
        var part = ExportPlan.Part()
        var members = 0
        /// Of the zip, were it closed now.
        var size = ExportPlanner.zipOverhead
        /// Where each document's lines begin.
        var lines: [Int64]
    }

    private struct Closed {
        var part: ExportPlan.Part
        var lines: [Range<Int64>]
    }

    private let content: AppendedFile
    private let records: AppendedFile
    private let lines: [AppendedFile]
    private let documents: [Document]
    private let limit: Int64
    private let deflater: Deflater
    private var open: Open
    private var closed: [Closed] = []

    /// - Parameter limit: bytes of a zip, above which the next entry begins another part. An entry is never split, so a large one makes a larger part.
    init(documents: [Document], limit: Int64, folder: String) async throws {
        content = try await AppendedFile(folder: folder)
        records = try await AppendedFile(folder: folder)
        var lines: [AppendedFile] = []
        for _ in documents { lines.append(try await AppendedFile(folder: folder)) }
        self.lines = lines
        self.documents = documents
        self.limit = limit
        deflater = try Deflater()
        open = Open(lines: documents.map { _ in 0 })
    }

    /// The number of the part that the next entry goes into, and whether it is its first one. Call it once for each entry, before anything of it is added.
    /// - Parameters:
    ///   - files: of the entry: lengths of their paths and of their bytes.
    ///   - lines: bytes of its lines in the documents, about.
    func begin(files: [(path: Int, length: Int64)], lines: Int) async throws -> (part: Int, isFirst: Bool) {
        let bytes = files.reduce(Int64(lines)) { $0 + $1.length + Self.memberOverhead + 2 * Int64($1.path) }
        let isOver = open.size + bytes > limit || open.members + files.count > Self.mostMembers
        if open.part.entries > 0, isOver, closed.count + 1 < Export.mostParts { try await close() }
        open.size += bytes
        open.members += files.count
        open.part.entries += 1
        open.part.bytes += files.reduce(0) { $0 + $1.length }
        return (closed.count + 1, open.part.entries == 1)
    }

    func add(text: [UInt8], path: String, modified: ZipTimestamp) async throws {
        let (packed, facts) = try deflater.pack(text)
        let offset = try await content.append(packed)
        try await add(member(path, modified, at: offset, facts))
    }

    func add(recording: UUID, length: Int64, path: String, modified: ZipTimestamp) async throws {
        try await add(PlannedMember(path: path, modified: modified, length: length, content: .recording(recording)))
    }

    /// Ends the entry with its lines, one for each document.
    func end(_ texts: [[UInt8]]) async throws {
        for (index, text) in texts.enumerated() {
            if open.part.entries > 1 { try await lines[index].append(documents[index].separator) }
            try await lines[index].append(text)
        }
    }

    /// Writes the documents of all parts.
    /// - Parameters:
    ///   - changesUpto: of the snapshot.
    ///   - frame: what comes before and after a document's lines in a part.
    func finish(
        modified: Date, changesUpto: Int64,
        frame: @Sendable (_ document: Int, _ part: Int, _ of: Int, _ entries: Int) throws -> (head: [UInt8], tail: [UInt8])
    ) async throws -> ExportPlan {
        try await close()
        for file in lines + [records] { try await file.flush() }
        var parts: [ExportPlan.Part] = []
        for (index, closed) in closed.enumerated() {
            var members: [UInt8] = []
            for (number, document) in documents.enumerated() {
                let (head, tail) = try frame(number, index + 1, self.closed.count, closed.part.entries)
                let offset = try await content.append(try deflater.append(head))
                try await pack(closed.lines[number], of: lines[number].file)
                let (rest, facts) = try deflater.finish(with: tail)
                try await content.append(rest)
                members += member(document.path, ZipTimestamp(utc: modified), at: offset, facts).record
            }
            var part = closed.part
            let range = part.begin..<part.end
            part.begin = await content.size
            try await content.append(range, of: records.file)
            try await content.append(members)
            part.end = await content.size
            parts.append(part)
        }
        return try await ExportPlan(closing: content, parts: parts, changesUpto: changesUpto)
    }

    private func member(_ path: String, _ modified: ZipTimestamp, at offset: Int64, _ facts: PackedFacts) -> PlannedMember {
        PlannedMember(
            path: path, modified: modified, length: facts.length,
            content: .text(offset: offset, packed: facts.size, crc32: facts.crc32))
    }

    /// Packs a range of another file into this one.
    private func pack(_ range: Range<Int64>, of file: UnlinkedTempFile) async throws {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try await AppendedFile.read(file, from: offset, to: range.upperBound)
            try await content.append(try deflater.append(bytes))
            offset += Int64(bytes.count)
        }
    }

    private func add(_ member: PlannedMember) async throws { try await records.append(member.record) }

    private func close() async throws {
        var (part, ends): (ExportPlan.Part, [Int64]) = (open.part, [])
        part.begin = closed.last?.part.end ?? 0
        part.end = await records.size
        for file in lines { ends.append(await file.size) }
        closed.append(Closed(part: part, lines: zip(open.lines, ends).map { $0..<$1 }))
        open = Open(lines: ends)
    }
}
