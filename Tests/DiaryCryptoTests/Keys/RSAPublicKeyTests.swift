import Testing

@testable import DiaryCrypto

@Suite("RSA public keys")
struct RSAPublicKeyTests {
    @Test("n and e give the key's SubjectPublicKeyInfo, with or without a leading zero")
    func known() throws {
        let key = try RSAPublicKey(n: RSAFixtures.n, e: [1, 0, 1])
        let padded = try RSAPublicKey(n: [0] + RSAFixtures.n, e: [0, 1, 0, 1])

        #expect(key.bits == 2048)
        #expect(key.pem == RSAFixtures.pem)
        #expect(padded.pem == RSAFixtures.pem)
    }

    @Test("a modulus that is short, huge, even or empty is refused; 2,048 and 8,192 bits are the ends")
    func modulus() throws {
        let short: [UInt8] = [0x7f] + RSAFixtures.n.dropFirst()
        let largest = [UInt8](repeating: 0xff, count: 1024)

        let even = RSAFixtures.n.dropLast() + [0x4e]
        let huge = [UInt8](repeating: 0xff, count: 100_000)

        let moduli: [[UInt8]] = [[], [1], Array(short), Array(even), [1] + largest, huge]
        for n in moduli {
            #expect(throws: CryptoError.invalidKey) { try RSAPublicKey(n: n, e: [1, 0, 1]) }
        }
        #expect(try RSAPublicKey(n: largest, e: [1, 0, 1]).bits == 8192)
    }

    @Test(
        "an exponent that is tiny, even, huge or empty is refused",
        arguments: [
            [], [0], [1], [3], [17], [0xff, 0xff], [1, 0, 0], [1, 0, 2], [1, 0, 0, 0, 0, 0, 0, 0, 1], [UInt8](repeating: 0xff, count: 256),
        ] as [[UInt8]])
    func exponent(e: [UInt8]) {
        #expect(throws: CryptoError.invalidKey) { try RSAPublicKey(n: RSAFixtures.n, e: e) }
    }
}

enum RSAFixtures {
    static let n = hex(
        "b1d9e2e7d606b0b85aeb81aa9e48ef6389ab8c6aa70b2add0c209caed8aba9a69609353939e64bff0e7e897cad26302dfc44658d8c81d9fe1cb13ed2a4e86f61"
            + "51ad0d48909f359ef4f22c3d7b31a16f0d45973cbced5ee0e2752359c6ce84344c5b39d9f3a16752ed99f395605cfeecaaeebe408507d4074fc3759af0a4c302"
            + "a88da72b08a68e549c3ca674e1ee9e99948a38549f54462d73dd45c08d28b70583bd1e5ff54c707d5eb2d8748e161b96b18dfca0f69aa85bda88c929f1ec982e"
            + "c2f3c97d4f0b8f5515603d1676569e2a6e539cdc7abab21d77c2e4760914b21f24e48e110c998d14b8bb43d0d97aed4469481ce0dc415ef1faeedc7440a71e4f"
    )

    static let pem = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAsdni59YGsLha64Gqnkjv
        Y4mrjGqnCyrdDCCcrtirqaaWCTU5OeZL/w5+iXytJjAt/ERljYyB2f4csT7SpOhv
        YVGtDUiQnzWe9PIsPXsxoW8NRZc8vO1e4OJ1I1nGzoQ0TFs52fOhZ1LtmfOVYFz+
        7KruvkCFB9QHT8N1mvCkwwKojacrCKaOVJw8pnTh7p6ZlIo4VJ9URi1z3UXAjSi3
        BYO9Hl/1THB9XrLYdI4WG5axjfyg9pqoW9qIySnx7JguwvPJfU8Lj1UVYD0Wdlae
        Km5TnNx6urIdd8LkdgkUsh8k5I4RDJmNFLi7Q9DZeu1EaUgc4NxBXvH67tx0QKce
        TwIDAQAB
        -----END PUBLIC KEY-----

        """
}
