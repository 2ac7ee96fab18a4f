/// One argument of a command: any bytes. Arguments are length-prefixed on the wire, so no byte needs escaping.
package struct RedisArgument: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }
    package init(_ text: String) { bytes = Array(text.utf8) }
    package init(_ number: some BinaryInteger) { bytes = Array(String(number).utf8) }
    package init(stringLiteral text: String) { self.init(text) }
    package init(integerLiteral number: Int64) { self.init(number) }
}
