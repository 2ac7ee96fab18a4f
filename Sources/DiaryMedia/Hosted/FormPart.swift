/// One part of a `multipart/form-data` body. Names are the code's own: ASCII without quotes and line ends.
package enum FormPart: Sendable, Equatable {
    case field(_ name: String, _ value: String)
    /// A file on disk, read while it is sent.
    /// - path: a regular file that does not change meanwhile.
    case file(_ name: String, path: String, fileName: String, contentType: String)
}
