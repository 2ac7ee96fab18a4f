/// Reads a body of `multipart/form-data` (RFC 7578, on RFC 2046 section 5.1) piece by piece. It holds the header of one part, or as many bytes
/// as a delimiter has.
///
/// Strict in what could be read in two ways; lenient in what clients do: text before the first and after the last delimiter, blanks behind a
/// delimiter, folded fields, names of files in each of the forms that are in use.
package struct MultipartReader: Sendable {
    package enum Event: Sendable, Equatable {
        case begin(MultipartHead)
        /// Never empty.
        case bytes([UInt8])
        case end
    }

    package enum Fault: Error, Sendable, Equatable {
        /// Neither a line end nor `--` follows a delimiter.
        case delimiter
        /// A part's header is too long, not made of fields, or does not name the part.
        case header
        /// A part is encoded, as mail encodes files (`Content-Transfer-Encoding`).
        case encoding
        case tooManyParts
        /// The body ends before its last delimiter.
        case incomplete
    }

    package static let mostParts = 100
    /// Bytes of a part's header.
    package static let headerBytes = 8_192
    /// Bytes of blanks behind a delimiter.
    private static let mostPadding = 100

    private enum State: Sendable {
        /// Before the first delimiter.
        case preamble
        /// Behind a delimiter.
        case delimiter
        case header
        case content
        /// Behind the last delimiter.
        case epilogue
    }

    private let search: DelimiterSearch
    private var state = State.preamble
    private var parts = 0
    /// Bytes at the front of `held` that are no content: the end of a part's header, with which the delimiter of an empty part may begin.
    private var lead = 0
    /// What has been read and not been taken. It begins with a line end, which may be left out before the first delimiter.
    private var held: [UInt8] = [0x0D, 0x0A]

    /// - Parameter boundary: 1 to 70 visible ASCII characters and spaces, none at the end (RFC 2046 section 5.1.1).
    package init?(boundary: String) {
        let bytes = Array(boundary.utf8)
        guard (1...70).contains(bytes.count), bytes.allSatisfy({ (0x20...0x7E).contains($0) }), bytes.last != 0x20 else { return nil }
        search = DelimiterSearch([0x0D, 0x0A, 0x2D, 0x2D] + bytes)
    }

    package mutating func read(_ piece: [UInt8]) throws(Fault) -> [Event] {
        held += piece
        var at = 0
        var events: [Event] = []
        while try step(&at, &events) {}
        held.removeFirst(at)
        return events
    }

    /// The body has ended.
    package func finish() throws(Fault) {
        guard case .epilogue = state else { throw .incomplete }
    }

    /// - Parameter at: where `held` goes on.
    /// - Returns: false when more bytes are needed.
    private mutating func step(_ at: inout Int, _ events: inout [Event]) throws(Fault) -> Bool {
        switch state {
        case .preamble, .content:
            let (end, isFound) = search.find(in: held, from: at)
            if case .content = state {
                if end > at + lead { events.append(.bytes(Array(held[(at + lead)..<end]))) }
                if isFound { events.append(.end) }
            }
            if end > at || isFound { lead = 0 }
            at = isFound ? end + search.delimiter.count : end
            if isFound { state = .delimiter }
            return isFound
        case .delimiter: return try passDelimiter(&at)
        case .header:
            guard let (block, end) = try header(from: at) else { return false }
            parts += 1
            guard parts <= Self.mostParts else { throw .tooManyParts }
            events.append(.begin(try MultipartHead(block)))
            at = end
            lead = 2
            state = .content
            return true
        case .epilogue:
            at = held.count
            return false
        }
    }

    /// `--` ends the last part; blanks and a line end begin the next one.
    private mutating func passDelimiter(_ at: inout Int) throws(Fault) -> Bool {
        guard held.count - at >= 2 else { return false }
        if held[at] == 0x2D, held[at + 1] == 0x2D {
            state = .epilogue
            return true
        }
        var end = at
        while end < held.count, held[end] == 0x20 || held[end] == 0x09 { end += 1 }
        guard end - at <= Self.mostPadding else { throw .delimiter }
        guard held.count - end >= 2 else {
            if end < held.count, held[end] != 0x0D { throw .delimiter }
            return false
        }
        guard held[end] == 0x0D, held[end + 1] == 0x0A else { throw .delimiter }
        // The line end stays: an empty header is one more of them.
        at = end
        state = .header
        return true
    }

    /// The header's lines, with the line end before the first of them, and where its last line end begins; nil when it is not there as a whole.
    private func header(from start: Int) throws(Fault) -> (block: ArraySlice<UInt8>, end: Int)? {
        var index = start
        while index + 3 < held.count {
            if held[index] == 0x0D, held[index + 1] == 0x0A, held[index + 2] == 0x0D, held[index + 3] == 0x0A {
                return (held[start..<index], index + 2)
            }
            index += 1
            guard index - start <= Self.headerBytes else { throw .header }
        }
        return nil
    }
}

/// Finds a delimiter by Horspool's method, which looks at one byte of as many as the delimiter has. The bytes are then compared from the front:
/// a delimiter has one CR, its first byte, so that no input makes that take longer than the input is.
struct DelimiterSearch: Sendable {
    let delimiter: [UInt8]
    /// By the byte under the delimiter's last one: how far it can be moved.
    private let shifts: [Int]

    /// - Parameter delimiter: not empty.
    init(_ delimiter: [UInt8]) {
        self.delimiter = delimiter
        var shifts = [Int](repeating: delimiter.count, count: 256)
        for (index, byte) in delimiter.dropLast().enumerated() { shifts[Int(byte)] = delimiter.count - 1 - index }
        self.shifts = shifts
    }

    /// - Returns: where the delimiter begins; or, not found, how far no byte belongs to one, whatever follows.
    func find(in bytes: [UInt8], from start: Int) -> (end: Int, isFound: Bool) {
        let last = delimiter.count - 1
        var index = start
        while index + last < bytes.count {
            let byte = bytes[index + last]
            if byte == delimiter[last], matches(bytes, at: index, count: last) { return (index, true) }
            index += shifts[Int(byte)]
        }
        // The rest is shorter than the delimiter: it may be its beginning.
        while index < bytes.count, !matches(bytes, at: index, count: bytes.count - index) { index += 1 }
        return (min(index, bytes.count), false)
    }

    private func matches(_ bytes: [UInt8], at start: Int, count: Int) -> Bool {
        var index = 0
        while index < count {
            guard bytes[start + index] == delimiter[index] else { return false }
            index += 1
        }
        return true
    }
}
