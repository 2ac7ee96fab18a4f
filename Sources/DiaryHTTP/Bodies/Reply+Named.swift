import HTTPTypes

extension Reply {
    /// A field that HTTPTypes has no constant for.
    func with(_ name: String, _ value: String) -> Reply {
        HTTPField.Name(name).map { with($0, value) } ?? self
    }
}
