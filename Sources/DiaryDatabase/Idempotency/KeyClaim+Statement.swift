import DiaryCore
import FoundationEssentials
import PostgresClient

extension KeyClaim {
    /// Stores the key; stops the transaction when it is stored already.
    func statement(of owner: Owner) -> Statement {
        Statement("\(Self.into) values ($1, $2, $3, $4, $5, $6)", owner.parameters + values)
    }

    /// The same where the write of the transaction has succeeded.
    /// - Parameter condition: SQL; `$1` and `$2` are tenant and user, `$3` is `id`.
    func statement(of owner: Owner, where condition: String, _ id: UUID) -> Statement {
        Statement("\(Self.into) select $1, $2, $4, $5, $6, $7 where \(condition)", owner.parameters + [.uuid(id)] + values)
    }

    private static let into = "insert into idempotency_keys (tenant_id, user_id, operation, key_hash, request_hash, subject)"

    private var values: [Parameter] { [.text(operation.rawValue), .bytes(keyHash), .bytes(requestHash), .uuid(subject)] }

    /// The same as a part of the write's own statement: a common table expression for each row of `source`.
    static func insert(_ operation: Operation, from source: String, keyHash: String, requestHash: String, subject: String) -> String {
        """
        \(into)
        select $1, $2, '\(operation.rawValue)', \(keyHash), \(requestHash), \(subject) from \(source) where \(keyHash)::bytea is not null
        """
    }
}
