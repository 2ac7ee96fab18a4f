package import FoundationEssentials

/// The date-time of RFC 5322 section 3.3, in UTC and English, e.g. `Sun, 06 Nov 1994 08:49:37 +0000`.
package enum MailDate {
    package static func text(_ date: Date) -> String { MessageDate.text(date, zone: "+0000") }
}
