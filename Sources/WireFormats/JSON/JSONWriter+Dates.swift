package import FoundationEssentials

/// Not by `JSONWritable`: an inlinable conformance of Foundation's type would need a public import.
extension JSONWriter {
    /// RFC 3339 in UTC with milliseconds.
    package mutating func member(_ name: JSONName, _ date: Date) {
        let (first, second, third) = RFC3339.characters(date)
        key(name)
        quoted { bytes in
            bytes.append(characters: first, 8)
            bytes.append(characters: second, 8)
            bytes.append(characters: third, 8)
        }
        separates = true
    }

    /// `null` for nil.
    package mutating func member(_ name: JSONName, _ date: Date?) {
        if let date { member(name, date) } else { null(name) }
    }
}
