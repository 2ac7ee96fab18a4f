import HTTPTypes
import NIOCore
import Testing

@testable import HTTPListener

@Suite("Client addresses") struct AddressTests {
    @Test("only trusted proxies may name the client, and IPv6 counts by /64 (F6)")
    func clientAddresses() throws {
        let proxies = try #require(TrustedProxies(["127.0.0.1", "10.0.0.0/8", "fd00::/8"]))
        func client(_ peer: String, _ forwarded: String?) throws -> [UInt8] {
            var headers = HTTPFields()
            if let forwarded { headers[try #require(HTTPField.Name("X-Forwarded-For"))] = forwarded }
            return proxies.client(peer: try SocketAddress(ipAddress: peer, port: 1), headers: headers).prefix
        }

        #expect(try client("203.0.113.9", "1.2.3.4") == [203, 0, 113, 9])
        #expect(try client("127.0.0.1", nil) == [127, 0, 0, 1])
        #expect(try client("127.0.0.1", "1.2.3.4") == [1, 2, 3, 4])
        #expect(try client("127.0.0.1", "6.6.6.6, 1.2.3.4, 10.1.1.1") == [1, 2, 3, 4])
        #expect(try client("127.0.0.1", "6.6.6.6, junk") == [127, 0, 0, 1])
        #expect(try client("::ffff:127.0.0.1", "1.2.3.4") == [1, 2, 3, 4])
        #expect(try client("127.0.0.1", "2001:db8:1:2:3:4:5:6") == [0x20, 0x01, 0x0D, 0xB8, 0, 1, 0, 2])
        #expect(try client("fd12::1", "2001:db8::1") == [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0])
        #expect(TrustedProxies(["10.0.0.0/33"]) == nil)
        #expect(TrustedProxies(["host"]) == nil)
    }

    @Test("the site of an IPv6 client is its /48; other addresses have none (F6)")
    func sites() {
        func site(_ text: String) -> [UInt8]? { ClientAddress(IPAddress(text)).site }

        #expect(site("2001:db8:1:2:3:4:5:6") == [0x20, 0x01, 0x0D, 0xB8, 0, 1])
        #expect(site("2001:db8:1:ffff::1") == [0x20, 0x01, 0x0D, 0xB8, 0, 1])
        #expect(site("203.0.113.9") == nil && site("::ffff:203.0.113.9") == nil)
        #expect(ClientAddress(nil).site == nil)
    }

    @Test(
        "what is no whole address is refused, whatever other readers make of it",
        arguments: [
            "", "1.2.3", "127.1", "2130706433", "0x7f.1", "0x7f.0.0.1", "0177.0.0.1", "1.2.3.256", "01.2.3.4", "1.2.3.00", "+1.2.3.4",
            "1.2.3.", "1..2.3", "1.2.3.4.5", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\0", "1.2.3.4:80", "１.2.3.4", ":", ":::", "1::2::3", "12345::",
            "::00001", "g::", "::+1", "::0x1", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:", ":1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8::", "1::2:3:4:5:6:7:8",
            "[::1]", "::1]", "::1\0", "::1.2.3", "::01.2.3.4", "::0x7f.1", "1.2.3.4::", "::1.2.3.4:5", "host", "localhost",
        ])
    func refused(text: String) {
        #expect(IPAddress(text) == nil)
        #expect(TrustedProxies([text]) == nil)
    }

    @Test(
        "an address is read in each form of RFC 4291; IPv4 mapped into IPv6 is IPv4",
        arguments: [
            ("0.0.0.0", [0, 0, 0, 0]), ("255.255.255.255", [255, 255, 255, 255]), ("::ffff:1.2.3.4", [1, 2, 3, 4]),
            ("::FFFF:102:304", [1, 2, 3, 4]), ("::", [UInt8](repeating: 0, count: 16)),
            ("2001:DB8::1", [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]),
            ("1:2:3:4:5:6:7::", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 0]),
            ("::1.2.3.4", [UInt8](repeating: 0, count: 12) + [1, 2, 3, 4]),
        ] as [(String, [UInt8])])
    func read(text: String, bytes: [UInt8]) throws {
        #expect(IPAddress(text)?.bytes == bytes)
        #expect(IPAddress(try SocketAddress(ipAddress: text, port: 80))?.bytes == bytes)
    }

    @Test("the zone of an IPv6 address is dropped; an IPv4 address has none")
    func zones() {
        #expect(IPAddress("fe80::1%eth0") == IPAddress("fe80::1"))
        #expect(IPAddress("fe80::1%no-such-interface") == IPAddress("fe80::1"))
        #expect(IPAddress("fe80::1%") == IPAddress("fe80::1"))
        #expect(IPAddress("::ffff:1.2.3.4%eth0") == IPAddress("1.2.3.4"))
        for text in ["1.2.3.4%eth0", "1.2.3.4%:", "1%:", "%", "%::1"] { #expect(IPAddress(text) == nil, "\(text)") }
    }

    @Test("a block holds the addresses whose first bits are its own, and of its own family alone")
    func blocks() throws {
        func isInside(_ address: String, _ network: String, _ bits: Int) throws -> Bool {
            try #require(IPAddress(address)).isInside(try #require(IPAddress(network)), bits: bits)
        }

        #expect(try isInside("10.1.2.3", "10.0.0.0", 8))
        #expect(try !isInside("11.1.2.3", "10.0.0.0", 8))
        #expect(try isInside("192.0.2.191", "192.0.2.128", 26))
        #expect(try !isInside("192.0.2.192", "192.0.2.128", 26))
        #expect(try isInside("1.2.3.4", "0.0.0.0", 0))
        #expect(try !isInside("::1", "0.0.0.0", 0))
        #expect(try isInside("::ffff:10.1.2.3", "10.0.0.0", 8))
        #expect(try isInside("fd12:3456::1", "fd00::", 8))
        #expect(try !isInside("fe80::1", "fd00::", 8))
    }

    @Test("a block's prefix is a plain number that fits its family")
    func prefixes() {
        for text in [
            "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/33", "10.0.0.0/8/8", "10.0.0.0/x", "fd00::/129", "/8",
            "::ffff:10.0.0.0/104",
        ] {
            #expect(TrustedProxies([text]) == nil, "\(text)")
        }
        #expect(TrustedProxies(["10.0.0.0/0", "fd00::/128", "::1", "unix"]) != nil)
    }
}
