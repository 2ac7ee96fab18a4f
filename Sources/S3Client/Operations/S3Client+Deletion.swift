import CurlTransfer

/// What is left of a batch of deletions.
package struct S3BatchDeletion: Sendable, Equatable {
    /// Not deleted.
    package var failed: [S3Version] = []
    /// Hidden by a mark: the bucket keeps their versions.
    package var hidden: [String] = []
}

extension S3Client {
    /// DeleteObjects, in requests of 1,000. What is missing counts as deleted.
    package func delete(_ objects: [S3Version]) async throws(S3Error) -> S3BatchDeletion {
        var result = S3BatchDeletion()
        for start in stride(from: 0, to: objects.count, by: 1_000) {
            try await deleteBatch(Array(objects[start..<min(start + 1_000, objects.count)]), &result)
        }
        return result
    }

    private func deleteBatch(_ batch: [S3Version], _ result: inout S3BatchDeletion) async throws(S3Error) {
        let name = "DeleteObjects"
        var request = try request(name, .post, nil)
        request.query = [(name: "delete", value: nil)]
        request.headers = [(name: "Content-Type", value: "application/xml")]
        // Not quiet: an answer must name each object, and tells which are only hidden.
        var text = #"<?xml version="1.0" encoding="UTF-8"?><Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"#
        for object in batch {
            guard let key = XMLText.escaped(object.key) else { throw S3Error(name, .refused) }
            text += "<Object><Key>\(key)</Key>"
            if let version = object.version.flatMap(XMLText.escaped) { text += "<VersionId>\(version)</VersionId>" }
            text += "</Object>"
        }
        request.body = .bytes(Array((text + "</Delete>").utf8))
        request.addContentMD5()
        request.isSlow = true
        let (deleted, refused, hidden) = try await send(request, maximumBytes: Self.listBytes) { answer throws(S3Error) in
            let root = try Self.document(name, answer)
            guard root.name == "DeleteResult" else { throw S3Error(name, .unreadable, status: answer.status) }
            let missing: Set<String?> = ["NoSuchKey", "NoSuchVersion"]
            let errors = root.all("Error")
            let deleted = root.all("Deleted") + errors.filter { missing.contains($0.text("Code")) }
            return (
                Set(deleted.compactMap { $0.text("Key") }),
                Set(errors.filter { !missing.contains($0.text("Code")) }.compactMap { $0.text("Key") }),
                root.all("Deleted").filter { $0.text("DeleteMarker") == "true" && $0.text("VersionId") == nil }.compactMap {
                    $0.text("Key")
                }
            )
        }
        // An object that the answer does not name was not deleted either.
        result.failed += batch.filter { refused.contains($0.key) || !deleted.contains($0.key) }
        result.hidden += hidden
    }
}

enum XMLText {
    /// Nil for characters that XML cannot hold.
    static func escaped(_ text: String) -> String? {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
            case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
            case UInt8(ascii: ">"): bytes += Array("&gt;".utf8)
            case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
            case 0x09, 0x0A, 0x0D: bytes += Array("&#\(byte);".utf8)
            case 0..<0x20: return nil
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
