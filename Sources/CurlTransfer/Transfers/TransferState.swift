/// How a transfer ended.
struct TransferEnd: Sendable {
    /// nil for success.
    var error: TransferError?
    /// The last status of the other side, 0 for none. SMTP: the last reply's code.
    var code: Int
    /// The whole request body was handed to libcurl.
    var wasSent = false
    /// Libcurl's number, for results that depend on more than the error.
    var result: UInt32 = 0
}

/// What the loop's thread and the caller's task share, under one lock.
struct TransferState {
    typealias Waiter = CheckedContinuation<Void, Never>

    // From the other side.
    var headReader = ResponseHeadReader()
    var head: ResponseHead?
    var chunks: [[UInt8]] = []
    var buffered = 0
    var isReceivePaused = false

    // To the other side.
    var outgoing: [UInt8] = []
    var offset = 0
    var isOutgoingComplete = false
    var isSendPaused = false

    /// Set by a callback that makes libcurl stop: what the caller is told instead of libcurl's own error.
    var verdict: TransferError?
    var end: TransferEnd?
    /// The task that reads, and the one that feeds the request's body.
    var reader: Waiter?
    var feeder: Waiter?

    var hasSentAll: Bool { isOutgoingComplete && offset == outgoing.count }
}
