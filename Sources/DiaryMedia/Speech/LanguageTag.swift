/// A BCP 47 tag, reduced to its primary language.
struct LanguageTag: Sendable {
    /// Lower case, e.g. `en` of `en-GB`.
    let primary: String

    init(_ tag: String) {
        primary = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    }
}
