/// What is wrong with a setting that an operator typed.
package struct TenantSettingError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
