package import FoundationEssentials

/// A place in the list of events.
package struct EventPosition: Sendable, Equatable {
    package var at: Date
    package var id: UUID

    /// Opaque to clients; of the same form as a listing's.
    package var text: String { DateCursor(position: DatePosition(recordedAt: at, id: EntryID(id))).text }
}
