import DiaryCrypto
import FoundationEssentials
import Testing
import WireFormats

@testable import DiaryCore

@Suite("API tokens") struct APITokenTests {
    private static let key = SecretBytes([UInt8](repeating: 5, count: 32))
    private static let owner = Owner(tenant: TenantID(UUID()), user: UserID(UUID()))

    private static func token(_ scopes: Set<APITokenScope> = [.entriesWrite]) -> APIToken {
        APIToken(APITokenID(UUID()), scopes, of: owner, key: key)
    }

    @Test("a token is read as it was made, with every set of scopes; two of them differ")
    func round() throws {
        for bits in UInt8(1)..<16 {
            let scopes = try #require(APITokenScope.scopes(bits: bits))
            let token = Self.token(scopes)

            #expect(token.text.hasPrefix("diary_token_") && token.text.utf8.count == 136)
            #expect(APIToken(parsing: token.text, key: Self.key) == token)
        }
        let (one, other) = (Self.token(), Self.token())
        #expect(one.hash.count == 32 && one.hash != other.hash)
    }

    @Test("a token with any byte changed, of another key, length or prefix, is none")
    func forged() throws {
        let token = Self.token()
        let bytes = try #require(Base64URL.decode(String(token.text.dropFirst(APIToken.prefix.count))))
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            // A scanner can mend the checksum, but nothing else.
            let mended = Array(changed.dropLast(4)) + SHA256.digest(Array(changed.dropLast(4))).prefix(4)

            #expect(APIToken(parsing: APIToken.prefix + Base64URL.encode(changed), key: Self.key) == nil)
            if index < 89 { #expect(APIToken(parsing: APIToken.prefix + Base64URL.encode(mended), key: Self.key) == nil) }
        }
        #expect(APIToken(parsing: token.text, key: SecretBytes([UInt8](repeating: 6, count: 32))) == nil)
        for text in ["", APIToken.prefix, String(token.text.dropLast()), token.text + "A", String(token.text.dropFirst(6))] {
            #expect(APIToken(parsing: text, key: Self.key) == nil, "\(text)")
        }
    }

    @Test("no scope, and a bit that stands for none, are no scopes")
    func scopes() {
        #expect(APITokenScope.scopes(bits: 0) == nil)
        #expect(APITokenScope.scopes(bits: 16) == nil)
        #expect(APITokenScope.scopes(bits: 17) == nil)
    }
}
