/// The engines of an app, as its accounts see them.
package struct EngineFeature: Sendable {
    package let list: ListEngines

    init(_ ports: FeaturePorts) { list = ListEngines(engines: ports.engines) }
}

extension DiaryFeatures {
    package var engines: EngineFeature { EngineFeature(ports) }
}
