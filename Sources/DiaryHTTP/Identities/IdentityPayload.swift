import DiaryCore
import WireFormats

/// A sign-in method of an account, for its owner.
enum IdentityPayload {
    static func write(_ view: IdentityView, to w: inout JSONWriter) {
        let identity = view.linked
        w.member("id", identity.id)
        w.member("provider", identity.provider?.rawValue ?? "email")
        w.member("email", view.address)
        w.member("verified", identity.isVerified)
        w.member("proves_email", identity.provesAddress)
        w.member("mail_stopped", identity.isMailStopped)
        w.member("has_password", identity.hasPassword)
        w.member("linked_at", identity.linkedAt)
    }
}
