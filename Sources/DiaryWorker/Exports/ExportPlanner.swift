import DiaryCore
import FoundationEssentials
import ZipArchive

/// Distributes entries to the parts of an export in the order in which they come, and collects what each part holds. Only numbers stay in memory.
actor ExportPlanner {
    /// Of a member in the zip: 30 bytes before it and 46 in the directory, with its path in both (APPNOTE 4.3.7, 4.3.12).
    private static let memberOverhead: Int64 = 76
    /// The directory's end, with its forms for large zips (4.3.14 to 4.3.16), and what the documents of a part without entries have.
    private static let zipOverhead: Int64 = 4_096
    /// The archive holds its members in memory, about half a kilobyte of each.
    private static let mostMembers = 150_000
    /// An import takes no more of one zip, unless it is set so.
    static let mostEntries = Limits().maxImportEntries

    private struct Open {
        var part = ExportPlan.Part()
        var members = 0
        /// Of the zip, were it closed now.
        var size = ExportPlanner.zipOverhead
    }

    private let content: AppendedFile
    private let records: AppendedFile
    private let limit: Int64
    private let mostEntries: Int
    private var open = Open()
    private var closed: [ExportPlan.Part] = []
    /// Of the documents of each part, which follow its entries.
    private var documents: [[UInt8]] = []

    /// - Parameter limit: bytes of a zip, above which the next entry begins another part. An entry is never split, so a large one makes a larger part.
    init(limit: Int64, mostEntries: Int = mostEntries, folder: String) async throws {
        content = try await AppendedFile(folder: folder)
        records = try await AppendedFile(folder: folder)
        self.limit = limit
        self.mostEntries = mostEntries
    }

    /// Call it once for each entry, before anything of it is added.
    /// - Parameters:
    ///   - files: lengths of the entry's files.
    ///   - lines: bytes of the entry in the documents.
    /// - Returns: whether the entry is the first of another part, which is always so for the first one.
    func begin(files: [Int64], lines: Int) async throws -> Bool {
        // Texts at their full length, and documents at half of theirs, which packing leaves of them at most.
        let most = files.reduce(Int64(lines) / 2) { $0 + $1 + Self.memberOverhead + 128 }
        let isOver =
            open.size + most > limit || open.members + files.count > Self.mostMembers || open.part.entries >= mostEntries
        if open.part.entries > 0, isOver, closed.count + 1 < Export.mostParts { try await close() }
        open.size += Int64(lines) / 2
        open.members += files.count
        open.part.entries += 1
        open.part.bytes += files.reduce(0, +)
        return open.part.entries == 1
    }

    func add(packed: [UInt8], _ facts: PackedFacts, path: String, modified: ZipTimestamp) async throws {
        let offset = try await content.append(packed)
        try await add(member(path, modified, at: offset, facts))
    }

    func add(recording: UUID, length: Int64, path: String, modified: ZipTimestamp) async throws {
        try await add(PlannedMember(path: path, modified: modified, length: length, content: .recording(recording)))
    }

    /// Ends the last part.
    /// - Returns: how many entries each part has. There is one part at least.
    func end() async throws -> [Int] {
        try await close()
        documents = closed.map { _ in [] }
        return closed.map(\.entries)
    }

    /// Adds a file that a part has of its own. Called after `end`.
    func add(_ document: PackedDocument, path: String, modified: ZipTimestamp, toPart index: Int) async throws {
        let start = await content.size
        try await content.append(0..<document.facts.size, of: document.file)
        documents[index] += member(path, modified, at: start, document.facts).record
    }

    /// - Parameter changesUpto: of the snapshot.
    func plan(changesUpto: Int64) async throws -> ExportPlan {
        try await records.flush()
        var parts: [ExportPlan.Part] = []
        for (closed, documents) in zip(closed, documents) {
            var part = closed
            part.begin = await content.size
            try await content.append(closed.begin..<closed.end, of: records.file)
            try await content.append(documents)
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

    private func add(_ member: PlannedMember) async throws {
        open.size += member.size + Self.memberOverhead + 2 * Int64(member.path.utf8.count)
        try await records.append(member.record)
    }

    private func close() async throws {
        var part = open.part
        part.begin = closed.last?.end ?? 0
        part.end = await records.size
        closed.append(part)
        open = Open()
    }
}
