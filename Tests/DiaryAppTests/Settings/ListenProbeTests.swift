import Glibc
import HTTPListener
import Testing

@testable import DiaryApp

@Suite("Where the service cannot listen")
struct ListenProbeTests {
    private static func reason(_ host: String, _ port: Int) -> String? {
        do throws(CannotListen) {
            try ListenAddress.tcp(host: host, port: port).probe(names: .options)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(
        "an address that is none, or not of this machine, is named with the option that chooses the host",
        arguments: [
            (
                "300.1.1.1",
                "cannot listen on 300.1.1.1:8080: 300.1.1.1 is no IPv4 address, which has four numbers from 0 to 255; give another with --host"
            ),
            ("fe80::xyz", "cannot listen on [fe80::xyz]:8080: fe80::xyz is no IPv6 address; give another with --host"),
            ("192.0.2.1", "cannot listen on 192.0.2.1:8080: this machine does not have that address; give another with --host"),
        ])
    func hosts(_ host: String, _ text: String) {
        #expect(Self.reason(host, 8080) == text)
    }

    @Test("a taken port is named with the option that chooses the port")
    func port() throws {
        let taken = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(taken) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try #require(bind(taken, pointer, size) == 0 && listen(taken, 1) == 0)
                try #require(getsockname(taken, pointer, &size) == 0)
            }
        }
        let port = Int(UInt16(bigEndian: address.sin_port))

        #expect(Self.reason("127.0.0.1", port) == "cannot listen on 127.0.0.1:\(port): port \(port) is taken; give another with --port")
    }
}
