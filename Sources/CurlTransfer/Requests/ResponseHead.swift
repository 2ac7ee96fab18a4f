/// Status and headers of the final response; 1xx responses are skipped.
package struct ResponseHead: Sendable {
    package let status: Int
    /// In the order received, names in lower case.
    package let headers: [(name: String, value: String)]

    package func header(_ name: String) -> String? {
        headers.first { $0.name == name }?.value
    }
}

/// A response with its whole body.
package struct CollectedResponse: Sendable {
    package let head: ResponseHead
    package let body: [UInt8]
    package var status: Int { head.status }
}

/// Builds a head from libcurl's header lines.
struct ResponseHeadReader {
    /// Bytes of the status lines and headers of one transfer; well above those of real servers.
    static let maximumBytes = 64 * 1024

    private var status = 0
    private var headers: [(name: String, value: String)] = []
    private var count = 0

    enum Step {
        case more
        case done(ResponseHead)
        case tooLarge
    }

    mutating func take(_ line: some Collection<UInt8>) -> Step {
        count += line.count
        guard count <= Self.maximumBytes else { return .tooLarge }
        let text = String(decoding: line, as: UTF8.self).trimmingLineEnd()
        if text.isEmpty {
            defer { headers = [] }
            return status >= 200 ? .done(ResponseHead(status: status, headers: headers)) : .more
        }
        if text.hasPrefix("HTTP/") {
            let words = text.split(separator: " ", maxSplits: 2)
            status = words.count > 1 ? Int(words[1]) ?? 0 : 0
            headers = []
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append((text[..<colon].lowercased(), String(value)))
        }
        return .more
    }
}

extension String {
    fileprivate func trimmingLineEnd() -> String {
        String(decoding: utf8.reversed().drop { [0x0D, 0x0A, 0x20, 0x09].contains($0) }.reversed(), as: UTF8.self)
    }
}

/// A response's body, pulled chunk by chunk. At most about 64 KiB are buffered; the rest stays with the sender.
///
/// For one reader, within the scope it is passed to.
package struct ResponseBody: AsyncSequence {
    package typealias Element = [UInt8]

    let transfer: Transfer

    package struct AsyncIterator: AsyncIteratorProtocol {
        let transfer: Transfer

        /// - Returns: the next bytes, never empty; nil at the end of a complete body.
        /// - Throws: `TransferError`, also when the body ends early.
        package mutating func next() async throws -> [UInt8]? { try await transfer.nextChunk() }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(transfer: transfer) }
}

@available(*, unavailable)
extension ResponseBody: Sendable {}
