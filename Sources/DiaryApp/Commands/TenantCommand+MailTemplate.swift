import ArgumentParser
import DiaryCore
import DiaryDatabase
import DiaryMail
import FoundationEssentials

extension TenantCommand {
    struct MailTemplate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mail-template", abstract: "Sets the words of an app's mails, by kind and language.",
            discussion: """
                diary tenant mail-template show my-day export_ready de > export.txt
                diary tenant mail-template set my-day export_ready de --file export.txt
                diary mail preview --tenant my-day --kind export_ready --locale de

                A file begins with a line `Subject: …`; paragraphs stand between empty lines, values in braces. Logo, color and last line are settings of the \
                app: mail.logo, mail.color, mail.footer.
                """,
            subcommands: [Set.self, List.self, Show.self, Unset.self])

        struct Place: ParsableArguments {
            @Argument(help: "The tenant's slug.")
            var slug: String

            @Argument(help: "The kind of mail, such as export_ready.")
            var kind: String

            @Argument(help: "The language, such as de, or de-AT.")
            var locale: String

            func validate() throws {
                guard MailKind(rawValue: kind) != nil else {
                    throw ValidationError("the kind must be one of \(MailKind.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                guard MailLocale(locale)?.tag == locale else {
                    throw ValidationError("the language must be \(TenantSetting.Pattern.locale.rule)")
                }
            }
        }

        struct Set: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Checks a file and sets it; counts from the next mail on.",
                discussion: """
                    The mail is written with and without {unsubscribe}, which only mails of schedules have, and {logo}. Words that say nothing in one of them \
                    are refused. JSON is \(Self.form.shape).
                    """)

            private static let form = ReportForm<(kind: MailKind, locale: String, subject: String)>(
                .member("kind") { $0.kind.rawValue }, .member("locale") { $0.locale }, .member("subject") { $0.subject })

            @OptionGroup var place: Place

            @Option(help: "Subject and paragraphs.")
            var file: String?

            @Option(help: "HTML in place of what is made of the paragraphs.")
            var html: String?

            @OptionGroup var admin: AdminOptions

            func validate() throws {
                guard file != nil || html != nil else { throw ValidationError("name a file with --file, with --html, or both") }
            }

            func run() async throws {
                guard let kind = MailKind(rawValue: place.kind) else { return }
                let words = MailWords(locale: place.locale, text: try read(file), html: try read(html))
                do throws(MailTemplateFault) {
                    if let text = words.text { _ = try DiaryMail.MailTemplate(text, of: kind) }
                } catch {
                    throw CommandFailure("\(file ?? ""): \(error)")
                }
                do throws(MailTemplateFault) {
                    if let text = words.html { _ = try MailHTML(text, of: kind) }
                } catch {
                    throw CommandFailure("\(html ?? ""): \(error)")
                }
                let tenant = try await TenantCommand.tenant(place.slug)
                let sample: OutgoingMessage
                do {
                    sample = try SampleMails.message(kind, tenant, locales: [place.locale], words: words)
                    _ = try MailMessageBuilder.bytes(of: sample, date: Date())
                } catch {
                    throw CommandFailure("the mail cannot be written: \(error)")
                }
                if let fault = SampleMails.fault(of: words, kind, tenant) {
                    throw CommandFailure("\((fault.option == "--html" ? html : file) ?? ""): \(fault.reason)")
                }
                try await MailCommand.administration().set(words, kind, of: tenant.id, by: try admin.who())
                Self.form.show(
                    (kind, place.locale, sample.subject), json: admin.json,
                    or: "\(kind.rawValue) in \(place.locale) is set for \(place.slug): \(sample.subject)")
            }

            private func read(_ path: String?) throws -> String? {
                guard let path else { return nil }
                let bytes: Data
                do { bytes = try Data(contentsOf: URL(filePath: path)) } catch { throw CommandFailure("\(path) cannot be read") }
                guard let text = String(data: bytes, encoding: .utf8) else { throw CommandFailure("\(path) is not UTF-8") }
                return text
            }
        }

        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Lists which words an app has of its own.")

            @Argument(help: "The tenant's slug.")
            var slug: String

            private static let form = ReportForm<StoredMailWords>(
                .field("kind") { $0.kind },
                .field("locale", column: "language") { $0.words.locale },
                .field("text") { $0.words.text != nil },
                .field("html", column: "HTML") { $0.words.html != nil },
                .field("set_at") { $0.setAt })

            @Flag(help: "Print JSON: [\(Self.form.shape)].")
            var json = false

            func run() async throws {
                let tenant = try await TenantCommand.tenant(slug)
                Self.form.show(try await MailCommand.administration().words(of: tenant.slug), json: json)
            }
        }

        struct Show: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Prints the words as a file for `set`: the app's own, else the service's.")

            @OptionGroup var place: Place

            @Flag(help: "The app's own HTML.")
            var html = false

            func run() async throws {
                guard let kind = MailKind(rawValue: place.kind) else { return }
                let tenant = try await TenantCommand.tenant(place.slug)
                let own = try await MailCommand.administration().words(of: tenant.slug)
                    .first { $0.kind == place.kind && $0.words.locale == place.locale }?.words
                if html {
                    guard let text = own?.html else { throw CommandFailure("\(place.slug) has no HTML of its own for it") }
                    return print(text)
                }
                print(own?.text ?? (WrittenLanguage(tag: place.locale) ?? .en).mail(kind))
            }
        }

        struct Unset: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Removes the app's own words; the service's count again.")

            @OptionGroup var place: Place

            @OptionGroup var admin: AdminOptions

            func run() async throws {
                let tenant = try await TenantCommand.tenant(place.slug)
                guard try await MailCommand.administration().unset(place.kind, place.locale, of: tenant.id, by: try admin.who()) else {
                    throw CommandFailure("\(place.slug) has no words of its own for \(place.kind) in \(place.locale)")
                }
                ReportForm<Bool>(.member("unset") { $0 })
                    .show(true, json: admin.json, or: "\(place.kind) in \(place.locale) has the service's words again")
            }
        }
    }
}
