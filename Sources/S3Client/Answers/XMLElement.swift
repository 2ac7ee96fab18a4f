/// An element of an S3 answer. Attributes and the prefixes of names are left out.
struct XMLElement: Sendable, Equatable {
    let name: String
    /// Its own text, without that of its children.
    var text = ""
    var children: [XMLElement] = []

    func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The text of the only child with that name.
    func text(_ name: String) -> String? {
        let found = all(name)
        return found.count == 1 ? found.first?.text : nil
    }
}
