import DiaryCore
import HTTPTypes
import WireFormats

/// Stored bytes with single-range support (RFC 9110 section 14). For several ranges, and for malformed ones, the answer is the whole.
struct RangedContent: Sendable {
    enum Disposition: String, Sendable { case inline, attachment }

    var size: Int64
    var type: String
    var disposition: Disposition
    var filename: String
    /// Strong: stored objects are never overwritten.
    var tag: String
    var read: @Sendable (Range<Int64>) async throws(DiaryError) -> any ByteStream

    func reply(to exchange: Exchange) async throws -> Reply {
        if exchange.has(tag) { return Reply(.notModified).with(.eTag, tag) }
        switch ByteRange.requested(in: exchange, tag: tag, size: size) {
        case .whole:
            return common(.stream(type: type, length: size, try await stream(0..<size, exchange)))
        case .part(let range):
            return common(
                .stream(.partialContent, type: type, length: range.upperBound - range.lowerBound, try await stream(range, exchange))
            )
            .with(.contentRange, "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
        case .unsatisfiable:
            return Problem.reply(DiaryError(.rangeNotSatisfiable), to: exchange).with(.contentRange, "bytes */\(size)")
        }
    }

    /// HEAD opens no object: its answer has the length only.
    private func stream(_ range: Range<Int64>, _ exchange: Exchange) async throws -> any ByteStream {
        exchange.method == .head || range.isEmpty ? NoBytes() : try await read(range)
    }

    private func common(_ reply: Reply) -> Reply {
        let isPlain = !filename.isEmpty && filename.utf8.allSatisfy { Self.plain.contains($0) }
        return reply.with(.acceptRanges, "bytes").with(.eTag, tag)
            .with(.contentDisposition, isPlain ? "\(disposition.rawValue); filename=\"\(filename)\"" : disposition.rawValue)
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-".utf8)
}

private final class NoBytes: ByteStream {
    func next() async throws -> [UInt8]? { nil }
}

/// The part of a representation of known size that a `Range` field requests.
enum ByteRange: Equatable, Sendable {
    case whole
    case part(Range<Int64>)
    case unsatisfiable

    /// `Range` applies to GET only, and with `If-Range` only when that names the current representation.
    static func requested(in exchange: Exchange, tag: String, size: Int64) -> ByteRange {
        let values = exchange.headers[values: .range]
        guard exchange.method == .get, values.count == 1, let value = values.first else { return .whole }
        let conditions = exchange.headers[values: .ifRange]
        guard conditions.isEmpty || conditions == [tag] else { return .whole }
        return parse(value, size: size)
    }

    static func parse(_ value: String, size: Int64) -> ByteRange {
        let halves = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].lowercased() == "bytes" else { return .whole }
        let ends = halves[1].filter { $0 != " " && $0 != "\t" }.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.count <= 18 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
            return .whole
        }
        switch (Int64(ends[0]), Int64(ends[1])) {
        case (nil, nil): return .whole
        case (nil, let last?):
            guard last > 0, size > 0 else { return .unsatisfiable }
            return .part(max(0, size - last)..<size)
        case (let first?, let last):
            if let last, last < first { return .whole }
            guard first < size else { return .unsatisfiable }
            return .part(first..<min(size, (last ?? size - 1) + 1))
        }
    }
}

/// Strong entity tags of stored bytes, which never change. Entries and schedules have a `VersionTag`.
enum ContentTag {
    static func text(_ digest: [UInt8]) -> String { "\"\(Hex.encode(digest))\"" }
}
