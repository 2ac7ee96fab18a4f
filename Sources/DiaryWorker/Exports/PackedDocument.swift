import ZipArchive

/// A document of a part, packed in a temporary file of its own, so that several are packed at once.
struct PackedDocument: Sendable {
    let file: UnlinkedTempFile
    let facts: PackedFacts

    init(_ document: ComposedFile, in folder: String) async throws {
        let packed = try await AppendedFile(folder: folder)
        let deflater = try Deflater()
        while true {
            let bytes = try await BlockingWork.run { try document.read(max: 1 << 20) }
            if bytes.isEmpty { break }
            try await packed.append(try deflater.append(bytes))
        }
        let (rest, facts) = try deflater.finish()
        try await packed.append(rest)
        try await packed.flush()
        file = packed.file
        self.facts = facts
    }
}
