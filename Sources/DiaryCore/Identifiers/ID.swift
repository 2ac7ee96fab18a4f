package import FoundationEssentials

/// An identifier that cannot be mistaken for another entity's. Each entity's stands with its feature, as in `Tenants/Tenant.swift`.
package struct ID<Entity>: Hashable, Sendable, CustomStringConvertible {
    package let uuid: UUID

    package init(_ uuid: UUID) { self.uuid = uuid }

    /// Parses the canonical 36-character form, in either case.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: String(text)) else { return nil }
        self.uuid = uuid
    }

    /// Lower case, as the public contract has it.
    package var description: String { uuid.lowercaseText }
}
