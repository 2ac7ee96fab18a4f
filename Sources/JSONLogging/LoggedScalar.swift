import WireFormats

/// A metadata value that is no string. Numbers and truth values keep their JSON type, so that `jq 'select(.status >= 500)'` compares
/// numbers; everything else is written as its text.
struct LoggedScalar: JSONWritable {
    let value: any CustomStringConvertible & Sendable

    func write(to writer: inout JSONWriter) {
        switch value {
        case let number as any BinaryInteger:
            guard let whole = Int64(exactly: number) else { return value.description.write(to: &writer) }
            whole.write(to: &writer)
        case let number as any BinaryFloatingPoint: Double(number).write(to: &writer)
        case let truth as Bool: truth.write(to: &writer)
        default: value.description.write(to: &writer)
        }
    }
}
