import CurlTransfer
import Foundation
import TestPeers
import Testing

@Suite("TLS is always verified")
struct TLSTests {
    private func get(_ certificate: (certificate: String, key: String), port name: String = "https", trust: String?) async throws -> Int {
        let server = try await PythonPeer("http_fake.py", [certificate.certificate, certificate.key])
        let port = server.port(name)
        let transfers = try CurlTransfers(
            TransferConfiguration(
                hosts: [AllowedHost(.https, "127.0.0.1", port: port, mayBePrivate: true)], certificateFile: trust), name: "curl-tls")
        let response = try await transfers.collect(TransferRequest(.get, "https://127.0.0.1:\(port)/bytes?1"), maximumBytes: 10)
        return response.status
    }

    @Test("the right certificate of a known authority is accepted")
    func good() async throws {
        let certificates = try await TestCertificates.shared()

        #expect(try await get(certificates.good, trust: certificates.authority) == 200)
    }

    @Test("an unknown authority, another host, a self-signed certificate, old TLS and a missing trust file are refused")
    func refused() async throws {
        let certificates = try await TestCertificates.shared()

        await #expect(throws: TransferError.tls) { try await get(certificates.good, trust: nil) }
        await #expect(throws: TransferError.tls) { try await get(certificates.otherHost, trust: certificates.authority) }
        await #expect(throws: TransferError.tls) { try await get(certificates.selfSigned, trust: certificates.authority) }
        await #expect(throws: TransferError.tls) { try await get(certificates.good, port: "tls11", trust: certificates.authority) }
        // A server without TLS answers the handshake with other bytes, or waits for the end of a line.
        await #expect(throws: TransferError.self) { try await get(certificates.good, port: "http", trust: certificates.authority) }
        await #expect(throws: TransferError.tls) { try await get(certificates.good, trust: "/nonexistent.pem") }
    }
}
