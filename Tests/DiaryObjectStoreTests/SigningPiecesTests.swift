import DiaryCrypto
import Foundation
import Testing

@testable import DiaryObjectStore

@Suite("Links, dates, addresses")
struct SigningPiecesTests {
    let signer = LinkSigner(key: SecretBytes([UInt8](repeating: 7, count: 32)))
    let now = Date(timeIntervalSince1970: 1_750_000_000)

    @Test("a link is good until its end, for its own purpose and fields only")
    func links() {
        let link = signer.sign(purpose: "audio", fields: ["t", "u", "e"], expiresAt: now.addingTimeInterval(60))
        func verdict(
            _ purpose: String = "audio", _ fields: [String] = ["t", "u", "e"], expires: String? = nil, signature: String? = nil, after: Double = 0
        ) -> LinkVerdict {
            signer.verify(
                purpose: purpose, fields: fields, expires: expires ?? String(link.expires), signature: signature ?? link.signature,
                at: now.addingTimeInterval(after))
        }

        #expect(verdict() == .valid)
        #expect(verdict(after: 59.9) == .valid)
        #expect(verdict(after: 60) == .expired)
        #expect(verdict("export") == .invalid)
        for fields in [["t", "u"], ["t", "ue"], ["tu", "e"], ["t", "u", "e", ""], ["t", "u", "E"], ["u", "t", "e"], []] {
            #expect(verdict("audio", fields) == .invalid)
        }
        for expires in ["", "0", "-1", "+1750000060", "01750000060", "1750000061", "9999999999999999", "1750000060 "] {
            #expect(verdict(expires: expires) == .invalid)
        }
        for signature in ["", "AAAA", link.signature + "A", String(link.signature.dropLast()), link.signature + "=", String(link.signature.reversed())] {
            #expect(verdict(signature: signature) == .invalid)
        }
        let other = LinkSigner(key: SecretBytes([UInt8](repeating: 8, count: 32)))
        #expect(other.verify(purpose: "audio", fields: ["t", "u", "e"], expires: String(link.expires), signature: link.signature, at: now) == .invalid)
        #expect(link.query == "expires=1750000060&signature=\(link.signature)")
    }

    @Test("dates print and parse as SigV4 has them; wild ones stay in range")
    func dates() {
        for seconds in [0, 951_782_399, 951_782_400, 951_868_800, 1_440_938_160, 4_107_542_400, 253_402_300_799] {
            let date = AmzDate(Date(timeIntervalSince1970: Double(seconds)))
            #expect(AmzDate(date.description)?.seconds == Int64(seconds))
        }
        #expect(AmzDate(Date(timeIntervalSince1970: 1_440_938_160)).description == "20150830T123600Z")
        #expect(AmzDate(Date(timeIntervalSince1970: 951_782_400)).day == "20000229")
        for wild in [Double.nan, .infinity, -.infinity, -1, 1e300] {
            #expect(AmzDate(AmzDate(Date(timeIntervalSince1970: wild)).description) != nil)
        }
        for text in ["", "20150830T123600", "20150830t123600Z", "20150231T000000Z", "20151301T000000Z", "20150830T240000Z", "20150830T126000Z", "19691231T235959Z", "２0150830T123600Z"] {
            #expect(AmzDate(text) == nil, "\(text)")
        }
    }

    @Test("public addresses keep what signs and refuse the rest")
    func addresses() {
        #expect(PublicURL("HTTPS://API.Example.com:443/")?.description == "https://api.example.com")
        #expect(PublicURL("http://127.0.0.1:8080")?.host == "127.0.0.1:8080")
        #expect(PublicURL("http://[::1]:8080/a/b//")?.prefix == "/a/b")
        for text in ["", "api.example.com", "ftp://a", "http://", "http:///a", "http://a b", "http://a@b", "http://a/../b", "http://a//b", "http://a/?q", "http://a/#f", "http://a/%41"] {
            #expect(PublicURL(text) == nil, "\(text)")
        }
    }

    @Test("base64 takes only what it prints")
    func base64() {
        for count in 0..<40 {
            let bytes = pattern(count)
            #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
        for text in ["A", "AA", "AA=", "AB==", "A===", "=AAA", "AA==\n", "-_==", "AAA=A"] { #expect(Base64.decode(text) == nil, "\(text)") }
    }
}
