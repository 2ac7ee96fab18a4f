import CLibcurl
import Glibc
import Synchronization

/// libcurl's callbacks, on the loop's thread. None of them blocks.
extension Transfer {
    static let pause = Int(CURL_WRITEFUNC_PAUSE)
    static let pauseUpload = Int(CURL_READFUNC_PAUSE)
    static let abortUpload = Int(CURL_READFUNC_ABORT)

    /// - Returns: the number of bytes accepted, `pause`, or 0 to stop.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        let (taken, reader) = state.withLock { state -> (Int, TransferState.Waiter?) in
            guard state.end == nil else { return (0, nil) }
            guard state.buffered < Self.highWater else {
                state.isReceivePaused = true
                return (Self.pause, nil)
            }
            state.chunks.append(Array(bytes))
            state.buffered += bytes.count
            defer { state.reader = nil }
            return (bytes.count, state.reader)
        }
        reader?.resume()
        return taken
    }

    func receive(header line: UnsafeRawBufferPointer) -> Int {
        let (taken, reader) = state.withLock { state -> (Int, TransferState.Waiter?) in
            // Trailers arrive here too, after the head.
            guard state.end == nil, state.head == nil else { return (line.count, nil) }
            switch state.headReader.take(line) {
            case .more: return (line.count, nil)
            case .tooLarge:
                state.verdict = .tooLarge
                return (0, nil)
            case .done(let head):
                state.head = head
                defer { state.reader = nil }
                return (line.count, state.reader)
            }
        }
        reader?.resume()
        return taken
    }

    /// A line of a mail server's reply, of which only the numbers of a refusal are kept, and what it is about. After one libcurl sends QUIT, which
    /// is answered, too.
    func receive(reply line: UnsafeRawBufferPointer) {
        if line.starts(with: "25".utf8), line.count < 4 || line[3] != UInt8(ascii: "-") { state.withLock { $0.done += 1 } }
        guard let first = line.first, first == UInt8(ascii: "4") || first == UInt8(ascii: "5") else { return }
        state.withLock { state in
            // Of several lines of one reply some may lack it.
            let status = EnhancedStatus(reply: line) ?? (state.isInReply ? state.enhanced : nil)
            if first == UInt8(ascii: "5"), case .smtp(let plan) = self.plan.kind {
                let isRelays = state.isInReply && state.refusal?.isAboutClient == true || SMTPRefusal.isAboutClient(line)
                state.refusal = SMTPRefusal(
                    step: SMTPRefusal.Step(done: state.done, requiresTLS: plan.requiresTLS), isAboutClient: isRelays)
            }
            (state.enhanced, state.isInReply) = (status, line.count > 3 && line[3] == UInt8(ascii: "-"))
        }
    }

    /// - Returns: the number of bytes written, 0 at the end, `pauseUpload` or `abortUpload`.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let (count, feeder) = state.withLock { state -> (Int, TransferState.Waiter?) in
            guard state.end == nil else { return (Self.abortUpload, nil) }
            let count = min(buffer.count, state.outgoing.count - state.offset)
            if count > 0 {
                state.outgoing[state.offset..<state.offset + count].withUnsafeBytes { buffer.copyMemory(from: $0) }
                state.offset += count
                return (count, nil)
            }
            if state.isOutgoingComplete { return (0, nil) }
            state.isSendPaused = true
            defer { state.feeder = nil }
            return (Self.pauseUpload, state.feeder)
        }
        feeder?.resume()
        return count
    }

    /// Rewinds a request that libcurl repeats on a new connection: possible when the whole body is in memory.
    func rewind() -> Bool {
        state.withLock { state in
            guard state.isOutgoingComplete, case .http(_, _, let length, _, _, _) = plan.kind, length == Int64(state.outgoing.count) else {
                return false
            }
            state.offset = 0
            return true
        }
    }

    /// The socket for one address of the target, or `CURL_SOCKET_BAD`; then libcurl tries the next address.
    func socket(for address: UnsafeMutablePointer<curl_sockaddr>, checksAddress: Bool) -> curl_socket_t {
        let peer = address.pointee
        let isPublic = withUnsafePointer(to: &address.pointee.addr) { PeerAddress.isPublic($0, length: peer.addrlen) }
        let target = plan.url.target
        let isAllowed = peer.family == AF_UNIX ? target.socket != nil : !checksAddress || target.mayBePrivate || isPublic
        guard isAllowed else {
            state.withLock { $0.verdict = .notAllowed }
            return CURL_SOCKET_BAD
        }
        return Glibc.socket(peer.family, peer.socktype | Int32(SOCK_CLOEXEC.rawValue), peer.protocol)
    }

    /// The directions to pause, as `curl_easy_pause` takes them.
    var pauseMask: Int32 {
        state.withLock { ($0.isReceivePaused ? CURLPAUSE_RECV : 0) | ($0.isSendPaused ? CURLPAUSE_SEND : 0) }
    }

    /// Called when the handle has left the loop.
    func finish(result: CURLcode, code: Int) {
        let (verdict, wasSent, enhanced, refusal) = state.withLock { ($0.verdict, $0.hasSentAll, $0.enhanced, $0.refusal) }
        var error = TransferError(result)
        // A refused address is no failure when another one answered, and not the cause of a later failure.
        if let verdict, error != nil, verdict != .notAllowed || error == .couldNotConnect { error = verdict }
        finish(TransferEnd(error: error, code: code, enhanced: enhanced, refusal: refusal, wasSent: wasSent, result: result.rawValue))
    }
}

extension TransferError {
    /// nil for success.
    init?(_ result: CURLcode) {
        switch result {
        case CURLE_OK: return nil
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_SEND_FAIL_REWIND, CURLE_GOT_NOTHING:
            self = .couldNotConnect
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
            self = .tls
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_FILESIZE_EXCEEDED: self = .tooLarge
        default: self = .protocol(Int32(bitPattern: result.rawValue))
        }
    }
}
