/// Which text of an entry goes into the text files of an export. Stored and on the wire; raw values never change.
///
/// An entry without a text of the layer has no text file; the manifest says so.
package enum ExportLayer: String, Sendable, CaseIterable {
    case raw, clean, edited
    /// The text that the app shows: edited before clean before raw.
    case shown
}
