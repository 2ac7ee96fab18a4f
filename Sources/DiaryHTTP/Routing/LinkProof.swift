import DiaryCore
import HTTPTypes

/// The two parameters at the end of every signed link: each once, and no others.
struct LinkProof: Sendable {
    let expires: Int64
    let signature: String

    init(_ context: AnonymousContext) throws(DiaryError) {
        var query = context.query()
        guard let text = query.text("expires", max: 12), let expires = Int64(text), expires > 0, String(expires) == text,
            let signature = query.text("signature", max: 128)
        else { throw DiaryError(.linkRefused) }
        // The link was altered: it is not the one that was signed.
        do { try query.finish() } catch { throw DiaryError(.linkRefused) }
        self.expires = expires
        self.signature = signature
    }
}
