/// How a transfer ended.
struct TransferEnd: Sendable {
    /// nil for success.
    var error: TransferError?
    /// The last status received, 0 for none. SMTP: the last reply's code.
    var code: Int
    /// SMTP: of the last reply that refused something.
    var enhanced: EnhancedStatus?
    /// SMTP: where the server refused; nil when it did not.
    var refusal: SMTPRefusal?
    /// libcurl has the whole request body.
    var wasSent = false
    /// libcurl's code, for results that depend on more than the error.
    var result: UInt32 = 0
}

/// State shared by the loop's thread and the caller's task, under one lock.
struct TransferState {
    typealias Waiter = CheckedContinuation<Void, Never>

    // Received.
    var headReader = ResponseHeadReader()
    var head: ResponseHead?
    var chunks: [[UInt8]] = []
    var buffered = 0
    var isReceivePaused = false
    /// SMTP: of the last reply that refused something.
    var enhanced: EnhancedStatus?
    /// Commands that the server has done: its replies 250 to 252.
    var done = 0
    var refusal: SMTPRefusal?
    /// Another line of that reply follows.
    var isInReply = false

    // To be sent.
    var outgoing: [UInt8] = []
    var offset = 0
    var isOutgoingComplete = false
    var isSendPaused = false

    /// Set by a callback that stops libcurl: reported to the caller instead of libcurl's error.
    var verdict: TransferError?
    var end: TransferEnd?
    /// The task that reads, and the one that sends the request's body.
    var reader: Waiter?
    var feeder: Waiter?

    var hasSentAll: Bool { isOutgoingComplete && offset == outgoing.count }
}
