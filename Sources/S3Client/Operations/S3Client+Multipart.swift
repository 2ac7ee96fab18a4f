import CurlTransfer
package import FoundationEssentials
import WireFormats

/// A part that has arrived.
package struct S3Part: Sendable, Equatable {
    /// From 1. The smallest common limit is 1,000 parts (Swift); AWS takes 10,000.
    package let number: Int
    /// With its quotes.
    package let etag: String
    package var size: Int64 = 0
    /// Nil when the service does not say it.
    package var storedAt: Date? = nil

    package init(number: Int, etag: String, size: Int64 = 0, storedAt: Date? = nil) {
        self.number = number
        self.etag = etag
        self.size = size
        self.storedAt = storedAt
    }
}

/// An upload in parts that was neither completed nor aborted.
package struct S3OpenUpload: Sendable, Hashable {
    package let key: String
    package let id: String
    package let startedAt: Date?
}

/// Where a listing of open uploads goes on: after this upload, or after all of the key.
package struct S3UploadMarker: Sendable, Hashable {
    package let key: String
    package let id: String?

    package init(key: String, id: String?) {
        self.key = key
        self.id = id
    }
}

/// A page of open uploads, in order of their keys.
package struct S3UploadPage: Sendable, Equatable {
    package let uploads: [S3OpenUpload]
    /// Nil at the end.
    package let next: S3UploadMarker?
}

extension S3Client {
    /// - Returns: the upload's id. A try whose answer was lost leaves an upload without parts, which a sweep of open uploads finds.
    package func createUpload(
        _ key: String, contentType: String = "application/octet-stream", metadata: [String: String] = [:]
    ) async throws(S3Error) -> String {
        let name = "CreateMultipartUpload"
        var request = try request(name, .post, key)
        request.query = [(name: "uploads", value: nil)]
        request.headers = [(name: "Content-Type", value: contentType)]
        request.headers += metadata.sorted { $0.key < $1.key }.map { (name: "x-amz-meta-\($0.key)", value: $0.value) }
        return try await send(request) { answer throws(S3Error) in
            let root = try Self.document(name, answer)
            guard root.name == "InitiateMultipartUploadResult", let id = root.text("UploadId"), !id.isEmpty else {
                throw S3Error(name, .unreadable, status: answer.status)
            }
            return id
        }
    }

    package func uploadPart(_ key: String, upload: String, number: Int, _ bytes: [UInt8]) async throws(S3Error) -> S3Part {
        let name = "UploadPart"
        var request = try request(name, .put, key)
        request.query = Self.partQuery(upload, number)
        request.body = .bytes(bytes)
        request.addContentMD5()
        return try await send(request) { answer throws(S3Error) in
            try Self.refuseErrorDocument(name, answer)
            guard let etag = answer.head.header("etag"), !etag.isEmpty else { throw S3Error(name, .unreadable, status: answer.status) }
            return S3Part(number: number, etag: etag, size: Int64(bytes.count))
        }
    }

    /// All parts that have arrived, by number.
    /// - Throws: `noUpload`.
    package func listParts(_ key: String, upload: String) async throws(S3Error) -> [S3Part] {
        let name = "ListParts"
        var parts: [S3Part] = []
        var marker = 0
        while true {
            var request = try request(name, .get, key)
            request.query = [
                (name: "uploadId", value: upload), (name: "max-parts", value: "1000"), (name: "part-number-marker", value: String(marker)),
            ]
            let (page, isTruncated) = try await send(request, maximumBytes: Self.listBytes) { answer throws(S3Error) in
                let root = try Self.document(name, answer)
                guard root.name == "ListPartsResult", let page = Self.parts(root) else {
                    throw S3Error(name, .unreadable, status: answer.status)
                }
                return (page, root.text("IsTruncated") == "true")
            }
            parts += page
            guard isTruncated else { return parts }
            guard let last = page.last?.number, last > marker else { throw S3Error(name, .unreadable) }
            marker = last
        }
    }

    /// Joins the parts, which must be all that have arrived, in order of their numbers. Succeeds when it has already happened.
    /// - Parameters:
    ///   - parts: every one but the last has at least 5 MiB.
    ///   - ifAbsent: fails with `exists` when the key is taken; radosgw 16 ignores it and replaces the object.
    package func completeUpload(_ key: String, upload: String, parts: [S3Part], ifAbsent: Bool = false) async throws(S3Error) {
        let name = "CompleteMultipartUpload"
        var request = try request(name, .post, key)
        request.query = [(name: "uploadId", value: upload)]
        request.headers = [(name: "Content-Type", value: "application/xml")]
        if ifAbsent { request.headers.append((name: "If-None-Match", value: "*")) }
        var text = #"<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">"#
        for part in parts.sorted(by: { $0.number < $1.number }) {
            guard let etag = XMLText.escaped(part.etag) else { throw S3Error(name, .refused) }
            text += "<Part><PartNumber>\(part.number)</PartNumber><ETag>\(etag)</ETag></Part>"
        }
        request.body = .bytes(Array((text + "</CompleteMultipartUpload>").utf8))
        request.isSlow = true
        do throws(S3Error) {
            try await send(request) { answer throws(S3Error) in
                // The status is sent before the parts are joined; what went wrong then is in the document.
                let root = try Self.document(name, answer)
                guard root.name == "CompleteMultipartUploadResult" else { throw S3Error(name, .unreadable, status: answer.status) }
            }
        } catch {
            // An earlier try may have succeeded without its answer arriving.
            guard error.reason == .noUpload, try await head(key) != nil else { throw error }
        }
    }

