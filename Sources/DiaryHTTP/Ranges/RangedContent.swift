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
