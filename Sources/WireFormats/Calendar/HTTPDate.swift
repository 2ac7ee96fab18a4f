package import FoundationEssentials

/// IMF-fixdate (RFC 9110 section 5.6.7), e.g. `Sun, 06 Nov 1994 08:49:37 GMT`.
package enum HTTPDate {
    package static func text(_ date: Date) -> String { MessageDate.text(date, zone: "GMT") }
}
