import DiaryCore
import DiaryCrypto
import Foundation
import TestSupport
import Testing
import WireFormats

@testable import DiaryIdentity

@Suite("Apple: client secret and token endpoints")
struct AppleEndpointTests {
    private func client(_ key: P256PrivateKey) -> AppleClient {
        AppleClient(teamID: "DEF123GHIJ", clientID: "com.example.diary", keyID: "ABC123DEFG", key: key)
    }

    @Test("the client secret is a JWT as Apple describes it")
    func secret() throws {
        let key = try P256PrivateKey.generate()

        let parts = try client(key).secret(at: IDTokenForge.now).split(separator: ".").map(String.init)

        #expect(String(decoding: Base64URL.decode(parts[0]) ?? [], as: UTF8.self) == #"{"alg":"ES256","kid":"ABC123DEFG"}"#)
        #expect(
            String(decoding: Base64URL.decode(parts[1]) ?? [], as: UTF8.self)
                == #"{"iss":"DEF123GHIJ","iat":1800000000,"exp":1800000300,"aud":"https://appleid.apple.com","sub":"com.example.diary"}"#)
        #expect(key.publicKey.isValid(Base64URL.decode(parts[2]) ?? [], for: Array("\(parts[0]).\(parts[1])".utf8)))
    }

    @Test(
        "it lives six months at most",
        arguments: [(0, false), (-1, false), (1, true), (15_777_000, true), (15_777_001, false), (Int64.max, false)])
    func lifetime(seconds: Int64, isIssued: Bool) throws {
        let client = client(try P256PrivateKey.generate())

        #expect(((try? client.secret(at: IDTokenForge.now, lifetime: seconds)) != nil) == isIssued)
        #expect(throws: TokenNotIssued()) { try client.secret(at: Date(timeIntervalSince1970: -.infinity)) }
    }

