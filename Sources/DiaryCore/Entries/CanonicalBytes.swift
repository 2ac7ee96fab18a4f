/// Length-prefixed fields: different lists always have different bytes.
struct CanonicalBytes {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ text: String?) {
        guard let text else {
            bytes.append(0)
            return
        }
        bytes.append(1)
        let count = UInt64(text.utf8.count)
        for shift in stride(from: UInt64(56), through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
        bytes.append(contentsOf: text.utf8)
    }
}
