import DiaryCrypto
import DiaryTesting
import Testing
import WireFormats

@testable import DiaryCore

@Suite("Known devices") struct KnownDevicesTests {
    private let key = SecretBytes([UInt8](repeating: 7, count: 32))
    private let address: [UInt8] = [1, 2, 3]
    private let clock = TestClock()
    private var devices: KnownDevices { KnownDevices(key: key, clock: clock.wall) }

    @Test("a token is 43 characters: 14 bytes, the day in two, and the keyed hash over both and the address")
    func form() throws {
        let token = devices.issue(for: address)
        let bytes = try #require(Base64URL.decode(token))

        #expect(token.utf8.count == 43 && bytes.count == 32)
        // 2026-07-04 is day 20,638.
        #expect(Array(bytes[14..<16]) == [80, 158])
        #expect(Array(bytes.suffix(16)) == Array(HMACSHA256.code(Array(bytes.prefix(16)) + address, key: key).prefix(16)))
        #expect(devices.id(token, for: address) == Array(bytes.prefix(14)))
    }

    @Test("it is valid for 180 days after its own and, because clocks differ, a day before; not longer")
    func life() {
        let token = devices.issue(for: address)
        let cases: [(days: Double, isGood: Bool)] = [
            (-2, false), (-1, true), (0, true), (1, true), (180, true), (181, false), (400, false),
        ]
        for (days, isGood) in cases {
            clock.pass(days * 86_400)
            #expect((devices.id(token, for: address) != nil) == isGood, "\(days) days later")
            clock.pass(-days * 86_400)
        }
    }

    @Test("with another address, another key, or any byte altered it is not valid")
    func forged() throws {
        let token = devices.issue(for: address)
        let bytes = try #require(Base64URL.decode(token))

        #expect(devices.id(token, for: [1, 2, 4]) == nil)
        #expect(KnownDevices(key: SecretBytes([UInt8](repeating: 8, count: 32)), clock: clock.wall).id(token, for: address) == nil)
        for place in bytes.indices {
            var altered = bytes
            altered[place] ^= 1
            #expect(devices.id(Base64URL.encode(altered), for: address) == nil, "byte \(place)")
        }
        for text in ["", "x", String(repeating: "A", count: 43), token + "A", String(token.dropLast())] {
            #expect(devices.id(text, for: address) == nil, "\(text)")
        }
    }
}