    /// Succeeds when there is no such upload. Parts that arrive meanwhile may be kept: abort again after the last URL has expired.
    package func abortUpload(_ key: String, upload: String) async throws(S3Error) {
        let name = "AbortMultipartUpload"
        var request = try request(name, .delete, key)
        request.query = [(name: "uploadId", value: upload)]
        do throws(S3Error) {
            try await send(request) { answer throws(S3Error) in try Self.refuseErrorDocument(name, answer) }
        } catch {
            guard error.reason == .noUpload else { throw error }
        }
    }

    /// Aborts the open uploads whose keys begin with the prefix.
    /// - Parameter isMeant: is asked for each key.
    package func abortUploads(prefix: String, where isMeant: (String) -> Bool = { _ in true }) async throws(S3Error) {
        var after: S3UploadMarker?
        repeat {
            let page = try await listUploads(prefix: prefix, after: after)
            for upload in page.uploads where isMeant(upload.key) { try await abortUpload(upload.key, upload: upload.id) }
            after = page.next
        } while after != nil
    }

    /// Open uploads whose keys begin with the prefix.
    /// - Parameter limit: 1 to 1,000.
    package func listUploads(
        prefix: String, after: S3UploadMarker? = nil, limit: Int = 1_000
    ) async throws(S3Error) -> S3UploadPage {
        let name = "ListMultipartUploads"
        var request = try request(name, .get, nil)
        request.query = [
            (name: "uploads", value: nil), (name: "prefix", value: prefix),
            (name: "max-uploads", value: String(min(max(limit, 1), 1_000))), (name: "encoding-type", value: "url"),
        ]
        if let after {
            request.query.append((name: "key-marker", value: after.key))
            if let id = after.id { request.query.append((name: "upload-id-marker", value: id)) }
        }
        return try await send(request, maximumBytes: Self.listBytes) { answer throws(S3Error) in
            let root = try Self.document(name, answer)
            let isEncoded = root.text("EncodingType") == "url"
            guard root.name == "ListMultipartUploadsResult" else { throw S3Error(name, .unreadable, status: answer.status) }
            var uploads: [S3OpenUpload] = []
            for element in root.all("Upload") {
                guard let key = element.text("Key").flatMap({ Self.key($0, isEncoded: isEncoded) }), let id = element.text("UploadId")
                else {
                    throw S3Error(name, .unreadable, status: answer.status)
                }
                uploads.append(S3OpenUpload(key: key, id: id, startedAt: element.text("Initiated").flatMap { RFC3339.parse($0) }))
            }
            guard root.text("IsTruncated") == "true" else { return S3UploadPage(uploads: uploads, next: nil) }
            let id = root.text("NextUploadIdMarker").flatMap { $0.isEmpty ? nil : $0 }
            let key = root.text("NextKeyMarker").flatMap { Self.key($0, isEncoded: isEncoded) } ?? ""
            // OpenStack Swift leaves the markers empty when a page has one upload; that upload is the marker.
            let marker =
                key.isEmpty ? uploads.last.map { S3UploadMarker(key: $0.key, id: $0.id) } : S3UploadMarker(key: key, id: id)
            // Without a marker, or with the last one again, the listing would seem to be complete or never end.
            guard let next = marker, next != after else { throw S3Error(name, .unreadable, status: answer.status) }
            return S3UploadPage(uploads: uploads, next: next)
        }
    }

    static func partQuery(_ upload: String, _ number: Int) -> [(name: String, value: String?)] {
        [(name: "partNumber", value: String(number)), (name: "uploadId", value: upload)]
    }

    private static func parts(_ root: XMLElement) -> [S3Part]? {
        var parts: [S3Part] = []
        for element in root.all("Part") {
            guard let number = element.text("PartNumber").flatMap({ Int($0) }), let etag = element.text("ETag"),
                let size = element.text("Size").flatMap({ Int64($0) })
            else { return nil }
            parts.append(
                S3Part(number: number, etag: etag, size: size, storedAt: element.text("LastModified").flatMap { RFC3339.parse($0) }))
        }
        return parts
    }
}
