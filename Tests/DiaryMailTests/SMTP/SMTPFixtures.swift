import CurlTransfer
import DiaryCore
import DiaryCrypto
import DiaryMail
import Foundation
import TestPeers
import Testing

/// A mail server with one port per kind of misbehaviour, and senders for it.
struct SMTPFixtures {
    let peer: PythonPeer
    private let certificates: TestCertificates

    enum Certificate { case good, otherHost, selfSigned }

    init(_ modes: String..., certificate: Certificate = .good) async throws {
        certificates = try await TestCertificates.shared()
        let pair =
            switch certificate {
            case .good: certificates.good
            case .otherHost: certificates.otherHost
            case .selfSigned: certificates.selfSigned
            }
        peer = try await PythonPeer("smtp_fake.py", [pair.certificate, pair.key] + modes)
    }

    func sender(
        _ mode: String, _ security: SMTPServer.Security = .none, login: SMTPLogin? = nil, mayBePrivate: Bool = true, trusts: Bool = true,
        deadlines: TransferDeadlines = TransferDeadlines(connect: .seconds(5), total: .seconds(20), stall: .seconds(5))
    ) throws -> SMTPSender {
        let server = SMTPServer("127.0.0.1", port: peer.port(mode), security: security, login: login, clientName: "diary.example")
        let transfers = try CurlTransfers(
            TransferConfiguration(
                hosts: [server.allowedHost(mayBePrivate: mayBePrivate)], certificateFile: trusts ? certificates.authority : nil),
            name: "curl-mail")
        return SMTPSender(transfers: transfers, server: server, deadlines: deadlines, now: { MailFixtures.date })
    }

    static func login() throws -> SMTPLogin {
        try #require(SMTPLogin(user: SecretBytes(Array("diary".utf8)), password: SecretBytes(Array("p:ässword".utf8))))
    }

    // Each waits until the server has reported what it recorded.

    func events(_ name: String) async throws -> [[String: Any]] {
        try await peer.settle()
        return peer.events(name)
    }

    func commands() async throws -> [String] { try await events("command").compactMap { $0["text"] as? String } }

    func verbs(tls: Bool? = nil) async throws -> [String] {
        try await events("command").filter { tls == nil || $0["tls"] as? Bool == tls }
            .compactMap { ($0["text"] as? String)?.split(separator: " ").first.map(String.init) }
    }

    func messages() async throws -> [String] { try await events("message").compactMap { $0["raw"] as? String } }
}
