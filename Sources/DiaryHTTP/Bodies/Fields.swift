package import DiaryCore
package import WireFormats

/// Reads a JSON object member by member and collects all its errors.
///
/// ```swift
/// var f = try await context.fields()
/// let title = f.text("title", max: 200)
/// let kind = f.required("kind", .voice) { $0.choice("kind", of: EntryKind.self) }
/// try f.finish()
/// ```
///
/// Members that no call reads are ignored, so that newer clients may talk to older servers. Absent and `null` read the same,
/// except through `patch`.
package struct Fields: Sendable {
    let members: JSONObject
    let prefix: String
    package internal(set) var errors: [DiaryError.Field] = []

    /// - Parameter pointer: the object's place in the whole body, as an RFC 6901 pointer.
    package init(_ value: JSONValue, at pointer: String = "") {
        prefix = pointer
        if case .object(let members) = value {
            self.members = members
        } else {
            members = JSONObject()
            errors.append(.init(pointer, "must be an object"))
        }
    }

    /// In one answer.
    private static let mostErrors = 50

    /// Throws when a value read so far was not acceptable. Use the values only after this.
    package func finish() throws(DiaryError) {
        guard errors.isEmpty else { throw DiaryError(.invalidFields, fields: Array(errors.prefix(Self.mostErrors))) }
    }

    /// True when the member is present, `null` included.
    package func has(_ name: String) -> Bool { members[name] != nil }

    /// For rules between members: adds an error at `name`.
    package mutating func refuse(_ name: String, _ detail: String) { errors.append(.init(pointer(name), detail)) }

    /// A required member. `placeholder` takes its place until `finish` throws.
    package mutating func required<Value>(_ name: String, _ placeholder: Value, _ read: (inout Fields) -> Value?) -> Value {
        let before = errors.count
        if let value = read(&self) { return value }
        if errors.count == before { refuse(name, "is required") }
        return placeholder
    }

    /// The three states of a PATCH member.
    package mutating func patch<Value>(_ name: String, _ read: (inout Fields) -> Value?) -> Patch<Value> {
        switch members[name] {
        case nil: .absent
        case .null: .clear
        default: read(&self).map { .set($0) } ?? .absent
        }
    }

    /// A text of a PATCH. An empty one clears as `null` does: many clients' encoders leave a `null` out.
    /// - Parameter max: in Unicode code points.
    package mutating func patchText(_ name: String, max: Int) -> Patch<String> {
        let patch = self.patch(name) { $0.text(name, max: max) }
        if case .set(let text) = patch, text.isEmpty { return .clear }
        return patch
    }

    /// A PATCH member whose values are texts of a form, such as language tags. `""` clears as `null` does.
    package mutating func patchWord<Value>(_ name: String, _ read: (inout Fields) -> Value?) -> Patch<Value> {
        members[name] == .string("") ? .clear : patch(name, read)
    }

    /// A PATCH member whose values are integers from 1 on. 0 clears as `null` does.
    package mutating func patchCount(_ name: String, max: Int64) -> Patch<Int> {
        let patch = self.patch(name) { $0.integer(name, in: 0...max).map { Int(clamping: $0) } }
        if case .set(0) = patch { return .clear }
        return patch
    }

    /// A nested object; its errors are added to these.
    package mutating func nested<Value>(_ name: String, _ read: (inout Fields) -> Value) -> Value? {
        guard let value = value(name) else { return nil }
        var inner = Fields(value, at: pointer(name))
        let result = read(&inner)
        errors.append(contentsOf: inner.errors)
        return result
    }

    /// nil for absent and for `null`.
    func value(_ name: String) -> JSONValue? {
        guard let value = members[name], value != .null else { return nil }
        return value
    }

    /// For a PATCH: refuses members that it does not change, because a misspelt one would look like a change that was made.
    mutating func refuseOthers(than known: [String]) {
        let members = "is not a member that can be changed here: \(known.joined(separator: ", "))"
        for name in self.members.names.filter({ !known.contains($0) }).sorted().prefix(Self.mostErrors) {
            if name.unicodeScalars.count <= 64 {
                refuse(name, members)
            } else {
                errors.append(.init(prefix, "has a member with a name of more than 64 characters"))
            }
        }
    }

    func pointer(_ name: String) -> String {
        prefix + "/"
            + name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
    }
}
