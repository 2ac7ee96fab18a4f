/// One SQL statement and its parameters.
///
/// The text is also the key of each connection's cache of prepared statements, so it is a constant of the program: values go into `parameters`.
package struct Statement: Sendable {
    package let sql: String
    package let parameters: [Parameter]

    package init(_ sql: String, _ parameters: [Parameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}
