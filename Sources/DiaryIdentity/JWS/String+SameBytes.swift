extension String {
    /// Decision: JOSE names and values are compared byte for byte; `==` would also take canonically equivalent text.
    func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
