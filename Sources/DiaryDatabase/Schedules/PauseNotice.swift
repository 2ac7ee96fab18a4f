import DiaryCore
import PostgresClient

/// SQL that queues the mail about a schedule that has paused itself. It is part of the statement that pauses it: there is no such pause without
/// its mail, and no second mail.
enum PauseNotice {
    /// Common table expressions. To the proved address, as it is then; where none is, there is no mail. `$1` and `$2` are the owner's tenant and
    /// user; the other arguments are SQL expressions.
    /// - Parameter rows: of the schedules that were paused, with their `id`.
    static func sql(from rows: String, kind: String, job: String) -> String {
        """
        notice as (
            insert into mails (tenant_id, user_id, id, kind, address_sealed, key_id, subject)
            select $1, $2, gen_random_uuid(), \(kind), u.email_sealed, y.key_id, p.id
            from \(rows) p
                join users u on u.tenant_id = $1 and u.id = $2 and u.deleted_at is null and u.email_sealed is not null
                join user_sync y on y.tenant_id = $1 and y.user_id = $2
            where address_is_proved($1, $2)
            returning id),
        notice_job as (\(JobInsertion.sql(id: "n.id", kind: job, subject: "n.id", from: "notice n")))
        """
    }

    /// Of `kind` and `job`, in this order.
    static let parameters: [Parameter] = [.text(MailKind.schedulePaused.rawValue), .text(JobKind.mail.rawValue)]
}