    @Test("forms are encoded so that no value becomes another field")
    func forms() throws {
        let body = AppleEndpoints.exchange(
            code: "c&client_id=evil=é +%\r\n", clientID: "a", secret: "s.s-s_s", redirectURI: "https://x/y?z=1")
        let revocation = AppleEndpoints.revocation(ofRefreshToken: SecretBytes(Array("r&t".utf8)), clientID: "a", secret: "s")

        #expect(
            String(decoding: body, as: UTF8.self)
                == "client_id=a&client_secret=s.s-s_s&code=c%26client_id%3Devil%3D%C3%A9+%2B%25%0D%0A&grant_type=authorization_code"
                + "&redirect_uri=https%3A%2F%2Fx%2Fy%3Fz%3D1")
        #expect(String(decoding: revocation, as: UTF8.self) == "client_id=a&client_secret=s&token=r%26t&token_type_hint=refresh_token")
    }

    @Test("a good answer holds the refresh token")
    func tokens() throws {
        let body = #"{"access_token":"a1","token_type":"Bearer","expires_in":3600,"refresh_token":"rca7","id_token":"e.y.J"}"#

        let tokens = try AppleEndpoints.tokens(status: 200, body: Array(body.utf8))

        #expect(tokens.refreshToken.bytes() == Array("rca7".utf8) && tokens.idToken == "e.y.J")
        #expect(!"\(tokens)".contains("rca7"))
    }

    @Test(
        "other answers say whose fault it is",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#, .grantRefused), (400, #"{"error":"invalid_client"}"#, .clientRefused),
            (401, #"{"error":"unauthorized_client"}"#, .clientRefused), (401, "", .clientRefused),
            (400, #"{"error":"invalid_request"}"#, .requestRefused),
            (400, "<html>", .requestRefused), (429, "", .unavailable), (408, "", .unavailable),
            (500, #"{"error":"invalid_grant"}"#, .unavailable),
            (503, "", .unavailable), (302, "", .unavailable), (0, "", .unavailable), (200, "", .unavailable), (200, "{}", .unavailable),
            (200, #"{"refresh_token":""}"#, .unavailable), (200, #"{"refresh_token":7}"#, .unavailable),
            (200, #"{"refresh_token":"a","refresh_token":"b"}"#, .unavailable),
        ] as [(Int, String, AppleFailure)])
    func failures(status: Int, body: String, failure: AppleFailure) {
        #expect(throws: failure) { try AppleEndpoints.tokens(status: status, body: Array(body.utf8)) }
        guard status != 200 else { return }
        #expect(throws: failure) { try AppleEndpoints.revoked(status: status, body: Array(body.utf8)) }
    }

    @Test("an empty 200 means revoked")
    func revoked() throws { try AppleEndpoints.revoked(status: 200, body: []) }
}

@Suite("B14: Apple's notifications")
struct AppleNotificationTests {
    private static let event =
        #"{\"type\":\"email-disabled\",\"sub\":\"001234.abc.0456\",\"event_time\":1799999990100,\"email\":\"x7k2p9@privaterelay.appleid.com\",\"is_private_email\":\"true\"}"#

    private static let members: [(String, String)] = [
        ("iss", #""https://appleid.apple.com""#), ("aud", #""com.example.diary""#), ("exp", "1800086390"), ("iat", "1799999990"),
        ("jti", #""abede0-67890""#), ("events", "\"\(event)\""),
    ]

    private func payload(_ name: String = "", _ value: String? = "") -> String {
        let members = Self.members.filter { $0.0 != name || value != nil }.map { ($0.0, $0.0 == name ? value ?? "" : $0.1) }
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    private func read(_ token: String, _ forge: IDTokenForge) async throws -> AppleNotification {
        try await AppleNotificationVerifier(issuer: .apple, keys: forge.cache).read(
            token, audiences: IDTokenForge.audiences, at: IDTokenForge.now)
    }

    @Test(
        "B14: every kind is read, both spellings of the deleted account, and kinds to come",
        arguments: [
            ("email-disabled", .emailDisabled), ("email-enabled", .emailEnabled), ("consent-revoked", .consentRevoked),
            ("account-deleted", .accountDeleted),
            ("account-delete", .accountDeleted), ("account-paused", .other), ("Email-Disabled", .other),
        ] as [(String, AppleNotification.Kind)])
    func kinds(type: String, kind: AppleNotification.Kind) async throws {
        let forge = try IDTokenForge(.apple)

        let notification = try await read(forge.signed(IDTokenForge.header, payload().replacing("email-disabled", with: type)), forge)

        #expect(notification.kind == kind && notification.id == "abede0-67890" && notification.audience == "com.example.diary")
        #expect(notification.subject == "001234.abc.0456" && notification.address?.text == "x7k2p9@privaterelay.appleid.com")
        #expect(notification.happenedAt.timeIntervalSince1970 == 1_799_999_990.1)
        #expect("\(notification)" == "<Apple notification>")
    }

    @Test("B14: the form of the documentation is read as well: an object, seconds, no exp")
    func documented() async throws {
        let forge = try IDTokenForge(.apple)
        let event = #"{"type":"consent-revoked","sub":"001234.abc.0456","event_time":1799999990}"#
        let text = payload("exp", nil).replacing("\"\(Self.event)\"", with: event)

        let notification = try await read(forge.signed(IDTokenForge.header, text), forge)

        #expect(notification.kind == .consentRevoked && notification.address == nil)
        #expect(notification.happenedAt.timeIntervalSince1970 == 1_799_999_990)
        #expect(notification.expiresAt.timeIntervalSince1970 == 1_800_086_450)
    }

    @Test("B14: forged and expired ones, and those for others, are refused")
    func refused() async throws {
        let forge = try IDTokenForge(.apple)
        let wrong: [(String, String?)] = [
            ("iss", nil), ("iss", #""https://accounts.google.com""#), ("iss", #""https://evil.example""#), ("aud", nil),
            ("aud", #""com.example.other""#),
            ("aud", #"["com.example.diary"]"#), ("exp", "1799999940"), ("exp", #""1800086390""#), ("exp", "null"), ("iat", nil),
            ("iat", "1800000061"),
            ("iat", #""0""#), ("jti", nil), ("jti", #""""#), ("jti", "1"), ("jti", "\"" + String(repeating: "a", count: 300) + "\""),
            ("events", nil), ("events", #""""#), ("events", #""[]""#), ("events", "[]"), ("events", #""{\"type\":\"email-disabled\"}""#),
            ("events", #""{\"sub\":\"1\"}""#), ("events", #""{\"type\":\"a\",\"type\":\"b\",\"sub\":\"1\"}""#),
            ("events", #"{"type":1,"sub":"1"}"#),
            ("events", #"{"type":"email-disabled","sub":""}"#),
        ]
        var tokens = try wrong.map { try forge.signed(IDTokenForge.header, payload($0.0, $0.1)) }
        tokens += [
            try forge.signed(IDTokenForge.header, payload(), by: forge.otherKey),
            try forge.signed(#"{"alg":"none","kid":"2026-11-a"}"#, payload()),
            try forge.signed(IDTokenForge.header, payload(), digest: .sha1),
            try forge.good, "", "x",
            // Without exp its lifetime is a day.
            try forge.signed(IDTokenForge.header, payload("exp", nil).replacing("1799999990,", with: "1799900000,")),
        ]

        for token in tokens { await #expect(throws: IDTokenFailure.refused) { try await read(token, forge) } }
        print("B14: \(tokens.count) forged notifications refused")
    }

    @Test("B14: one of an unknown key is to come again, and is refused after the next fetch; one for others is refused at once")
    func unknownKey() async throws {
        let forge = try IDTokenForge(.apple)
        let header = #"{"alg":"RS256","kid":"unknown"}"#
        let unknown = try forge.signed(header, payload())
        _ = try await read(forge.signed(IDTokenForge.header, payload()), forge)
        forge.clock.advance(.milliseconds(30_500))

        for (name, value) in [("iss", #""https://accounts.google.com""#), ("aud", #""com.example.other""#), ("aud", nil)] {
            let foreign = try forge.signed(header, payload(name, value))
            await #expect(throws: IDTokenFailure.refused) { try await read(foreign, forge) }
        }
        await #expect(throws: IDTokenFailure.keyNotFetched(seconds: 30)) { try await read(unknown, forge) }
        #expect(forge.source.fetches == 1)

        forge.clock.advance(.milliseconds(29_500))
        await #expect(throws: IDTokenFailure.refused) { try await read(unknown, forge) }
        #expect(forge.source.fetches == 2)
    }

    @Test("a notification is no ID token")
    func noIDToken() async throws {
        let forge = try IDTokenForge(.apple)
        let token = try forge.signed(IDTokenForge.header, payload())

        await #expect(throws: IDTokenFailure.refused) { try await forge.verify(token) }
    }
}
