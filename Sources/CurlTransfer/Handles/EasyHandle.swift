import CLibcurl

/// The only owner of a `CURL`, set up for one transfer. Used on the loop's thread only.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    let transfer: Transfer
    /// Headers or recipients; libcurl reads the list until the handle is freed.
    let lines: TextList
    let checksAddress: Bool

    /// - Throws: `notAllowed` when libcurl refuses an option; then nothing is sent.
    init(_ transfer: Transfer, _ configuration: TransferConfiguration) throws(TransferError) {
        let texts =
            switch transfer.plan.kind {
            // Without "Expect:" libcurl waits a second for "100 Continue" before larger bodies.
            case .http(_, let headers, _, _, _, _): headers + ["Expect:"]
            case .smtp(let plan): ["<\(plan.recipient)>"]
            }
        guard let lines = TextList(texts), let pointer = curl_easy_init() else {
            throw .protocol(Int32(bitPattern: CURLE_FAILED_INIT.rawValue))
        }
        self.pointer = pointer
        self.transfer = transfer
        self.lines = lines
        checksAddress = configuration.proxy == nil
        try setUp(configuration)
        switch transfer.plan.kind {
        case .http(let method, _, let length, let hasBody, let isRepeatable, let maximum):
            try setUpHTTP(method, length: hasBody ? .some(length) : nil, isRepeatable: isRepeatable, maximum: maximum)
        case .smtp(let plan): try setUpSMTP(plan)
        }
    }

    deinit { curl_easy_cleanup(pointer) }

    func applyPauses() { curl_easy_pause(pointer, transfer.pauseMask) }

    var responseCode: Int { diary_curl_response_code(pointer) }

    private func setUp(_ configuration: TransferConfiguration) throws(TransferError) {
        let plan = transfer.plan
        try check(diary_curl_set_url(pointer, plan.url.pointer))
        try set(CURLOPT_PROTOCOLS_STR, plan.url.target.scheme.rawValue)
        try set(CURLOPT_REDIR_PROTOCOLS_STR, plan.url.target.scheme.rawValue)
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        if let socket = plan.url.target.socket { try set(CURLOPT_UNIX_SOCKET_PATH, socket) }
        // An empty proxy means none, even if the environment names one.
        try set(CURLOPT_PROXY, configuration.proxy ?? "")
        try set(CURLOPT_NOPROXY, "")
        // No SIGALRM on the service's threads; name look-ups run on libcurl's threads. An abandoned look-up is not waited for; it
        // frees itself.
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.certificateFile {
            try set(CURLOPT_CAINFO, file)
            try set(CURLOPT_CAPATH, nil)
        }
        if plan.isAlone {
            try set(CURLOPT_FRESH_CONNECT, 1)
            try set(CURLOPT_FORBID_REUSE, 1)
        }
        let deadlines = plan.deadlines
        try set(CURLOPT_CONNECTTIMEOUT_MS, deadlines.connect.milliseconds)
        try set(CURLOPT_TIMEOUT_MS, deadlines.total.milliseconds)
        let stall = max(1, (deadlines.stall.milliseconds + 999) / 1000)
        try set(CURLOPT_LOW_SPEED_LIMIT, 1)
        try set(CURLOPT_LOW_SPEED_TIME, stall)
        try set(CURLOPT_SERVER_RESPONSE_TIMEOUT, stall)
        try check(
            diary_curl_on_socket(
                pointer,
                { context, _, address in
                    guard let handle = EasyHandle.from(context), let address else { return CURL_SOCKET_BAD }
                    return handle.transfer.socket(for: address, checksAddress: handle.checksAddress)
                }, context))
        try check(
            diary_curl_on_upload(
                pointer,
                { bytes, size, count, context in
                    guard let handle = EasyHandle.from(context), let bytes else { return Transfer.abortUpload }
                    return handle.transfer.send(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
                }, context))
    }

    // MARK: Options

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The loop keeps the handle for as long as libcurl can call back.
    static func from(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
        context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    func set(_ option: CURLoption, _ value: Int) throws(TransferError) { try check(diary_curl_set_long(pointer, option, value)) }

    func set(_ option: CURLoption, _ value: String?) throws(TransferError) {
        if let value {
            try check(diary_curl_set_text(pointer, option, value))
        } else {
            try check(diary_curl_set_text(pointer, option, nil))
        }
    }

    func set(_ option: CURLoption, offset: Int64) throws(TransferError) {
        try check(diary_curl_set_offset(pointer, option, curl_off_t(offset)))
    }

    func check(_ code: CURLcode) throws(TransferError) {
        guard code == CURLE_OK else { throw .notAllowed }
    }
}

extension Duration {
    /// Rounded up; at least 1, because libcurl reads 0 as no limit.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return max(1, Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}

/// The only owner of a `curl_slist`.
struct TextList: ~Copyable {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    init?(_ texts: [String]) {
        for text in texts {
            guard let longer = curl_slist_append(pointer, text) else {
                curl_slist_free_all(pointer)
                return nil
            }
            pointer = longer
        }
    }

    deinit { curl_slist_free_all(pointer) }
}
