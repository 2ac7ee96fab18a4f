extension EngineSettings {
    /// Whether its calls carry words or recordings to another machine. Every server counts as one, whatever its address says, unless the operator
    /// has marked it: a name can lead elsewhere tomorrow, and a loopback address may be a proxy.
    package var leavesMachine: Bool { kind.isServer && !isLocal }
}
