import CurlTransfer
import FoundationEssentials

extension S3Client {
    /// - Returns: nil when there is no such object.
    package func head(_ key: String) async throws(S3Error) -> S3Object? {
        do throws(S3Error) {
            return try await send(try request("HeadObject", .head, key)) { answer throws(S3Error) in
                let size = answer.head.header("content-length").flatMap { Int64($0) }
                guard let object = S3Object(answer.head, size: size) else {
                    throw S3Error("HeadObject", .unreadable, status: answer.status)
                }
                return object
            }
        } catch {
            if error.reason == .missing { return nil }
            throw error
        }
    }

    /// - Parameter range: not empty; cut to the object's end.
    /// - Returns: nil when the object ends before the range begins.
    /// - Throws: `missing`.
    package func get(_ key: String, range: Range<Int64>) async throws(S3Error) -> S3Piece? {
        let name = "GetObject"
        guard range.lowerBound >= 0, !range.isEmpty else { throw S3Error(name, .refused) }
        var request = try request(name, .get, key)
        request.headers = [(name: "Range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
        do throws(S3Error) {
            // Large enough for an error document too.
            return try await send(request, maximumBytes: max(range.count, 64 * 1024)) { answer throws(S3Error) in
                // RFC 9110 section 14.2 allows 200 for any range: it is understood where the whole object was asked for.
                let whole = answer.status == 200 && range.lowerBound == 0 ? ContentRange(whole: answer.body.count) : nil
                guard answer.status == 206 || whole != nil,
                    let content = answer.head.header("content-range").flatMap(ContentRange.init) ?? whole,
                    content.range == range.clamped(to: 0..<content.size), answer.body.count == content.range.count,
                    let object = S3Object(answer.head, size: content.size)
                else { throw S3Error(name, .unreadable, status: answer.status) }
                return S3Piece(object: object, bytes: answer.body)
            }
        } catch {
            if error.reason == .rangeNotSatisfiable { return nil }
            throw error
        }
    }

    /// - Parameters:
    ///   - ifAbsent: fails with `exists` when the key is taken (`If-None-Match`); not every service can, see `unsupported`.
    ///   - metadata: names in lower case.
    package func put(
        _ key: String, _ body: S3Body, contentType: String = "application/octet-stream", metadata: [String: String] = [:],
        ifAbsent: Bool = false
    ) async throws(S3Error) -> S3Stored {
        let name = "PutObject"
        var request = try request(name, .put, key)
        request.headers = [(name: "Content-Type", value: contentType)]
        request.headers += metadata.sorted { $0.key < $1.key }.map { (name: "x-amz-meta-\($0.key)", value: $0.value) }
        if ifAbsent { request.headers.append((name: "If-None-Match", value: "*")) }
        request.body = body.content
        request.addContentMD5()
        return try await send(request) { answer throws(S3Error) in
            try Self.refuseErrorDocument(name, answer)
            return S3Stored(answer.head)
        }
    }

    /// Copies within the bucket, with type and metadata. Objects up to 5 GiB.
    /// - Throws: `missing`.
    package func copy(_ source: String, to target: String) async throws(S3Error) {
        let name = "CopyObject"
        var request = try request(name, .put, target)
        guard S3Bucket.isKey(source) else { throw S3Error(name, .refused) }
        let path = S3Bucket(configuration.bucket.name, at: configuration.bucket.endpoint, style: .path)?.path(of: source) ?? ""
        request.headers = [(name: "x-amz-copy-source", value: path)]
        request.isSlow = true
        try await send(request) { answer throws(S3Error) in
            // A copy that fails after its status was sent has a document of an error.
            let root = try Self.document(name, answer)
            guard root.name == "CopyObjectResult" else { throw S3Error(name, .unreadable, status: answer.status) }
        }
    }

    /// Succeeds when there is no such object.
    /// - Returns: whether the bucket keeps versions: the object is then hidden and not gone.
    @discardableResult
    package func delete(_ key: String, version: String? = nil) async throws(S3Error) -> Bool {
        let name = "DeleteObject"
        var request = try request(name, .delete, key)
        if let version { request.query = [(name: "versionId", value: version)] }
        do throws(S3Error) {
            return try await send(request) { answer throws(S3Error) in
                try Self.refuseErrorDocument(name, answer)
                return version == nil && answer.head.header("x-amz-delete-marker")?.lowercased() == "true"
            }
        } catch {
            if error.reason == .missing { return false }
            throw error
        }
    }

    func request(_ operation: String, _ method: TransferRequest.Method, _ key: String?) throws(S3Error) -> S3Request {
        if let key, !S3Bucket.isKey(key) { throw S3Error(operation, .refused) }
        return S3Request(operation: operation, method: method, key: key)
    }

    /// - Throws: the error that a document of success stands for.
    static func document(_ operation: String, _ answer: CollectedResponse) throws(S3Error) -> XMLElement {
        try refuseErrorDocument(operation, answer)
        guard let root = try? XMLReader.read(answer.body) else { throw S3Error(operation, .unreadable, status: answer.status) }
        return root
    }

    static func refuseErrorDocument(_ operation: String, _ answer: CollectedResponse) throws(S3Error) {
        guard S3Error.code(of: answer.body) != nil else { return }
        throw S3Error(operation, answer.head, answer.body, at: Date())
    }
}

/// What a PUT sends.
package enum S3Body: Sendable {
    /// Signed as a whole, and sent again when a try fails.
    case bytes([UInt8])
    /// Sent once, unsigned but for its length.
    case stream(length: Int64, next: @Sendable () async throws -> [UInt8]?)

    var content: S3Request.Body {
        switch self {
        case .bytes(let bytes): .bytes(bytes)
        case .stream(let length, let next): .stream(length: length, next: next)
        }
    }
}

/// The answer to a PUT.
package struct S3Stored: Sendable, Equatable {
    /// With its quotes.
    package let etag: String
    package let versionID: String?

    init(_ head: ResponseHead) {
        etag = head.header("etag") ?? ""
        versionID = head.header("x-amz-version-id")
    }
}

/// `bytes 0-9/100`
struct ContentRange {
    let range: Range<Int64>
    let size: Int64

    /// - Returns: nil for none.
    init?(whole count: Int) {
        guard count > 0 else { return nil }
        (range, size) = (0..<Int64(count), Int64(count))
    }

    init?(_ text: String) {
        guard text.hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), let size = Int64(parts[1]),
            first >= 0, first <= last, last < size
        else { return nil }
        range = first..<last + 1
        self.size = size
    }
}
