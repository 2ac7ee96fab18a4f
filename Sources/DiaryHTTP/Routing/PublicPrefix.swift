/// The path of the public URL, for a service that is reached below one (`https://example.org/diary`): empty, or without a slash at its end.
struct PublicPrefix: Sendable {
    private let path: String

    init(_ publicURL: String) {
        let parts = publicURL.split(separator: "/", omittingEmptySubsequences: true)
        path = parts.dropFirst(2).map { "/\($0)" }.joined()
    }

    func path(_ rest: String) -> String { path + rest }
}
