package import FoundationEssentials

/// IMF-fixdate (RFC 9110 section 5.6.7), e.g. `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    package static func text(_ date: Date) -> String { MessageDate.text(date, zone: "GMT") }

    /// Nil for the obsolete forms too. The weekday is not compared with the date; a second of 60 counts as the next minute's first.
    package static func date(_ text: some StringProtocol) -> Date? { MessageDate.date(text, zone: "GMT") }
}
