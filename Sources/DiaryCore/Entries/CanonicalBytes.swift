/// Fields with length prefixes, so that different lists of fields always have different bytes. Input of request hashes.
///
/// The hash of a request is compared with that of its retry, which may reach a later version of the service, or an earlier one. So the
/// members of the first version stand in a fixed order, present or not, and every member that came later is added by its name and only when
/// the request has it: a request without it keeps its hash.
struct CanonicalBytes {
    private(set) var bytes: [UInt8] = []

    /// A member of the first version.
    mutating func add(_ text: String?) {
        guard let text else {
            bytes.append(0)
            return
        }
        bytes.append(1)
        append(text)
    }

    /// A member that came later; nothing for nil.
    mutating func add(_ name: String, _ text: String?) {
        guard let text else { return }
        bytes.append(2)
        append(name)
        append(text)
    }

    private mutating func append(_ text: String) {
        bytes += UInt64(text.utf8.count).bigEndianBytes
        bytes += text.utf8
    }
}

extension UInt64 {
    /// Eight bytes, the most significant first.
    var bigEndianBytes: [UInt8] {
        stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }

    init(bigEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
}
