package import DiaryCore

/// Takes objects one after the other, as they are stored.
package protocol ObjectSink: AnyObject {
    func begin(_ key: ObjectKey) throws
    func write(_ bytes: [UInt8]) throws
    func end() throws
    /// Takes back the object that was begun; it may be begun again.
    func discard() throws
    /// Whether an object has been begun and ended.
    func has(_ key: ObjectKey) -> Bool
}
