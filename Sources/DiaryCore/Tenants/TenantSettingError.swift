/// What is wrong with a setting that an operator typed.
package struct TenantSettingError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
}
