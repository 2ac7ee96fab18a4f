import DiaryCore
import PostgresClient

/// SQL that stores the replaced texts of an entry as revisions, in the statement that replaces them, and prunes each layer to its newest
/// `TextLayer.kept`.
enum RevisionInsertion {
    /// Common table expressions `kept` and `pruned`. `$1` and `$2` are the owner's tenant and user.
    /// - Parameters:
    ///   - source: the expression whose row is the entry, by its `id`; without a row nothing is kept.
    ///   - key: SQL; the key that the revisions are sealed under.
    ///   - revisions: SQL for each: layer, number, sealed bytes.
    static func sql(of source: String, key: String, _ revisions: [(layer: String, number: String, sealed: String)]) -> String {
        let rows = revisions.map { "(\($0.layer)::text, \($0.number)::bigint, \($0.sealed)::bytea)" }.joined(separator: ", ")
        return """
            kept as (
                insert into entry_revisions (tenant_id, user_id, entry_id, layer, number, sealed, key_id)
                select $1, $2, w.id, r.layer, r.number, r.sealed, \(key) from \(source) w, (values \(rows)) as r (layer, number, sealed)
                on conflict do nothing returning entry_id, layer),
            pruned as (
                delete from entry_revisions o using kept k
                where o.tenant_id = $1 and o.user_id = $2 and o.entry_id = k.entry_id and o.layer = k.layer
                    and \(TextLayer.kept) <= 1 + (select count(*) from entry_revisions n
                        where n.tenant_id = $1 and n.user_id = $2 and n.entry_id = o.entry_id and n.layer = o.layer and n.number > o.number))
            """
    }

    static func values(_ revision: SealedRevision) -> [Parameter] {
        [.text(revision.layer.rawValue), .int(revision.number), .bytes(revision.sealed)]
    }
}
