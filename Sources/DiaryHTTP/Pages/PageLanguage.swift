import DiaryCore
import HTTPTypes

/// The language of a page: the account's, else the first one that its reader's browser accepts (RFC 9110, section 12.5.4), else English.
enum PageLanguage {
    /// Languages that are read of a header; browsers send fewer.
    private static let most = 20

    static func of(account locale: String?, _ headers: HTTPFields) -> WrittenLanguage {
        locale.flatMap { WrittenLanguage(tag: $0) } ?? accepted(headers) ?? .en
    }

    static func accepted(_ headers: HTTPFields) -> WrittenLanguage? {
        let ranges = headers[values: .acceptLanguage].joined(separator: ",").split(separator: ",").prefix(most)
        var best: (language: WrittenLanguage, quality: Double)?
        for range in ranges {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first, let language = WrittenLanguage(tag: tag) else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            // The first of equal ones; `q=0` is not acceptable.
            if quality > best?.quality ?? 0 { best = (language, quality) }
        }
        return best?.language
    }
}

/// The preference of an `Accept` field (RFC 9110 section 12.5.1), as far as link routes need it: a page or a problem document.
struct AcceptedTypes: Sendable {
    private var weights: [String: Double] = [:]

    init(_ values: [String]) {
        for range in values.joined(separator: ",").split(separator: ",").prefix(50) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            guard let type = parts.first else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            weights[type] = max(weights[type] ?? 0, weight)
        }
    }

    /// True only when a page is preferred to a problem document: programs send `*/*` or nothing.
    var prefersHTML: Bool { weight("text/html") > max(weight("application/problem+json"), weights["application/json"] ?? 0) }

    private func weight(_ type: String) -> Double {
        let group = type.split(separator: "/").first.map { "\($0)/*" } ?? ""
        return weights[type] ?? weights[group] ?? weights["*/*"] ?? 0
    }
}
