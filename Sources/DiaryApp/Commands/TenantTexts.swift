import ArgumentParser
import DiaryCore
import DiaryMail
import FoundationEssentials

/// The texts of an app that its mails contain, checked before they are stored: a text that a header cannot hold would otherwise make every
/// mail fail later.
struct TenantTexts {
    static let longest = 100

    /// nil leaves the stored text as it is.
    var name: String?
    var mailFromName: String?
    var mailFrom: String?

    /// - Throws: `ValidationError`, which names the option.
    func check() throws {
        for (option, text) in [("--name", name), ("--mail-from-name", mailFromName)] {
            if let text, let fault = OneLineText.fault(ofName: text, max: Self.longest) { throw ValidationError("\(option) \(fault)") }
        }
        if let mailFrom, !Self.isSender(mailFrom) {
            throw ValidationError("--mail-from must be a mail address that servers accept as a sender, e.g. diary@example.org")
        }
        let sample = Tenant(
            id: TenantID(UUIDv7.make()), slug: "sample", name: name ?? "Sample", mailFromName: mailFromName ?? name ?? "Sample",
            mailFromAddress: mailFrom ?? "sample@example.org", createdAt: Date(), suspendedAt: nil)
        if let fault = SampleMails.fault(of: sample) { throw ValidationError("\(fault.option) cannot be used: \(fault.reason)") }
    }

    /// A domain of one label is no host of the Internet (RFC 5321 section 2.3.5), except this machine.
    private static func isSender(_ text: String) -> Bool {
        guard let address = MailAddress(sender: text) else { return false }
        return address.domain.utf8.contains(UInt8(ascii: ".")) || address.domain == "localhost"
    }
}
