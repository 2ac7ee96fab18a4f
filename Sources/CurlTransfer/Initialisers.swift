// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

extension ResponseHead {
    package init(status: Int, headers: [(name: String, value: String)], _: Void = ()) {
        self.status = status
        self.headers = headers
    }
}

extension CollectedResponse {
    package init(head: ResponseHead, body: [UInt8], _: Void = ()) {
        self.head = head
        self.body = body
    }
}

extension SMTPDelivery {
    package init(
        server: SMTPServer, sender: String, recipient: String, message: [UInt8],
        deadlines: TransferDeadlines = TransferDeadlines(connect: .seconds(10), total: .seconds(120), stall: .seconds(60)), _: Void = ()
    ) {
        self.server = server
        self.sender = sender
        self.recipient = recipient
        self.message = message
        self.deadlines = deadlines
    }
}

extension TransferConfiguration {
    package init(
        hosts: [AllowedHost], certificateFile: String? = nil, proxy: String? = nil, userAgent: String = "diary",
        maximumConnections: Int = 64, _: Void = ()
    ) {
        self.hosts = hosts
        self.certificateFile = certificateFile
        self.proxy = proxy
        self.userAgent = userAgent
        self.maximumConnections = maximumConnections
    }
}

extension TransferDeadlines {
    package init(connect: Duration = .seconds(5), total: Duration = .seconds(30), stall: Duration = .seconds(15), _: Void = ()) {
        self.connect = connect
        self.total = total
        self.stall = stall
    }
}
