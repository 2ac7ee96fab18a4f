/// A text for one of something and for another number of it, by ``WrittenLanguage/isOne(_:)``. `#` stands for the number.
package struct PluralText: Sendable {
    package var one: String
    package var other: String

    package init(one: String, other: String) {
        self.one = one
        self.other = other
    }
}
