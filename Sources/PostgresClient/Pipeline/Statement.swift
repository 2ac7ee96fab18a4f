import Synchronization

/// The text of a statement, made once and kept in a `static let`: connections find its plan by its number, without comparing texts.
package struct SQL: Sendable {
    @usableFromInline let text: String
    @usableFromInline let number: Int

    private static let count = Mutex(0)

    package init(_ text: String) {
        self.text = text
        number = Self.count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}

/// One SQL statement and its parameters.
package struct Statement: Sendable {
    package let sql: String
    package let parameters: [Parameter]
    /// Of a text made once; nil when connections look the plan up by the text.
    @usableFromInline let number: Int?

    @inlinable
    package init(_ sql: SQL, _ parameters: [Parameter] = []) {
        self.sql = sql.text
        self.parameters = parameters
        number = sql.number
    }

    /// The text is also the key of each connection's cache of prepared statements, so it is a constant of the program: values go into
    /// `parameters`.
    package init(_ sql: String, _ parameters: [Parameter] = []) {
        self.sql = sql
        self.parameters = parameters
        number = nil
    }
}
