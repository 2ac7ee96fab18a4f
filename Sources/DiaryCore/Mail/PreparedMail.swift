/// What the store has about the address and the words of a mail, read before the mail is composed.
package struct PreparedMail: Sendable, Equatable {
    /// What a provider has reported of the address; nil when nothing.
    package var bounce: MailBounceReason? = nil
    /// The app's own words; nil when it has none in the mail's languages.
    package var words: MailWords? = nil

    package init(bounce: MailBounceReason? = nil, words: MailWords? = nil) {
        self.bounce = bounce
        self.words = words
    }
}

/// An app's own words for one kind of mail in one language, as `diary tenant mail-template set` has stored them.
package struct MailWords: Sendable, Equatable {
    package var locale: String
    /// Subject and paragraphs; nil for the service's own.
    package var text: String?
    /// In place of the HTML that is made of the paragraphs.
    package var html: String?

    package init(locale: String, text: String?, html: String?) {
        self.locale = locale
        self.text = text
        self.html = html
    }
}
