import DiaryCore

/// A range without bytes.
final class EmptyStream: ByteStream {
    func next() async throws -> [UInt8]? { nil }
}
