package import DiaryCore

/// Fills the words of each kind of mail: the app's own, else the service's, in the best language that there are words in.
package struct TemplateComposer: MailComposer {
    let codeMinutes: Int

    /// - Parameter codeMinutes: how long a mailed code is valid.
    package init(codeMinutes: Int) { self.codeMinutes = codeMinutes }

    package func compose(_ content: MailContent) throws(MailFailure) -> OutgoingMessage {
        let (template, locale, html) = try words(content)
        let layout = MailLayout(locale: locale, brand: AppBrand(content.tenant))
        let values = try values(content, locale: locale)
        guard let subject = values.text(template.subject) else { throw .refused("the subject's values") }
        let paragraphs = template.paragraphs.compactMap { values.paragraph($0) }
        return OutgoingMessage(
            id: content.mail, fromName: content.tenant.mailFromName, fromAddress: content.tenant.mailFromAddress, to: content.payload.to,
            subject: subject, text: layout.text(paragraphs),
            html: html.flatMap { Self.filled($0, values, layout, content.kind) } ?? layout.html(title: subject, paragraphs),
            unsubscribe: content.kind == .exportReady ? content.export?.unsubscribe : nil)
    }

    /// The app's own words in a language that comes later than one of the service's do not count.
    private func words(_ content: MailContent) throws(MailFailure) -> (MailTemplate, locale: String, html: String?) {
        let locales = content.locales + (content.locales.contains("en") ? [] : ["en"])
        let built = locales.first { WrittenLanguage(rawValue: $0) != nil } ?? "en"
        guard let words = content.words, let own = locales.firstIndex(of: words.locale), own <= locales.firstIndex(of: built) ?? own else {
            return (try Self.built(built, content.kind), built, nil)
        }
        guard let text = words.text else {
            // HTML alone: its language is that of its row, the subject and the text are the service's in that language, or the next.
            return (try Self.built(WrittenLanguage(tag: words.locale)?.rawValue ?? built, content.kind), words.locale, words.html)
        }
        do throws(MailTemplateFault) {
            return (try MailTemplate(text, of: content.kind), words.locale, words.html)
        } catch {
            // Checked when it was set; a version after may know more.
            return (try Self.built(built, content.kind), built, nil)
        }
    }

    static func built(_ locale: String, _ kind: MailKind) throws(MailFailure) -> MailTemplate {
        do throws(MailTemplateFault) {
            return try MailTemplate((WrittenLanguage(rawValue: locale) ?? .en).mail(kind), of: kind)
        } catch {
            throw .refused("the words of \(kind.rawValue)")
        }
    }

    /// An app's own HTML; nil when this version cannot read it, or when it says nothing without the values that this mail lacks: the service's
    /// takes its place.
    private static func filled(_ html: String, _ values: MailValues, _ layout: MailLayout, _ kind: MailKind) -> String? {
        guard let filled = (try? MailHTML(html, of: kind))?.filled(values, layout), fault(of: filled, values, kind) == nil else {
            return nil
        }
        return filled.text
    }

    /// Why an app's own HTML says nothing in a mail with these values.
    private static func fault(of filled: MailHTML.Filled, _ values: MailValues, _ kind: MailKind) -> String? {
        if let needed = kind.neededPlaceholder, let value = values.texts[needed], !filled.text.contains(MailLayout.escape(value)) {
            return
                "{\(needed.rawValue)} is left out, with the paragraph, list item, table row or heading that has both it and what is missing"
        }
        return filled.hasWords ? nil : "there is nothing to read"
    }

    /// Whether an app's own HTML does in a mail with the values of `content`. Where it does not, ``compose(_:)`` writes the service's.
    package func check(html: String, in content: MailContent) throws(MailTemplateFault) {
        let layout = MailLayout(locale: content.words?.locale ?? "en", brand: AppBrand(content.tenant))
        let values: MailValues
        do throws(MailFailure) { values = try self.values(content, locale: layout.locale) } catch {
            throw MailTemplateFault(reason: error.description)
        }
        let filled = try MailHTML(html, of: content.kind).filled(values, layout)
        if let fault = Self.fault(of: filled, values, content.kind) { throw MailTemplateFault(reason: fault) }
        if let link = filled.deadLink {
            throw MailTemplateFault(
                reason: "the label of {\(link.rawValue)} stays without its link: "
                    + "put it into a paragraph, list item, table row or heading, which is then left out")
        }
    }

    private func values(_ content: MailContent, locale: String) throws(MailFailure) -> MailValues {
        let language = WrittenLanguage(tag: locale)
        var values = MailValues(texts: [.app: content.tenant.name], language: language)
        if content.kind.neededPlaceholder == .code {
            guard let code = content.payload.code else { throw .refused("no code") }
            values.texts[.code] = code
            values.numbers[.minutes] = codeMinutes
        }
        if content.kind == .exportReady {
            guard let export = content.export else { throw .refused("no export") }
            values.texts[.link] = export.link
            values.texts[.unsubscribe] = export.unsubscribe
            values.numbers[.entries] = export.entries
            (values.texts[.days], values.texts[.until]) = Self.times(export, language)
        }
        return values
    }

    /// Days with the word before them: `of 22 November 2026`. In a language that the service does not write, days as ISO 8601 has them; the
    /// time, and days without a first or last one, in English.
    private static func times(_ export: ReadyExport, _ language: WrittenLanguage?) -> (days: String, until: String) {
        let (hasFirst, hasLast) = (export.from != CalendarDay.all.lowerBound, export.to != CalendarDay.all.upperBound)
        let dates = ReadableDates(locale: language == nil ? nil : export.locale, language: language ?? .en)
        var days = dates.text(export.from, to: export.to)
        let isOne = export.from == export.to
        if let language {
            let words = Words<ExportDaysWord>(language)
            // `until` and `since` are the word before it.
            if hasFirst == hasLast { days = words[!hasFirst ? .all : isOne ? .one : .several].replacing("#", with: days) }
        } else if hasFirst, hasLast {
            days = isOne ? "\(export.from)" : "\(export.from) – \(export.to)"
        }
        return (days, dates.text(export.expiresAt, in: export.timeZone))
    }
}

/// The days of an export, `#`, as they stand in its mail: `of 22 November 2026`.
enum ExportDaysWord: String, WrittenKey {
    static let section = "export days"

    case one, several, all
}

/// What an operator sends to see whether mail arrives.
package struct TestMail: Sendable {
    let app: Tenant

    package init(app: Tenant) { self.app = app }

    package func message(id: MailID, to: String) -> OutgoingMessage {
        let subject = "Test mail from \(app.name)"
        let paragraphs: [MailParagraph] = [
            .words("This is a test mail of the server of \(app.name)."),
            .words("If you can read it, codes and links of \(app.name) arrive at this address, too. Nothing is to be done."),
        ]
        let layout = MailLayout(brand: AppBrand(app))
        return OutgoingMessage(
            id: id, fromName: app.mailFromName, fromAddress: app.mailFromAddress, to: to, subject: subject, text: layout.text(paragraphs),
            html: layout.html(title: subject, paragraphs))
    }
}
