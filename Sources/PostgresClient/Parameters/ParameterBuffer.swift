import FoundationEssentials
import WireFormats

/// The parameters of one pipeline in Postgres' binary format, one after the other in one reused buffer.
struct ParameterBuffer {
    private(set) var bytes: [UInt8] = []
    /// Where each value starts; nil is NULL.
    private(set) var offsets: [Int?] = []
    private(set) var lengths: [Int32] = []
    /// All binary.
    private(set) var formats: [Int32] = []
    /// Where each statement's parameters end in the arrays above.
    private var ends: [Int] = []

    /// Encodes everything before anything is sent. Throws `.encoding` when a value has no representation.
    mutating func fill(_ statements: [Statement]) throws(DatabaseError) {
        if bytes.capacity > 1 << 20 { bytes = [] }
        bytes.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        for (index, statement) in statements.enumerated() {
            for parameter in statement.parameters {
                guard append(parameter) else { throw DatabaseError(.encoding, statementIndex: index) }
            }
            ends.append(offsets.count)
        }
        // An empty value at the end needs an address too.
        bytes.append(0)
        while formats.count < offsets.count { formats.append(1) }
    }

    private mutating func append(_ parameter: Parameter) -> Bool {
        let start = bytes.count
        switch append(parameter.value) {
        case .null:
            offsets.append(nil)
            lengths.append(0)
        case .value:
            guard let length = Int32(exactly: bytes.count - start) else { return false }
            offsets.append(start)
            lengths.append(length)
        case .impossible:
            return false
        }
        return true
    }

    private enum Encoded {
        case null
        case value
        case impossible
    }

    private mutating func append(_ value: Parameter.Value) -> Encoded {
        switch value {
        case .null: return .null
        case .impossible: return .impossible
        case .bool(let flag): bytes.append(flag ? 1 : 0)
        case .bytes(let content): bytes.append(contentsOf: content)
        case .int(let number): append(number)
        case .int4(let number): append(number)
        case .text(let text): bytes.append(contentsOf: text.utf8)
        case .double(let number): append(number.bitPattern)
        case .date(let text):
            guard let days = GregorianDay(text)?.postgresDays else { return .impossible }
            append(Int32(truncatingIfNeeded: days))
        case .timestamp(let date):
            guard let count = PostgresTime.microseconds(of: date) else { return .impossible }
            append(count)
        case .uuid(let id): append(id)
        case .json(let text):
            // jsonb's binary format: version 1, then the text.
            bytes.append(1)
            bytes.append(contentsOf: text.utf8)
        case .uuids(let ids):
            append(arrayOf: .uuid, count: ids.count)
            for id in ids {
                append(Int32(16))
                append(id)
            }
        case .texts(let texts):
            append(arrayOf: .text, count: texts.count)
            for text in texts {
                append(Int32(truncatingIfNeeded: text.utf8.count))
                bytes.append(contentsOf: text.utf8)
            }
        case .ints(let numbers):
            append(arrayOf: .int, count: numbers.count)
            for number in numbers {
                append(Int32(8))
                append(number)
            }
        case .byteArrays(let values):
            append(arrayOf: .bytes, count: values.count)
            for value in values {
                append(Int32(truncatingIfNeeded: value.count))
                bytes.append(contentsOf: value)
            }
        }
        return .value
    }

    /// Header of an array: dimensions, has-NULLs, element type, then length and lower bound of the one dimension.
    private mutating func append(arrayOf element: ParameterType, count: Int) {
        append(Int32(count == 0 ? 0 : 1))
        append(Int32(0))
        append(element.rawValue)
        guard count > 0 else { return }
        append(Int32(truncatingIfNeeded: count))
        append(Int32(1))
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ id: UUID) {
        withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
    }

    /// The three arrays that `PQsendQueryPrepared` takes for one statement, valid during `body`.
    func withPointers<Result>(
        of statement: Int,
        _ body: (
            _ count: Int32, _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        let range = (statement > 0 ? ends[statement - 1] : 0)..<ends[statement]
        return bytes.withUnsafeBytes { buffer in
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            return withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: max(1, range.count)) { values in
                for index in range {
                    values.initializeElement(at: index - range.lowerBound, to: offsets[index].flatMap { base?.advanced(by: $0) })
                }
                return lengths[range].withUnsafeBufferPointer { lengths in
                    formats[range].withUnsafeBufferPointer { formats in
                        body(Int32(clamping: range.count), UnsafePointer(values.baseAddress), lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
