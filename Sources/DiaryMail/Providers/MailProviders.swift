package import CurlTransfer
package import DiaryCore
package import DiaryCrypto
import FoundationEssentials

/// Makes senders of providers, which share one thread of transfers.
package struct MailProviders: Sendable {
    /// Without hosts: each request names its own.
    package let transfers: CurlTransfers
    /// In place of the provider's own address; nil for that.
    private let sendGrid: MailEndpoint?
    private let ses: MailEndpoint?

    /// - Throws: `TransferError` when the thread cannot be started.
    package init(sendGrid: MailEndpoint?, ses: MailEndpoint?) throws(TransferError) {
        transfers = try CurlTransfers(TransferConfiguration(hosts: [], maximumConnections: 16), name: "curl-mail")
        self.sendGrid = sendGrid
        self.ses = ses
    }

    /// - Parameter region: `eu` for the European servers, nil or `global` for the others.
    package func sendGrid(key: SecretBytes, region: String?) throws(MailFailure) -> any MailTransport {
        let address: MailEndpoint?
        switch region {
        case nil, "global": address = MailEndpoint("https://api.sendgrid.com")
        case "eu": address = MailEndpoint("https://api.eu.sendgrid.com")
        default: throw .misconfigured("SendGrid has the regions eu and global")
        }
        return SendGridSender(post: try post(.sendgrid, sendGrid ?? address), key: key)
    }

    package func ses(_ account: SESAccount) throws(MailFailure) -> any MailTransport {
        SESSender(
            post: try post(.ses, ses ?? MailEndpoint("https://email.\(account.region).amazonaws.com")), account: account)
    }

    /// The body of the request that hands a mail over, as a test or an operator looks at it.
    package static func body(_ message: OutgoingMessage, of provider: MailProvider) throws(MailFailure) -> [UInt8] {
        switch provider {
        case .sendgrid: try SendGridMail.body(message)
        case .ses: try SESMail.body(message, configurationSet: nil, date: Date())
        }
    }

    private func post(_ provider: MailProvider, _ endpoint: MailEndpoint?) throws(MailFailure) -> MailPost {
        guard let endpoint else { throw .misconfigured("the address of \(provider.title) cannot be used") }
        return MailPost(service: provider.title, endpoint: endpoint, transfers: transfers)
    }
}
