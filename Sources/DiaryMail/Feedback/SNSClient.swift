import CurlTransfer
import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Synchronization

/// Fetches what messages of SNS are checked with, and confirms subscriptions. Only from the region's own host, without redirects, within
/// five seconds.
///
/// A certificate is fetched once for all that wait for it and kept for a day; a fetch that failed is not repeated for a while, and names that have never
/// been a certificate are fetched a few times a minute at most (`SNSFetches`). Only topics that an operator has named get this far.
final class SNSClient: Sendable {
    fileprivate enum Kept {
        case certificate(RSACertificate, until: Date)
        case failed(until: Date)
        case flight(Task<RSACertificate?, Never>)
    }

    private struct Certificates {
        var kept: [String: Kept] = [:]
        /// Names that have been a certificate. They are fetched anew also while others use up the fetches.
        var known: Set<String> = []
        var fetches = SNSFetches()
    }

    private let transfers: CurlTransfers
    /// In place of the region's host.
    private let endpoint: MailEndpoint?
    private let certificates = Mutex(Certificates())

    static let certificateBytes = 16 << 10
    /// Seconds.
    private static let (lifetime, pause) = (86_400.0, 30.0)
    /// Certificates that are kept at most; a region has one or two at a time.
    private static let most = 32

    init(transfers: CurlTransfers, endpoint: MailEndpoint?) {
        self.transfers = transfers
        self.endpoint = endpoint
    }

    /// - Returns: nil when it cannot be fetched now, or is none of SNS.
    func certificate(_ url: String, of topic: SNSTopic, at now: Date) async -> RSACertificate? {
        let flight: Task<RSACertificate?, Never>? = certificates.withLock { all in
            switch all.kept[url] {
            case .certificate(let certificate, let until) where now < until: return Task { certificate }
            case .failed(let until) where now < until: return nil
            case .flight(let flight): return flight
            default: break
            }
            if all.kept.count >= Self.most { all.kept = all.kept.filter { $0.value.isOfUse(at: now) } }
            guard all.kept.count < Self.most, all.known.contains(url) || all.fetches.take(at: now) else { return nil }
            // Unstructured: all that wait share it, and the end of one request must not end it for the others.
            let flight = Task { await self.fetch(url, of: topic) }
            all.kept[url] = .flight(flight)
            return flight
        }
        guard let flight else { return nil }
        let certificate = await flight.value
        certificates.withLock { all in
            guard case .flight(let known)? = all.kept[url], known == flight else { return }
            if let certificate {
                all.kept[url] = .certificate(certificate, until: now.addingTimeInterval(Self.lifetime))
                if all.known.count < Self.most { all.known.insert(url) }
            } else {
                all.kept[url] = .failed(until: now.addingTimeInterval(Self.pause))
            }
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

extension SNSClient.Kept {
    /// Whether it stays when there are too many.
    fileprivate func isOfUse(at now: Date) -> Bool {
        switch self {
        case .certificate(_, let until): now < until
        case .failed: false
        case .flight: true
        }
    }
}

/// Bounds the fetches for names that have never been a certificate. A sender that knows a topic can send messages with invented names, and each would
/// otherwise be a request of this service. A message over the bound is answered 503, after which SNS sends it again.
struct SNSFetches {
    /// A region has one or two certificates at a time, and an installation's topics are in a few regions.
    static let most = 10
    /// Seconds.
    static let window = 60.0

    private var recent: [Date] = []

    /// - Returns: false when those of the window are used up.
    mutating func take(at now: Date) -> Bool {
        // A time to come is from before the clock was put back.
        recent.removeAll { !(0..<Self.window).contains(now.timeIntervalSince($0)) }
        guard recent.count < Self.most else { return false }
        recent.append(now)
        return true
    }
}
