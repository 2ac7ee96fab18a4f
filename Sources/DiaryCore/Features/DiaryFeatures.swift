/// The features of the API. Each feature adds its facade as a property in an extension, in the facade's own file; reading the property
/// makes the facade from the ports.
package struct DiaryFeatures: Sendable {
    let ports: FeaturePorts

    package init(_ ports: FeaturePorts) { self.ports = ports }
}
