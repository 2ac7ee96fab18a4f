import DiaryCrypto

/// A recording as a client sends it in one request, with what the client says of it.
package struct SentFile: Sendable {
    package let body: any ByteStream
    package let format: AudioFormat
    /// The client's own name of it, without folders.
    package let name: String?

    /// - Parameters:
    ///   - contentType: nil where the client says none.
    ///   - name: maybe a whole path.
    /// - Throws: `unsupportedMediaType` for what says that it is no recording.
    package init(_ body: any ByteStream, contentType: String?, name: String?) throws(DiaryError) {
        let name = name.flatMap(Self.plain)
        guard let format = Self.format(contentType, name) else {
            throw DiaryError(.unsupportedMediaType, detail: "The file is not of a type of a recording.")
        }
        self.body = body
        self.format = format
        self.name = name
    }

    /// The declared type, or that of the name's ending. What says neither is checked by its first bytes, as every recording is.
    private static func format(_ contentType: String?, _ name: String?) -> AudioFormat? {
        if let known = contentType.flatMap({ AudioFormat(contentType: $0) }) { return known }
        let type = contentType?.lowercased() ?? ""
        let isOpen = type.isEmpty || type.hasPrefix("audio/") || type.hasPrefix("video/") || type.hasPrefix("application/octet-stream")
        guard isOpen else { return nil }
        let ending = name?.split(separator: ".").last?.lowercased()
        return AudioFormat.allCases.first { $0.fileExtension == ending } ?? .m4a
    }

    private static func plain(_ name: String) -> String? {
        let last = name.split { $0 == "/" || $0 == "\\" }.last ?? ""
        var scalars = String.UnicodeScalarView()
        for scalar in last.unicodeScalars.prefix(EntryMetadata.valueLength) where OneLineText.accepts(String(scalar)) {
            scalars.append(scalar)
        }
        return scalars.isEmpty ? nil : String(scalars)
    }
}

/// Cuts a body of unknown length into parts of one length, and the rest.
struct PartCutter {
    let body: any ByteStream
    let size: Int
    let most: Int64
    /// Bytes of all parts so far.
    private(set) var taken: Int64 = 0
    private var hash = SHA256Stream()
    private var rest: ArraySlice<UInt8> = []

    /// - Parameter most: bytes of the whole.
    init(_ body: any ByteStream, size: Int, most: Int64) {
        self.body = body
        self.size = max(1, size)
        self.most = most
    }

    /// - Returns: shorter than the others at the end; empty behind it.
    /// - Throws: `bodyTooLarge`, and what the body throws.
    mutating func next() async throws -> [UInt8] {
        var part: [UInt8] = []
        while part.count < size {
            if rest.isEmpty {
                guard let piece = try await body.next() else { break }
                taken += Int64(piece.count)
                guard taken <= most else {
                    throw DiaryError(.bodyTooLarge, detail: "A recording has at most `audio_max_bytes` of getConfig.")
                }
                hash.update(piece)
                rest = piece[...]
            }
            // In one step: growing would take twice the memory for a while.
            if part.isEmpty, rest.count < size { part.reserveCapacity(size) }
            let fitting = rest.prefix(size - part.count)
            part += fitting
            rest = rest.dropFirst(fitting.count)
        }
        return part
    }

    /// Of all that was taken.
    mutating func digest() -> [UInt8] { hash.finish() }
}
