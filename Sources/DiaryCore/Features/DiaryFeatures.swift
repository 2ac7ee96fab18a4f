/// The features of the API. Each adds its facade in an extension, in the facade's own file; a facade is made from the ports when it is read.
package struct DiaryFeatures: Sendable {
    let ports: FeaturePorts

    package init(_ ports: FeaturePorts) { self.ports = ports }
}
