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
/// Members that no call has asked for are refused at the end: a misspelt one would otherwise look like one that was taken. So every member
/// of an operation is asked for, whatever the others say. Absent and `null` read the same, except through `patch`.
package struct Fields: Sendable {
    let members: JSONObject
    let prefix: String
    package internal(set) var errors: [DiaryError.Field] = []
    /// Names of members that calls have asked for, also of those that are not there.
    private var asked: Set<String> = []

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

    /// Throws when a value was not acceptable, or there are members that no call has asked for. Use the values only after this.
    /// - Parameter ignoringOthers: for a body that another service writes, which may add members.
    package mutating func finish(ignoringOthers: Bool = false) throws(DiaryError) {
        if !ignoringOthers { refuseOthers() }
        guard errors.isEmpty else { throw DiaryError(.invalidFields, fields: Array(errors.prefix(Self.mostErrors))) }
    }

    /// True when the member is present, `null` included.
    package mutating func has(_ name: String) -> Bool { member(name) != nil }

    mutating func isNull(_ name: String) -> Bool { member(name) == .null }

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
        switch member(name) {
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
        member(name) == .string("") ? .clear : patch(name, read)
    }

    /// A PATCH member whose values are integers from 1 on. 0 clears as `null` does.
    package mutating func patchCount(_ name: String, max: Int64) -> Patch<Int> {
        let patch = self.patch(name) { $0.integer(name, in: 0...max).map { Int(clamping: $0) } }
        if case .set(0) = patch { return .clear }
        return patch
    }

    /// A nested object; its errors are added to these, and its members that no call has asked for are refused.
    package mutating func nested<Value>(_ name: String, _ read: (inout Fields) -> Value) -> Value? {
        guard let value = value(name) else { return nil }
        var inner = Fields(value, at: pointer(name))
        let result = read(&inner)
        inner.refuseOthers()
        errors.append(contentsOf: inner.errors)
        return result
    }

    /// nil for absent and for `null`.
    mutating func value(_ name: String) -> JSONValue? {
        guard let value = member(name), value != .null else { return nil }
        return value
    }

    private mutating func member(_ name: String) -> JSONValue? {
        asked.insert(name)
        return members[name]
    }

    /// Refuses the members that no call has asked for, each once; `finish` does so, too.
    mutating func refuseOthers() {
        let others = members.names.filter { !asked.contains($0) }.sorted()
        guard !others.isEmpty else { return }
        let known = asked.sorted().joined(separator: ", ")
        for name in others.prefix(Self.mostErrors) {
            if name.unicodeScalars.count <= 64 {
                refuse(name, "is not a member here: \(known)")
            } else {
                errors.append(.init(prefix, "has a member with a name of more than 64 characters"))
            }
        }
        asked.formUnion(others)
    }

    func pointer(_ name: String) -> String {
        prefix + "/"
            + name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
    }
}
