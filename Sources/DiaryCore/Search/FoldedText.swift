/// A text as a search compares it: its words, folded, in UTF-8, with one space before, between and behind them. Its memory is used again
/// for the next text.
///
/// On bytes: Swift's strings alone would take some ten times as long, which is all of what a search may take.
struct FoldedText {
    private var buffer: [UInt8] = [FoldedText.space]
    private var count = 1
    private var table = FoldTable.shared

    static let space = UInt8(ascii: " ")

    /// Lower case letters and digits; anything else is a space.
    private static let ascii: [UInt8] = (0..<128).map { (byte: UInt8) -> UInt8 in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: space
        }
    }

    var bytes: [UInt8] { Array(buffer[..<count]) }

    mutating func read(_ text: String) { count = Self.fold(text.utf8Span.span, into: &buffer, by: &table) }

    func contains(_ term: SearchTerm) -> Bool { term.first(in: buffer.span, from: 0, to: count) != nil }

    /// - Parameter source: valid UTF-8.
    /// - Returns: how many bytes it has written.
    private static func fold(_ source: Span<UInt8>, into buffer: inout [UInt8], by table: inout FoldTable) -> Int {
        // No character becomes more than 3.5 times as long.
        var room = source.count * 4 + 2
        if buffer.count < room {
            if room > roomMade { room = length(of: source, by: &table) }
            if buffer.count < room { buffer = [UInt8](repeating: space, count: room) }
        }
        let ascii = ascii.span
        var out = buffer.mutableSpan
        out[0] = space
        var (at, end, last) = (0, 1, space)
        while at < source.count {
            let byte = source[at]
            if byte < 0x80 {
                at += 1
                let folded = ascii[Int(byte)]
                // Without a branch: a processor cannot foresee where a word ends.
                out[end] = folded
                end += (folded ^ space) | (last ^ space) == 0 ? 0 : 1
                last = folded
                continue
            }
            let scalar = scalar(source, &at)
            let range = if let known = table.range(of: scalar) { known } else { table.learn(scalar) }
            for index in range {
                let folded = table.bytes[index]
                if folded != space || last != space {
                    out[end] = folded
                    end += 1
                    last = folded
                }
            }
        }
        if last != space {
            out[end] = space
            end += 1
        }
        return end
    }

    /// The most bytes that are made for a text before it is measured: four times a text of some megabytes is too much.
    private static let roomMade = 1 << 20

    /// `fold` writes no more than this.
    private static func length(of source: Span<UInt8>, by table: inout FoldTable) -> Int {
        var (at, length) = (0, 2)
        while at < source.count {
            if source[at] < 0x80 {
                at += 1
                length += 1
                continue
            }
            let scalar = scalar(source, &at)
            length += (table.range(of: scalar) ?? table.learn(scalar)).count
        }
        return length
    }

    /// The character of more than one byte that begins at `at`, which then is behind it.
    @inline(__always)
    private static func scalar(_ source: Span<UInt8>, _ at: inout Int) -> UInt32 {
        let lead = source[at]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        var value = UInt32(lead & (0x7F >> UInt8(length)))
        for offset in 1..<length { value = value << 6 | UInt32(source[at + offset] & 0x3F) }
        at += length
        return value
    }
}
