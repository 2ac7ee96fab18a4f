import Foundation
import Testing
import WireFormats

@testable import S3Client

/// AWS's own signing test suite: every case, signed and verified, in header and query form.
@Suite("AWS SigV4 suite")
struct SigV4SuiteTests {
    static let all = SuiteCase.load()

    @Test("the suite is complete")
    func complete() {
        #expect(Self.all.count == 38)
    }

    @Test("D1: header signing equals the suite", arguments: all)
    func header(_ test: SuiteCase) throws {
        let signed = SigV4.authorized(
            test.request, by: test.credentials, date: test.date, region: "us-east-1", service: "service",
            addingPayloadHash: test.signsBody, normalizingPath: test.normalizes)

        let authorization = try #require(signed.headers.last)
        #expect(authorization.name == "Authorization")
        let presented = try #require(SigV4Presented(authorization: authorization.value, date: test.date.description))
        #expect(presented.signature == test.expected("header-signature.txt"))
        var unsigned = signed
        unsigned.headers.removeLast()
        let canonical = SigV4.canonicalRequest(unsigned, signedHeaders: presented.signedHeaders, normalizingPath: test.normalizes)
        #expect(canonical == test.expected("header-canonical-request.txt"))
        let string = SigV4.stringToSign(canonical, date: test.date, scope: presented.scope)
        #expect(string == test.expected("header-string-to-sign.txt"))
    }

    @Test("D1: query signing equals the suite", arguments: all)
    func query(_ test: SuiteCase) throws {
        let query = SigV4.presignedQuery(
            test.request, by: test.credentials, date: test.date, expires: 3600, region: "us-east-1", service: "service",
            normalizingPath: test.normalizes)

        let cut = try #require(query.firstRange(of: "&X-Amz-Signature="))
        #expect(query[cut.upperBound...] == test.expected("query-signature.txt"))
        var unsigned = test.request
        unsigned.query = String(query[..<cut.lowerBound])
        let canonical = SigV4.canonicalRequest(unsigned, signedHeaders: unsigned.headerNames, normalizingPath: test.normalizes)
        #expect(canonical == test.expected("query-canonical-request.txt"))
        let scope = SigV4Scope(day: "20150830", region: "us-east-1", service: "service")
        #expect(SigV4.stringToSign(canonical, date: test.date, scope: scope) == test.expected("query-string-to-sign.txt"))
    }

    @Test("D1: the suite's signed requests verify, and no other signature does", arguments: all)
    func verify(_ test: SuiteCase) throws {
        let header = SuiteCase.parse(test.expected("header-signed-request.txt"))
        let authorization = try #require(header.headers.first { $0.name == "Authorization" })
        var query = SuiteCase.parse(test.expected("query-signed-request.txt"))
        let parameters = query.query.split(separator: "&").map { parameter in
            let sides = parameter.split(separator: "=", maxSplits: 1).map {
                String(decoding: PercentEncoding.decode($0) ?? [], as: UTF8.self)
            }
            return (name: sides.first ?? "", value: sides.count > 1 ? sides[1] : "")
        }
        query.query = query.query.split(separator: "&").filter {
            !$0.hasPrefix("X-Amz-Signature=") && !(test.omitsToken && $0.hasPrefix("X-Amz-Security-Token="))
        }.joined(separator: "&")
        var byHeader = try #require(SigV4Presented(authorization: authorization.value, date: test.date.description))
        var byQuery = try #require(SigV4Presented(parameters: parameters))

        #expect(byHeader.isValid(for: header, secret: test.credentials.secret, normalizingPath: test.normalizes))
        #expect(byQuery.isValid(for: query, secret: test.credentials.secret, normalizingPath: test.normalizes))
        byHeader.signature = flipped(byHeader.signature)
        byQuery.signature = flipped(byQuery.signature)
        #expect(!byHeader.isValid(for: header, secret: test.credentials.secret, normalizingPath: test.normalizes))
        #expect(!byQuery.isValid(for: query, secret: test.credentials.secret, normalizingPath: test.normalizes))
    }

    private func flipped(_ signature: String) -> String {
        (signature.hasPrefix("0") ? "1" : "0") + signature.dropFirst()
    }
}
