// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

extension ListenerLimits {
    package init(
        headerBytes: Int = 16 * 1024, headerCount: Int = 100, uriBytes: Int = 8 * 1024, connections: Int = 2000,
        connectionsPerAddress: Int = 2000, idle: Double = 60.0, head: Double = 10.0, bodyGrace: Double = 10.0,
        bodyBytesPerSecond: Double = 1024.0, collectedBody: Double = 120.0, bodyStall: Double = 60.0, writeStall: Double = 60.0,
        writeGrace: Double = 60.0, answerBytes: Int = 64 * 1024 * 1024, notSentBytes: Int = 64 * 1024, lingerSeconds: Double = 2.0,
        lingerBytes: Int = 256 * 1024, drainWait: Double = 1.0, _: Void = ()
    ) {
        self.headerBytes = headerBytes
        self.headerCount = headerCount
        self.uriBytes = uriBytes
        self.connections = connections
        self.connectionsPerAddress = connectionsPerAddress
        self.idle = idle
        self.head = head
        self.bodyGrace = bodyGrace
        self.bodyBytesPerSecond = bodyBytesPerSecond
        self.collectedBody = collectedBody
        self.bodyStall = bodyStall
        self.writeStall = writeStall
        self.writeGrace = writeGrace
        self.answerBytes = answerBytes
        self.notSentBytes = notSentBytes
        self.lingerSeconds = lingerSeconds
        self.lingerBytes = lingerBytes
        self.drainWait = drainWait
    }
}
