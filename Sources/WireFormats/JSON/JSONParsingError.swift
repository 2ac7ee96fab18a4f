/// Why a document is not JSON: constant words and an offset, never a piece of the document.
package struct JSONParsingError: Error, Sendable, Equatable {
    package var reason: String
    /// Bytes from the document's start.
    package var offset: Int
}
