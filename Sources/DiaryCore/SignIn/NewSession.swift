package struct NewSession: Sendable {
    package var id: SessionID
    package var deviceSealed: [UInt8]?
    package var placeSealed: [UInt8]?
    package var refreshHash: [UInt8]
    package var idleSeconds: Int
    package var absoluteSeconds: Int
    /// The origin of the request that opens it, for the event.
    package var requestID: String?

    package init(
        id: SessionID, deviceSealed: [UInt8]?, placeSealed: [UInt8]? = nil, refreshHash: [UInt8], idleSeconds: Int, absoluteSeconds: Int,
        requestID: String? = nil
    ) {
        self.id = id
        self.deviceSealed = deviceSealed
        self.placeSealed = placeSealed
        self.refreshHash = refreshHash
        self.idleSeconds = idleSeconds
        self.absoluteSeconds = absoluteSeconds
        self.requestID = requestID
    }
}
