import CurlTransfer
import DiaryCore

/// The one request that hands a mail to a provider. It is never repeated here, and goes over a connection of its own: libcurl would send it
/// again over a kept one that turns out to be closed, and no provider knows a second copy for one.
struct MailPost: Sendable {
    /// The service's name in reasons of failures.
    let service: String
    let endpoint: MailEndpoint
    let transfers: CurlTransfers
    var deadlines = TransferDeadlines(connect: .seconds(10), total: .seconds(60), stall: .seconds(30))

    /// Bytes that are read of a refusal, for the kind of the error alone.
    private static let refusalBytes = 64 << 10

    /// - Returns: once the answer's head is there. The body of a success is not waited for: the mail is taken.
    func send(_ path: String, headers: [(name: String, value: String)], _ body: [UInt8]) async throws(MailFailure) -> MailAnswer {
        let request = TransferRequest(
            .post, endpoint.description + path, headers: headers, body: .bytes(body), deadlines: deadlines, target: endpoint.target)
        do {
            return try await transfers.withResponse(request) { head, body in
                let answer = MailAnswer(head)
                return answer.isSuccess ? answer : answer.with(await Self.read(body))
            }
        } catch let error as TransferError {
            throw failure(error)
        } catch {
            throw .unavailable("\(service): cancelled")
        }
    }

    /// Reads as much as comes: the status decides also when the rest is missing.
    private static func read(_ body: ResponseBody) async -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            for try await chunk in body {
                guard chunk.count <= refusalBytes - bytes.count else { break }
                bytes += chunk
            }
        } catch {}
        return bytes
    }

    private func failure(_ error: TransferError) -> MailFailure {
        error == .notAllowed ? .misconfigured("\(service): its address or key cannot be used") : .unavailable("\(service): \(error)")
    }
}

/// Where a provider answers: `http(s)://host[:port]`.
package struct MailEndpoint: Sendable, Equatable, CustomStringConvertible {
    package let description: String
    let target: AllowedHost

    /// Nil for anything but a scheme, a host, maybe a port, and maybe a slash. It is the provider's or the operator's choice, so it may lie
    /// in a private network (an endpoint of a VPC).
    package init?(_ text: String) {
        guard let address = EngineAddress(text), address.description.split(separator: "/").count == 2,
            let target = AllowedHost(of: address.description, mayBePrivate: true)
        else { return nil }
        description = address.description
        self.target = target
    }

    /// The `Host` field as libcurl sends it: the port only when it is not the scheme's own.
    var host: String {
        let name = target.host.contains(":") ? "[\(target.host)]" : target.host
        return target.port == (target.scheme == .https ? 443 : 80) ? name : "\(name):\(target.port)"
    }
}
