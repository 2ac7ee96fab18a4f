/// The bytes of a column inside the server's answer.
///
/// Unchecked: an answer does not change once it was received.
package struct LentBytes: @unchecked Sendable {
    package let bytes: UnsafeRawBufferPointer
    /// Keeps `bytes` valid and unchanged as long as it lives.
    package let owner: any AnyObject & Sendable
}
