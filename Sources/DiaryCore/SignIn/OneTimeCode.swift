import DiaryCrypto

/// The digits of a mailed code: eight, because codes can be requested repeatedly. 60 codes an hour of one purpose with five tries each are
/// 300 tries, a chance of one in 330,000.
enum OneTimeCode {
    static let count = 8

    /// Uniform over all texts of so many digits: a word above the largest multiple of their number is drawn again.
    /// - Parameter count: 1 … 9.
    static func make(_ count: Int = Self.count) -> String {
        let numbers = (0..<count).reduce(UInt32(1)) { product, _ in product * 10 }
        let bound = UInt32.max - UInt32.max % numbers
        while true {
            let word = SecureRandom.bytes(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            guard word < bound else { continue }
            let digits = String(word % numbers)
            return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
        }
    }
}
