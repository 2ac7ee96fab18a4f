import Foundation
import TestPrograms

/// A certificate authority for one test process, made with the `openssl` program in a folder that is deleted with it.
package struct TestCertificates: Sendable {
    package enum Failure: Error { case openssl(Int) }

    /// Trust anchor, PEM.
    package let authority: String
    /// For 127.0.0.1 and localhost.
    package let good: (certificate: String, key: String)
    /// Of the same authority, for another host.
    package let otherHost: (certificate: String, key: String)
    /// Self-signed.
    package let selfSigned: (certificate: String, key: String)

    /// A task, so that all tests share one set of certificates.
    private static let made = Task { try await TestCertificates() }

    package static func shared() async throws -> TestCertificates { try await made.value }

    private init() async throws {
        let folder = NSTemporaryDirectory() + "certificates-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        func path(_ name: String) -> String { folder + "/" + name }
        try await Self.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=Test authority",
            "-keyout", path("ca.key"), "-out", path("ca.pem"))
        func issue(_ name: String, _ names: String) async throws -> (String, String) {
            try await Self.openssl(
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
                "-addext", "subjectAltName=\(names)", "-CA", path("ca.pem"), "-CAkey", path("ca.key"), "-addext",
                "basicConstraints=critical,CA:FALSE",
                "-keyout", path(name + ".key"), "-out", path(name + ".pem"))
            return (path(name + ".pem"), path(name + ".key"))
        }
        authority = path("ca.pem")
        good = try await issue("good", "IP:127.0.0.1,DNS:localhost")
        otherHost = try await issue("other", "DNS:other.example")
        try await Self.openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=self",
            "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", path("self.key"), "-out", path("self.pem"))
        selfSigned = (path("self.pem"), path("self.key"))
    }

    private static func openssl(_ arguments: String...) async throws {
        let status = try await TestProgram.run(["openssl"] + arguments, errors: .discarded).status
        guard status == 0 else { throw Failure.openssl(status) }
    }
}
