import HTTPTypes

/// All operations of a listener, and the one place that knows which path has which methods.
package struct RouteTable: Sendable {
    package let routes: [Route]
    private var root = Node()

    /// - Precondition: the composition declares each method and template once; a second is the later one's.
    package init(_ routes: [Route]) {
        self.routes = routes
        for route in routes { root.insert(route, Self.segments(route.template)[...], names: []) }
    }

    /// For the contract test that holds the table against openapi.yaml.
    package var operations: [(method: String, template: String)] { routes.map { ($0.method.rawValue, $0.template) } }

    enum Match: Sendable {
        case found(Route, parameters: [String: String])
        /// The path is known; these are its methods.
        case otherMethod(template: String, allow: String)
        case nothing
        /// A broken percent-escape.
        case malformed
    }

    /// - Parameter path: undecoded, without the query. GET routes answer HEAD too.
    func match(_ method: HTTPRequest.Method, path: String) -> Match {
        guard path.hasPrefix("/") else { return .nothing }
        var segments: [String] = []
        for segment in Self.segments(path) {
            guard let decoded = PercentDecoding.decode(segment) else { return .malformed }
            segments.append(decoded)
        }
        guard let (leaf, values) = root.find(segments[...]) else { return .nothing }
        guard let found = leaf.methods[method.rawValue] ?? (method == .head ? leaf.methods["GET"] : nil) else {
            return .otherMethod(template: leaf.template, allow: leaf.allow)
        }
        return .found(found.route, parameters: Dictionary(zip(found.names, values)) { first, _ in first })
    }

    private static func segments(_ path: String) -> [String] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    private struct Entry: Sendable {
        var route: Route
        var names: [String]
    }

    private struct Node: Sendable {
        var words: [String: Node] = [:]
        /// One node for `{x}`, one for `{x+}`; arrays because a struct cannot hold itself.
        var parameter: [Node] = []
        var rest: [Node] = []
        var methods: [String: Entry] = [:]
        var template = ""

        var allow: String {
            var names = Set(methods.keys)
            if names.contains("GET") { names.insert("HEAD") }
            names.insert("OPTIONS")
            return names.sorted().joined(separator: ", ")
        }

        mutating func insert(_ route: Route, _ segments: ArraySlice<String>, names: [String]) {
            guard let segment = segments.first else {
                template = route.template
                methods[route.method.rawValue] = Entry(route: route, names: names)
                return
            }
            let next = segments.dropFirst()
            if segment.hasPrefix("{"), segment.hasSuffix("+}") {
                var node = rest.first ?? Node()
                node.insert(route, [], names: names + [String(segment.dropFirst().dropLast(2))])
                rest = [node]
            } else if segment.hasPrefix("{"), segment.hasSuffix("}") {
                var node = parameter.first ?? Node()
                node.insert(route, next, names: names + [String(segment.dropFirst().dropLast())])
                parameter = [node]
            } else {
                words[segment, default: Node()].insert(route, next, names: names)
            }
        }

        /// Words before parameters before rests.
        func find(_ segments: ArraySlice<String>) -> (Node, [String])? {
            guard let segment = segments.first else { return methods.isEmpty ? nil : (self, []) }
            if let found = words[segment]?.find(segments.dropFirst()) { return found }
            if !segment.isEmpty, !segment.contains("/"), let (leaf, values) = parameter.first?.find(segments.dropFirst()) {
                return (leaf, [segment] + values)
            }
            if let leaf = rest.first, !segments.allSatisfy(\.isEmpty), !segments.contains(where: { $0.contains("/") }) {
                return (leaf, [segments.joined(separator: "/")])
            }
            return nil
        }
    }
}
