import Synchronization

/// What characters become in `FoldedText`, worked out for 128 of them at a time when the first is met.
struct FoldTable: Sendable {
    /// By page: its number in `starts`, from 1. 0: not worked out.
    private var pages = [UInt16](repeating: 0, count: 0x110000 / FoldTable.pageSize)
    /// Of each page 129: where the bytes of its characters begin, and where the last ones end.
    private var starts: [UInt32] = []
    private(set) var bytes: [UInt8] = []

    private static let pageSize = 128
    /// Shared by all searches of the process.
    private static let ofProcess = Mutex(FoldTable())
    private static let empty = FoldTable()

    static var shared: FoldTable { ofProcess.withLock { $0 } }

    /// The place in `bytes` of what a character becomes; nil when `learn` has to work it out.
    @inline(__always)
    func range(of scalar: UInt32) -> Range<Int>? {
        let (page, place) = Int(scalar).quotientAndRemainder(dividingBy: Self.pageSize)
        let number = Int(pages[page])
        guard number > 0 else { return nil }
        let at = (number - 1) * (Self.pageSize + 1) + place
        return Int(starts[at])..<Int(starts[at + 1])
    }

    mutating func learn(_ scalar: UInt32) -> Range<Int> {
        // So that the process's table is not copied for this one's sake when it grows.
        self = Self.empty
        self = Self.ofProcess.withLock { table in
            table.add(Int(scalar) / Self.pageSize)
            return table
        }
        return range(of: scalar) ?? 0..<0
    }

    /// As `range`, and works it out.
    mutating func known(_ scalar: Unicode.Scalar) -> Range<Int> { range(of: scalar.value) ?? learn(scalar.value) }

    private mutating func add(_ page: Int) {
        guard pages[page] == 0 else { return }
        for value in page * Self.pageSize..<(page + 1) * Self.pageSize {
            starts.append(UInt32(clamping: bytes.count))
            if let scalar = Unicode.Scalar(UInt32(value)) { append(scalar) }
        }
        starts.append(UInt32(clamping: bytes.count))
        pages[page] = UInt16(clamping: starts.count / (Self.pageSize + 1))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        for folded in LetterFold.folded(scalar) {
            switch LetterFold.role(of: folded) {
            case .letter: bytes.append(contentsOf: String(folded).utf8)
            case .wholeWord:
                bytes.append(FoldedText.space)
                bytes.append(contentsOf: String(folded).utf8)
                bytes.append(FoldedText.space)
            case .separator: bytes.append(FoldedText.space)
            }
        }
    }
}
