/// Languages that the service writes to people in.
package enum WrittenLanguage: String, Sendable, CaseIterable {
    case en, de, es, fr

    /// The language of a tag; nil for one that the service does not write.
    package init?(tag: String) {
        guard let locale = MailLocale(tag) else { return nil }
        self.init(rawValue: locale.language)
    }

    /// The account's, else the app's, else English: that of a mail in the service's own words.
    package static func of(account: String?, app: String?) -> WrittenLanguage {
        MailLocale.chain(account, app: app).lazy.compactMap { WrittenLanguage(rawValue: $0) }.first ?? .en
    }

    /// The plural category `one` of CLDR for whole numbers.
    package func isOne(_ number: Int) -> Bool { self == .fr ? number == 0 || number == 1 : number == 1 }
}
