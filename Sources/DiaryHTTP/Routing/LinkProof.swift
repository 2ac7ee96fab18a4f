import DiaryCore
import HTTPTypes

/// The two parameters at the end of every signed link: each once, and no others but those that the link's own kind has.
struct LinkProof: Sendable {
    let expires: Int64
    let signature: String

    /// - Parameter more: reads the parameters of the link's kind, which are signed too.
    init(_ context: AnonymousContext, _ more: (inout Query) -> Void = { _ in }) throws(DiaryError) {
        var query = context.query()
        more(&query)
        guard let text = query.text("expires", max: 12), let expires = Int64(text), expires > 0, String(expires) == text,
            let signature = query.text("signature", max: 128)
        else { throw DiaryError(.linkRefused) }
        // The link was altered: it is not the one that was signed.
        do { try query.finish() } catch { throw DiaryError(.linkRefused) }
        self.expires = expires
        self.signature = signature
    }
}
