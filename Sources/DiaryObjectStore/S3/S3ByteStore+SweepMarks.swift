package import DiaryCore
import S3Client

/// The object `sweep-mark` beside the objects. A copy of the bucket contains it too.
extension S3ByteStore: SweepMarks {
    package func number() async throws(ObjectStoreError) -> Int64 {
        let piece: S3Piece?
        do throws(S3Error) { piece = try await client.get(names.sweepMark, range: 0..<32) } catch {
            if error.reason == .missing { return 0 }
            throw ObjectStoreError(error)
        }
        let text = String(decoding: piece?.bytes ?? [], as: UTF8.self)
        guard text.last == "\n", let number = Int64(text.dropLast()), number >= 0 else { throw .damaged }
        return number
    }

    /// Replaces the mark. An earlier number of another worker may come last, which only means a smaller mark.
    package func write(_ number: Int64) async throws(ObjectStoreError) {
        try await ObjectStoreError.mapping { () async throws(S3Error) in
            let stored = try await client.put(names.sweepMark, .bytes(Array("\(number)\n".utf8)), contentType: "text/plain")
            // A sweep every few seconds would leave a version of each.
            if let version = stored.versionID, version != "null" { try await client.deleteVersions(of: names.sweepMark, but: version) }
        }
    }
}
