package import FoundationEssentials

/// An identifier that cannot be mistaken for another entity's.
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

package enum Tenants {}
package enum Users {}
package enum Sessions {}
package enum Identities {}
package enum Entries {}
package enum Exports {}
package enum ExportSchedules {}
package enum Jobs {}
package enum Mails {}
package enum Deletions {}
package enum Objects {}
package enum Imports {}

package typealias TenantID = ID<Tenants>
package typealias UserID = ID<Users>
package typealias SessionID = ID<Sessions>
package typealias IdentityID = ID<Identities>
package typealias EntryID = ID<Entries>
package typealias ExportID = ID<Exports>
package typealias ExportScheduleID = ID<ExportSchedules>
package typealias JobID = ID<Jobs>
package typealias MailID = ID<Mails>
package typealias DeletionID = ID<Deletions>
package typealias ObjectID = ID<Objects>
package typealias ImportID = ID<Imports>
