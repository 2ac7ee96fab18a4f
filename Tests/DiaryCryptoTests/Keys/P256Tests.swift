import Testing

@testable import DiaryCrypto

@Suite("P-256 keys")
struct P256Tests {
    /// RFC 6979 appendix A.2.5.
    private static let x = hex("60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
    private static let y = hex("7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
    private static let signature = hex(
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
    private static let order = hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")

    @Test("RFC 6979's signature is valid for its message alone")
    func knownSignature() throws {
        let key = try P256PublicKey(x: Self.x, y: Self.y)

        #expect(key.isValid(Self.signature, for: ascii("sample")))
        #expect(!key.isValid(Self.signature, for: ascii("test")))
        #expect(!key.isValid(Self.signature, for: []))
    }

    @Test("flipped, short, long, empty, zero and out-of-range signatures are not valid")
    func badSignatures() throws {
        let key = try P256PublicKey(x: Self.x, y: Self.y)
        let zero = [UInt8](repeating: 0, count: 32)
        let r = Array(Self.signature[..<32])
        let s = Array(Self.signature[32...])

        for index in Self.signature.indices { #expect(!key.isValid(flipped(Self.signature, at: index), for: ascii("sample"))) }
        for bad in [
            [], Array(Self.signature.dropLast()), Self.signature + [0], zero + zero, r + zero, zero + s, Self.order + Self.order,
            r + Self.order,
        ] {
            #expect(!key.isValid(bad, for: ascii("sample")))
        }
        let asDER = try #require(ECDSASignature.der(raw: Self.signature))
        #expect(!key.isValid(asDER, for: ascii("sample")))
    }

    @Test("a point off the curve, at infinity, out of the field or of another length is refused")
    func badPoints() {
        let zero = [UInt8](repeating: 0, count: 32)
        let field = hex("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")

        for (x, y) in [
            (Self.x, flipped(Self.y, at: 31)), (Self.y, Self.x), (zero, zero), (field, Self.y), (Self.x, field),
            (Array(Self.x.dropFirst()), Self.y), ([0] + Self.x, Self.y), (Self.x, []), ([], []),
        ] {
            #expect(throws: CryptoError.invalidKey) { try P256PublicKey(x: x, y: y) }
        }
    }

    @Test("own signatures are raw r || s of 64 bytes, valid, and made anew each time")
    func signing() throws {
        let key = try P256PrivateKey.generate()
        let messages = (0..<200).map { ascii("message \($0)") }

        for message in messages {
            let signature = try key.sign(message)
            #expect(signature.count == 64)
            #expect(key.publicKey.isValid(signature, for: message))
        }

        #expect(try key.publicKey.isValid(key.sign([]), for: []))
        #expect(try !P256PrivateKey.generate().publicKey.isValid(key.sign([1]), for: [1]))
    }

    @Test("PEM and coordinates give the same keys back")
    func roundTrips() throws {
        let key = try P256PrivateKey.generate()

        let again = try P256PrivateKey(pem: key.pem)
        let fromPEM = try P256PublicKey(pem: key.publicKey.pem)
        let fromPoint = try P256PublicKey(x: key.publicKey.x, y: key.publicKey.y)

        #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        #expect(key.publicKey.pem.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
        #expect(again.publicKey == key.publicKey)
        #expect(fromPEM == key.publicKey)
        #expect(fromPoint == key.publicKey)
        #expect(fromPoint.pem == key.publicKey.pem)
        #expect(try fromPoint.isValid(again.sign([7]), for: [7]))
    }

    @Test(
        "another curve, an RSA key, an encrypted key and noise are refused",
        arguments: [P256Fixtures.p384, RSAFixtures.pem, "", "noise", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"])
    func otherPublic(pem: String) {
        #expect(throws: CryptoError.invalidKey) { try P256PublicKey(pem: pem) }
        #expect(throws: CryptoError.invalidKey) { try P256PrivateKey(pem: pem) }
    }

    @Test("an encrypted private key is refused without asking for a password")
    func encrypted() {
        #expect(throws: CryptoError.invalidKey) { try P256PrivateKey(pem: P256Fixtures.encrypted) }
    }

    @Test("one key signs and verifies from many tasks at once")
    func concurrent() async throws {
        let key = try P256PrivateKey.generate()

        let valid = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let message = ascii("\(number)")
                    return try key.publicKey.isValid(key.sign(message), for: message)
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }

        #expect(valid == 64)
    }
}

enum P256Fixtures {
    static let p384 = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEgvA2cg7SUpT3eB52ZXJx4MKLoefL4xu5
        AwOh4TmqGULaUhHHVYdUjsZ61ih8URw7xcuuyX0A3zECdEm3GAsq7kboGYeZMwNK
        NevtNWqfH584EtQMJGbWMWKkDxoMXzki
        -----END PUBLIC KEY-----

        """

    /// A throwaway key, made for this test.
    static let encrypted = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIH0MF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBBIWvrMkxX9Gbl5nPMz
        fmtFAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQ1ZVvvnHYe0mIKUMT
        8Z9bsASBkGYpc1A1ZR/BvLCxfL3dH6VCueWrFDZpw96n1Hp/HCbV8xbyrE8kn4/8
        jaqCro5d4gw1eGP6t0aV0KuW08exACYCmRBPzCL9ieh0SDeCtr7unN/irP2fX5QA
        QQ3ASpusv1/sISu3yT2QdMeW8+FL2Pjj4uaI+hOABnYs9e4NAQpNTtI0u9Xf6z56
        LruLan2KoQ==
        -----END ENCRYPTED PRIVATE KEY-----

        """
}
