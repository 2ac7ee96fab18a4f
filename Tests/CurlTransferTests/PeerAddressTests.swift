import Testing

@testable import CurlTransfer

@Suite("F9: public and other addresses")
struct PeerAddressTests {
    private func v4(_ text: String) -> UInt32 { text.split(separator: ".").reduce(0) { $0 << 8 | (UInt32($1) ?? 0) } }

    private func v6(_ groups: [UInt16]) -> [UInt8] { groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }

    @Test(
        "F9: is not public",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
        ])
    func notPublic(text: String) {
        let address = v4(text)
        let low = [UInt16(address >> 16), UInt16(address & 0xFFFF)]

        #expect(!PeerAddress.isPublic(v4: address))
        #expect(!PeerAddress.isPublic(v6: v6([0, 0, 0, 0, 0, 0xFFFF] + low)), "mapped")
        #expect(!PeerAddress.isPublic(v6: v6([0x64, 0xFF9B, 0, 0, 0, 0] + low)), "NAT64")
    }

    @Test(
        "is public",
        arguments: [
            "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1", "169.253.0.1",
            "172.15.0.1",
            "172.32.0.1", "192.0.1.1", "192.167.0.1", "192.169.0.1", "198.17.0.1", "198.20.0.1", "223.255.255.255",
        ])
    func isPublic(text: String) { #expect(PeerAddress.isPublic(v4: v4(text))) }

    @Test("F9: IPv6 is public only where the Internet is")
    func six() {
        let notPublic: [[UInt16]] = [
            [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1], [0xFE80, 0, 0, 0, 0, 0, 0, 1], [0xFC00, 0, 0, 0, 0, 0, 0, 1],
            [0xFD12, 0, 0, 0, 0, 0, 0, 1],
            [0xFEC0, 0, 0, 0, 0, 0, 0, 1], [0xFF02, 0, 0, 0, 0, 0, 0, 1], [0x2001, 0, 0, 0, 0, 0, 0, 1],
            [0x2001, 0x0DB8, 0, 0, 0, 0, 0, 1],
            [0x2001, 0x10, 0, 0, 0, 0, 0, 1], [0x2002, 0x7F00, 1, 0, 0, 0, 0, 1], [0x3FFF, 0x0001, 0, 0, 0, 0, 0, 1],
            [0x0100, 0, 0, 0, 0, 0, 0, 1],
            [0x64, 0xFF9B, 1, 0, 0, 0, 0x0808, 0x0808], [0, 0, 0, 0, 0, 0, 0x0808, 0x0808],
        ]

        for groups in notPublic { #expect(!PeerAddress.isPublic(v6: v6(groups)), "\(groups)") }
        #expect(PeerAddress.isPublic(v6: v6([0x2606, 0x4700, 0, 0, 0, 0, 0, 0x1111])))
        #expect(PeerAddress.isPublic(v6: v6([0x2001, 0x4860, 0, 0, 0, 0, 0, 0x8888])))
        #expect(PeerAddress.isPublic(v6: v6([0, 0, 0, 0, 0, 0xFFFF, 0x0808, 0x0808])))
        #expect(!PeerAddress.isPublic(v6: [1, 2, 3]))
    }
}
