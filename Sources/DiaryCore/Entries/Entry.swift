/// An entry with its text, for its owner.
package struct Entry: Sendable {
    package var facts: EntryFacts
    package var personal: PersonalPart
    package var machine: MachinePart
    package var version: Int64
    package var damage: Damage = []

    /// Sealed parts that were altered in the database and do not open: their text is missing here, which differs from having none.
    package struct Damage: OptionSet, Sendable {
        package static let personal = Damage(rawValue: 1)
        package static let machine = Damage(rawValue: 2)
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// With its excerpt in place of the shown text, and without the others.
    package var withoutLongTexts: Entry {
        var entry = self
        entry.personal.corrected = nil
        entry.personal.notes = []
        entry.machine = MachinePart()
        entry.machine.summary = machine.summary
        switch shown {
        case .edited: entry.personal.edited = excerpt
        case .clean: entry.machine.clean = excerpt
        case .corrected, .raw: entry.machine.raw = excerpt
        }
        return entry
    }

    /// Its facts alone.
    package var withoutWords: Entry {
        var entry = self
        (entry.personal, entry.machine) = (PersonalPart(), MachinePart())
        return entry
    }

    package var isDamaged: Bool { !damage.isEmpty }

    package enum ShownText: Sendable { case edited, corrected, clean, raw }

    /// The text to show: the owner's before the machine's, cleaned before raw, either as corrected.
    package var shown: ShownText {
        personal.edited != nil ? .edited : personal.corrected != nil ? .corrected : machine.clean != nil ? .clean : .raw
    }

    package var text: String? {
        switch shown {
        case .edited: personal.edited
        case .corrected: personal.corrected?.text
        case .clean: machine.clean
        case .raw: machine.raw
        }
    }

    /// The beginning of the shown text.
    package var excerpt: String? { text.map(Excerpt.of) }
}
