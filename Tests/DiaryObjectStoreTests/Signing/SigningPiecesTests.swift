import DiaryCrypto
import Foundation
import S3Client
import Testing

@testable import DiaryObjectStore

@Suite("Links, dates, addresses")
struct SigningPiecesTests {
    let signer = LinkSigner(key: SecretBytes([UInt8](repeating: 7, count: 32)))
    let now = Date(timeIntervalSince1970: 1_750_000_000)

    @Test("a link's signature holds for its own purpose, fields and end only")
    func links() {
        let fields = ["t", "u", "e"]
        let end = now.addingTimeInterval(60)
        let signature = signer.sign(purpose: "audio", fields: fields, expiresAt: end.addingTimeInterval(0.9))
        func isValid(_ signature: String, purpose: String = "audio", fields: [String] = ["t", "u", "e"], expiresAt: Date? = nil) -> Bool {
            signer.isValid(signature, purpose: purpose, fields: fields, expiresAt: expiresAt ?? end)
        }

        #expect(isValid(signature) && signature.utf8.count == 43)
        #expect(!isValid(signature, purpose: "export"))
        for fields in [["t", "u"], ["t", "ue"], ["tu", "e"], ["t", "u", "e", ""], ["t", "u", "E"], ["u", "t", "e"], []] {
            #expect(!isValid(signature, fields: fields))
        }
        for shift in [-1, 1, 86400, 1e300, -1e300, .infinity, .nan] {
            #expect(!isValid(signature, expiresAt: end.addingTimeInterval(shift)))
        }
        for forged in ["", "AAAA", signature + "A", String(signature.dropLast()), signature + "=", String(signature.reversed())] {
            #expect(!isValid(forged))
        }
        let other = LinkSigner(key: SecretBytes([UInt8](repeating: 8, count: 32)))
        #expect(!other.isValid(signature, purpose: "audio", fields: fields, expiresAt: end))
    }

    @Test("dates print and parse as SigV4 has them; extreme ones stay in range")
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
        for text in [
            "", "20150830T123600", "20150830t123600Z", "20150231T000000Z", "20151301T000000Z", "20150830T240000Z", "20150830T126000Z",
            "19691231T235959Z", "２0150830T123600Z",
        ] {
            #expect(AmzDate(text) == nil, "\(text)")
        }
    }

    @Test("public addresses keep what signs and refuse the rest")
    func addresses() {
        #expect(PublicURL("HTTPS://API.Example.com:443/")?.description == "https://api.example.com")
        #expect(PublicURL("http://127.0.0.1:8080")?.host == "127.0.0.1:8080")
        #expect(PublicURL("http://[::1]:8080/a/b//")?.prefix == "/a/b")
        for text in [
            "", "api.example.com", "ftp://a", "http://", "http:///a", "http://a b", "http://a@b", "http://a/../b", "http://a//b",
            "http://a/?q", "http://a/#f", "http://a/%41",
        ] {
            #expect(PublicURL(text) == nil, "\(text)")
        }
    }
}
