import DiaryCore
import HTTPTypes

/// The language that a client asks for before it has an account (RFC 9110 section 12.5.4).
enum AcceptedLanguages {
    /// The tag of the highest weight, the first of several; nil when the field is missing, or has none that an account could have.
    static func best(_ headers: HTTPFields) -> String? {
        var best: (tag: String, weight: Double)?
        for range in headers[values: .acceptLanguage].joined(separator: ",").split(separator: ",").prefix(20) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first.flatMap({ DeviceLanguage($0).text }) else { continue }
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if weight > best?.weight ?? 0 { best = (tag, weight) }
        }
        return best?.tag
    }
}
