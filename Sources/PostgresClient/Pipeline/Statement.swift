import Synchronization

/// The text of a statement, made once and kept in a `static let`: connections know it by its number and look at no text.
package struct SQL: Sendable {
    let text: String
    let number: Int

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
    /// Of a text made once; nil when connections look it up by its words.
    let number: Int?

    package init(_ sql: SQL, _ parameters: [Parameter] = []) {
        self.sql = sql.text
        self.parameters = parameters
        number = sql.number
    }

    /// The text is also the key of each connection's cache of prepared statements, so it is a constant of the program: values go into `parameters`.
    package init(_ sql: String, _ parameters: [Parameter] = []) {
        self.sql = sql
        self.parameters = parameters
        number = nil
    }
}
