import CurlTransfer
package import FoundationEssentials
import WireFormats

/// An object in a listing.
package struct S3Entry: Sendable, Equatable {
    package let key: String
    package let size: Int64
    package let storedAt: Date
}

/// A page of objects, in order of the keys' bytes.
package struct S3Page: Sendable, Equatable {
    package let entries: [S3Entry]
    /// For the next page; nil at the end.
    package let continuation: String?
}

/// A version of an object, or the mark of its deletion.
package struct S3Version: Sendable, Hashable {
    package let key: String
    package let version: String?

    package init(_ key: String, version: String? = nil) {
        self.key = key
        self.version = version
    }
}

package struct S3VersionPage: Sendable, Equatable {
    package let versions: [S3Version]
    package let next: S3Version?
}

extension S3Client {
    /// ListObjectsV2.
    /// - Parameters:
    ///   - after: keys beyond this one; not with a continuation.
    ///   - limit: 1 to 1,000.
    package func list(
        prefix: String, after: String? = nil, continuation: String? = nil, limit: Int = 1_000
    ) async throws(S3Error) -> S3Page {
        let name = "ListObjectsV2"
        var request = try request(name, .get, nil)
        request.query = [
            (name: "list-type", value: "2"), (name: "prefix", value: prefix), (name: "max-keys", value: String(min(max(limit, 1), 1_000))),
            (name: "encoding-type", value: "url"),
        ]
        if let continuation {
            request.query.append((name: "continuation-token", value: continuation))
        } else if let after {
            request.query.append((name: "start-after", value: after))
        }
        return try await send(request, maximumBytes: Self.listBytes) { answer throws(S3Error) in
            let root = try Self.document(name, answer)
            guard root.name == "ListBucketResult", let entries = Self.entries(root) else {
                throw S3Error(name, .unreadable, status: answer.status)
            }
            guard root.text("IsTruncated") == "true" else { return S3Page(entries: entries, continuation: nil) }
            // Without a token the listing would seem to be complete.
            guard let next = root.text("NextContinuationToken"), !next.isEmpty else {
                throw S3Error(name, .unreadable, status: answer.status)
            }
            return S3Page(entries: entries, continuation: next)
        }
    }

    /// ListObjectVersions: all versions and marks of deletion.
    package func listVersions(prefix: String, after: S3Version? = nil) async throws(S3Error) -> S3VersionPage {
        let name = "ListObjectVersions"
        var request = try request(name, .get, nil)
        request.query = [
            (name: "versions", value: nil), (name: "prefix", value: prefix), (name: "max-keys", value: "1000"),
            (name: "encoding-type", value: "url"),
        ]
        if let after {
            request.query.append((name: "key-marker", value: after.key))
            if let version = after.version { request.query.append((name: "version-id-marker", value: version)) }
        }
        return try await send(request, maximumBytes: Self.listBytes) { answer throws(S3Error) in
            let root = try Self.document(name, answer)
            let isEncoded = root.text("EncodingType") == "url"
            var versions: [S3Version] = []
            for element in root.children where element.name == "Version" || element.name == "DeleteMarker" {
                guard let key = element.text("Key").flatMap({ Self.key($0, isEncoded: isEncoded) }), let version = element.text("VersionId")
                else { throw S3Error(name, .unreadable, status: answer.status) }
                versions.append(S3Version(key, version: version))
            }
            guard root.name == "ListVersionsResult" else { throw S3Error(name, .unreadable, status: answer.status) }
            guard root.text("IsTruncated") == "true" else { return S3VersionPage(versions: versions, next: nil) }
            guard let key = root.text("NextKeyMarker").flatMap({ Self.key($0, isEncoded: isEncoded) }), !key.isEmpty else {
                throw S3Error(name, .unreadable, status: answer.status)
            }
            return S3VersionPage(versions: versions, next: S3Version(key, version: root.text("NextVersionIdMarker")))
        }
    }

    /// A thousand entries with keys of 1,024 escaped bytes.
    static let listBytes = 8 << 20

    private static func entries(_ root: XMLElement) -> [S3Entry]? {
        let isEncoded = root.text("EncodingType") == "url"
        var entries: [S3Entry] = []
        for element in root.all("Contents") {
            guard let key = element.text("Key").flatMap({ Self.key($0, isEncoded: isEncoded) }),
                let size = element.text("Size").flatMap({ Int64($0) }), size >= 0,
                let storedAt = element.text("LastModified").flatMap({ RFC3339.parse($0) })
            else { return nil }
            entries.append(S3Entry(key: key, size: size, storedAt: storedAt))
        }
        return entries
    }

    /// AWS writes a space as `+`.
    static func key(_ text: String, isEncoded: Bool) -> String? {
        isEncoded ? PercentEncoding.decodeText(text, plusIsSpace: true) : text
    }
}
