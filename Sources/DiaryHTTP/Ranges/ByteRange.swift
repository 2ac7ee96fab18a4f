import HTTPTypes

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
