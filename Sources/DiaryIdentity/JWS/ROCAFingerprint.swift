/// CVE-2017-15361: moduli of a broken generator are powers of 65537 modulo every small prime.
///
/// Source: Nemec et al., "The Return of Coppersmith's Attack", CCS 2017, section 3.3.
enum ROCAFingerprint {
    private static let primes: [Int] = [
        11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157,
    ]

    /// - Parameter modulus: big-endian. A sound key has this mark with a probability of about 2⁻²⁷.
    static func marks(_ modulus: [UInt8]) -> Bool {
        primes.allSatisfy { prime in
            let residue = modulus.reduce(0) { ($0 * 256 + Int($1)) % prime }
            var power = 1
            repeat {
                if power == residue { return true }
                power = power * 65537 % prime
            } while power != 1
            return false
        }
    }
}
