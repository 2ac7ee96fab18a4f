import DiaryCore
import HTTPTypes
import Logging
import WireFormats

/// The conditions of writes on an entry.
enum EntryPrecondition {
    /// `If-Match` of a write that needs it.
    static func required(_ context: MemberContext) throws(DiaryError) -> VersionTag.Condition {
        guard let condition = try context.ifMatch() else {
            throw DiaryError(.preconditionRequired, fields: [.init("header/if-match", "is required")])
        }
        return condition
    }

    /// One version, or the one of several that the entry has now. A tag without a version number matches nothing: 412. No entry has version
    /// -1.
    static func match(
        _ condition: VersionTag.Condition, _ id: EntryID, _ entries: EntryFeature, _ context: MemberContext
    ) async throws(DiaryError) -> VersionMatch {
        guard case .versions(let versions) = condition else { return .any }
        guard versions.count > 1 else { return .exactly(versions.first ?? -1) }
        let now = try await entries.read.one(id, for: context.member).version
        return .exactly(versions.contains(now) ? now : -1)
    }

    /// 412 with what the client needs to merge and to try again.
    static func conflict(_ current: Entry, _ context: MemberContext) -> Reply {
        EntryRoutes.logDamage(of: [current], context)
        return Problem.reply(DiaryError(.preconditionFailed), to: context.exchange) { w in
            w.member("current") { EntryPayload.write(current, to: &$0) }
        }
        .with(.eTag, VersionTag.text(current.version))
    }
}
