package struct NewSession: Sendable {
    package var id: SessionID
    package var deviceSealed: [UInt8]?
    package var placeSealed: [UInt8]?
    package var refreshHash: [UInt8]
    package var idleSeconds: Int
    package var absoluteSeconds: Int
    /// The id of the request that opens it, for the event.
    package var requestID: String?
}
