import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryMail
import FoundationEssentials

extension MailCommand {
    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows mails with sample values, in the app's own words where it has some.",
            discussion: """
                diary mail preview --kind export_ready --locale de-AT --format html > export.html

                Formats: text, html, eml (the message as it is sent), sendgrid and ses (the body of the request). Without --kind every kind, in text. \
                Connects as diary_admin.
                """)

        enum Format: String, ExpressibleByArgument, CaseIterable { case text, html, eml, sendgrid, ses }

        @Option(help: "The app, by its slug; needed when there are several.")
        var tenant: String?

        @Option(help: "A kind of mail, such as export_ready; without one every kind.")
        var kind: String?

        @Option(help: "The account's language, such as de-AT; without one the app's.")
        var locale: String?

        @Option(help: "How it is shown.")
        var format: Format = .text

        @Flag(help: "As --format html.")
        var html = false

        func validate() throws {
            if let kind, MailKind(rawValue: kind) == nil {
                throw ValidationError("--kind must be one of \(MailKind.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            if let locale, MailLocale(locale) == nil { throw ValidationError("--locale must be \(TenantSetting.Pattern.locale.rule)") }
            if kind == nil, html || format != .text { throw ValidationError("--format needs --kind") }
        }

        func run() async throws {
            let app = try await MailCommand.app(tenant)
            let words = try await MailCommand.administration().words(of: app.slug)
            let kinds = kind.flatMap { MailKind(rawValue: $0) }.map { [$0] } ?? MailKind.allCases
            let locales = MailLocale.chain(locale, app: app.configuration.text(.mailLocale))
            for (index, kind) in kinds.enumerated() {
                let own = locales.lazy.compactMap { tag in words.first { $0.kind == kind.rawValue && $0.words.locale == tag }?.words }.first
                do throws(MailFailure) {
                    let message = try SampleMails.message(kind, app, locales: locales, locale: locale, words: own)
                    if self.kind == nil { print(index == 0 ? "== \(kind.rawValue)" : "\n== \(kind.rawValue)") }
                    print(try Self.text(message, html ? .html : format), terminator: "")
                } catch {
                    throw CommandFailure("the mail \(kind.rawValue) cannot be written: \(error)")
                }
            }
        }

        private static func text(_ message: OutgoingMessage, _ format: Format) throws(MailFailure) -> String {
            switch format {
            case .text: return "From: \(message.fromName) <\(message.fromAddress)>\nSubject: \(message.subject)\n\n\(message.text)"
            case .html: return message.html ?? ""
            case .eml: return String(decoding: try MailMessageBuilder.bytes(of: message, date: Date()), as: UTF8.self)
            case .sendgrid: return String(decoding: try MailProviders.body(message, of: .sendgrid), as: UTF8.self) + "\n"
            case .ses: return String(decoding: try MailProviders.body(message, of: .ses), as: UTF8.self) + "\n"
            }
        }
    }
}
