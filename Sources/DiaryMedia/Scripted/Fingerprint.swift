#if DIARY_FAILPOINTS
    import FoundationEssentials

    /// FNV-1a, 64 bits: distinguishes recordings in tests. Not for security.
    enum Fingerprint {
        static func of(_ bytes: some Sequence<UInt8>) -> String {
            let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }

        static func ofFile(_ path: String) -> String? {
            FileManager.default.contents(atPath: path).map { of($0) }
        }
    }
#endif
