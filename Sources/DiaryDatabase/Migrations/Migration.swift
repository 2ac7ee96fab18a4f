/// One step of the schema.
package struct Migration: Sendable, Equatable {
    package let number: Int
    package let name: String
}
