import HTTPTypes
import WireFormats

/// All operations of a listener; finds the route of a method and path.
package struct RouteTable: Sendable {
    package let routes: [Route]
    private var root = Node()
    /// Paths without parameters, found by one look-up.
    private var fixed: [String: Leaf] = [:]

    /// - Precondition: each method and template is declared once; otherwise the later route is used.
    package init(_ routes: [Route]) {
        self.routes = routes
        for route in routes {
            root.insert(route, Self.segments(route.template)[...], names: [])
            if !route.template.contains("{") { fixed[route.template, default: Leaf()].add(route, names: []) }
        }
    }

    /// For the contract test that compares the table with openapi.yaml.
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
        if let leaf = fixed[path] { return leaf.match(method, []) }
        guard path.utf8.first == UInt8(ascii: "/") else { return .nothing }
        var segments = Self.segments(path)
        if path.utf8.contains(UInt8(ascii: "%")) {
            for index in segments.indices {
                guard let decoded = PercentEncoding.decodeText(segments[index]) else { return .malformed }
                segments[index] = decoded
            }
        }
        guard let (leaf, values) = root.find(segments[...]) else { return .nothing }
        return leaf.match(method, values)
    }

    private static func segments(_ path: String) -> [String] {
        path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// A path's template and its routes by method.
    private struct Leaf: Sendable {
        private struct Entry: Sendable {
            var route: Route
            var names: [String]
        }

        private var methods: [String: Entry] = [:]
        private var template = ""

        mutating func add(_ route: Route, names: [String]) {
            template = route.template
            methods[route.method.rawValue] = Entry(route: route, names: names)
        }

        func match(_ method: HTTPRequest.Method, _ values: [String]) -> Match {
            guard let found = methods[method.rawValue] ?? (method == .head ? methods["GET"] : nil) else {
                return .otherMethod(template: template, allow: allow)
            }
            return .found(found.route, parameters: values.isEmpty ? [:] : Dictionary(zip(found.names, values)) { first, _ in first })
        }

        private var allow: String {
            var names = Set(methods.keys)
            if names.contains("GET") { names.insert("HEAD") }
            names.insert("OPTIONS")
            return names.sorted().joined(separator: ", ")
        }
    }

    private struct Node: Sendable {
        private var words: [String: Node] = [:]
        /// One node for `{x}`, one for `{x+}`; arrays because a struct cannot hold itself.
        private var parameter: [Node] = []
        /// Of the parameter that ends here.
        private var takesSlash = false
        private var rest: [Node] = []
        private var leaf: Leaf?

        mutating func insert(_ route: Route, _ segments: ArraySlice<String>, names: [String]) {
            guard let segment = segments.first else {
                var leaf = leaf ?? Leaf()
                leaf.add(route, names: names)
                self.leaf = leaf
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
                if route.takesSlash, next.isEmpty { node.takesSlash = true }
                parameter = [node]
            } else {
                words[segment, default: Node()].insert(route, next, names: names)
            }
        }

        /// Literal segments before parameters, those before a `{x+}`.
        func find(_ segments: ArraySlice<String>) -> (Leaf, [String])? {
            guard let segment = segments.first else { return leaf.map { ($0, []) } }
            if let found = words[segment]?.find(segments.dropFirst()) { return found }
            if !segment.isEmpty, let node = parameter.first, node.takesSlash || !segment.utf8.contains(UInt8(ascii: "/")),
                let (leaf, values) = node.find(segments.dropFirst())
            {
                return (leaf, [segment] + values)
            }
            if let leaf = rest.first?.leaf, !segments.allSatisfy(\.isEmpty), !segments.contains(where: { $0.contains("/") }) {
                return (leaf, [segments.joined(separator: "/")])
            }
            return nil
        }
    }
}
