package import FoundationEssentials

package protocol UploadVerifying: Sendable {
    /// - Parameters:
    ///   - path: raw, as in the request line, without the query; `query`: raw, without the `?`.
    /// - Throws: `uploadURLExpired`, or `uploadRefused` for everything else.
    func verify(
        method: String, path: String, query: String, headers: [(name: String, value: String)], at now: Date
    ) throws(DiaryError) -> UploadGrant
}
