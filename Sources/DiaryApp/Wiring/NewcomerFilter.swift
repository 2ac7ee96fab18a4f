import NIOCore

/// Makes the kernel drop the first packet of new connections to a listening TCP socket. What stands in its queue can then be taken to the
/// last, and closing it resets nobody. Who is dropped asks again after a second.
enum NewcomerFilter {
    /// One instruction of a classic BPF program (linux/filter.h).
    private struct Instruction {
        var code: UInt16
        var ifTrue: UInt8 = 0
        var ifFalse: UInt8 = 0
        var k: UInt32
    }

    /// `struct sock_fprog`; the instructions live as long as the process.
    private struct Program: @unchecked Sendable {
        var count: UInt16
        var instructions: UnsafePointer<Instruction>
    }

    /// SO_ATTACH_FILTER (socket(7)).
    private static let attachFilter = NIOBSDSocket.Option(rawValue: 26)

    private static let program: Program = {
        let instructions = [
            // The TCP flags: SYN without ACK is dropped.
            Instruction(code: 0x30, k: 13), Instruction(code: 0x54, k: 0x12), Instruction(code: 0x15, ifFalse: 1, k: 0x02),
            Instruction(code: 0x06, k: 0), Instruction(code: 0x06, k: .max),
        ]
        let memory = UnsafeMutablePointer<Instruction>.allocate(capacity: instructions.count)
        memory.initialize(from: instructions, count: instructions.count)
        return Program(count: UInt16(instructions.count), instructions: UnsafePointer(memory))
    }()

    /// Without effect on sockets of other kinds.
    static func attach(to listener: any Channel) {
        guard listener.localAddress?.port != nil, let socket = listener as? any SocketOptionProvider else { return }
        socket.unsafeSetSocketOption(level: .socket, name: attachFilter, value: program).whenFailure { _ in }
    }
}
