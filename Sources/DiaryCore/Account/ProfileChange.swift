/// The result of a change that may be conditional on the profile's version.
package enum ProfileChange<Value: Sendable>: Sendable {
    case changed(Value)
    /// Nothing was changed: this is the profile as it is.
    case otherVersion(Value)

    package func map<Other>(_ transform: (Value) throws(DiaryError) -> Other) throws(DiaryError) -> ProfileChange<Other> {
        switch self {
        case .changed(let value): .changed(try transform(value))
        case .otherVersion(let value): .otherVersion(try transform(value))
        }
    }
}
