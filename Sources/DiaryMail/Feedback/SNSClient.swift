import CurlTransfer
import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Synchronization

/// Fetches what messages of SNS are checked with, and confirms subscriptions. Only from the region's own host, without redirects, within
/// five seconds.
///
/// A certificate is fetched once for all that wait for it and kept for a day; a fetch that failed is not repeated for a while, so that
/// messages with invented names cost nothing. Only topics that an operator has named get this far.
final class SNSClient: Sendable {
    private enum Kept {
        case certificate(RSACertificate, until: Date)
        case failed(until: Date)
        case flight(Task<RSACertificate?, Never>)
    }

    private let transfers: CurlTransfers
    /// In place of the region's host.
    private let endpoint: MailEndpoint?
    private let kept = Mutex<[String: Kept]>([:])

    static let certificateBytes = 16 << 10
    /// Seconds.
    private static let (lifetime, pause) = (86_400.0, 30.0)
    /// Of them at most so many; a region has one or two at a time.
    private static let most = 32

    init(transfers: CurlTransfers, endpoint: MailEndpoint?) {
        self.transfers = transfers
        self.endpoint = endpoint
    }

    /// - Returns: nil when it cannot be fetched now, or is none of SNS.
    func certificate(_ url: String, of topic: SNSTopic, at now: Date) async -> RSACertificate? {
        let flight: Task<RSACertificate?, Never> = kept.withLock { kept in
            switch kept[url] {
            case .certificate(let certificate, let until) where now < until: return Task { certificate }
            case .failed(let until) where now < until: return Task { nil }
            case .flight(let flight): return flight
            default: break
            }
            if kept.count >= Self.most { kept = kept.filter { if case .failed = $0.value { false } else { true } } }
            guard kept.count < Self.most else { return Task { nil } }
            // Unstructured: all that wait share it, and the end of one request must not end it for the others.
            let flight = Task { await self.fetch(url, of: topic) }
            kept[url] = .flight(flight)
            return flight
        }
        let certificate = await flight.value
        kept.withLock { kept in
            guard case .flight(let known)? = kept[url], known == flight else { return }
            kept[url] =
                certificate.map { .certificate($0, until: now.addingTimeInterval(Self.lifetime)) }
                ?? .failed(until: now.addingTimeInterval(Self.pause))
        }
        return certificate
    }

    /// - Returns: whether SNS took it.
    func confirm(_ url: String, of topic: SNSTopic) async -> Bool { await get(url, of: topic, maximumBytes: 64 << 10) != nil }

    private func fetch(_ url: String, of topic: SNSTopic) async -> RSACertificate? {
        guard let bytes = await get(url, of: topic, maximumBytes: Self.certificateBytes) else { return nil }
        return try? RSACertificate(
            pem: String(decoding: bytes, as: UTF8.self), namedOneOf: ["sns.amazonaws.com", "sns.\(topic.region).amazonaws.com"])
    }

    private func get(_ url: String, of topic: SNSTopic, maximumBytes: Int) async -> [UInt8]? {
        let path = url.dropFirst(SNSMessage.origin(topic).count - 1)
        guard let endpoint = endpoint ?? MailEndpoint("https://sns.\(topic.region).amazonaws.com") else { return nil }
        // An address of AWS is a public one; that of a setting may be in the operator's own network.
        let target = self.endpoint == nil ? AllowedHost(.https, "sns.\(topic.region).amazonaws.com") : endpoint.target
        let request = TransferRequest(
            .get, endpoint.description + path, deadlines: TransferDeadlines(connect: .seconds(3), total: .seconds(5), stall: .seconds(5)),
            target: target)
        guard let response = try? await transfers.collect(request, maximumBytes: maximumBytes), response.status == 200 else { return nil }
        return response.body
    }
}
