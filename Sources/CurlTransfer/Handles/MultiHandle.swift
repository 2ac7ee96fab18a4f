import CLibcurl

/// The only owner of a `CURLM`, and so of the connections kept between transfers.
///
/// Unchecked Sendable: all but `wakeUp` is called on the loop's thread, and `curl_multi_wakeup` may be called from any.
final class MultiHandle: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer

    init?(maximumConnections: Int) {
        guard CurlLibrary.isReady, let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
        guard diary_curl_multi_set_long(pointer, CURLMOPT_MAX_TOTAL_CONNECTIONS, max(1, maximumConnections)) == CURLM_OK else { return nil }
    }

    deinit { curl_multi_cleanup(pointer) }

    func wakeUp() { curl_multi_wakeup(pointer) }

    func add(_ easy: EasyHandle) -> Bool { curl_multi_add_handle(pointer, easy.pointer) == CURLM_OK }
    func remove(_ easy: EasyHandle) { curl_multi_remove_handle(pointer, easy.pointer) }

    func perform() {
        var running: Int32 = 0
        curl_multi_perform(pointer, &running)
    }

    /// Waits for a socket, a timer of libcurl, `wakeUp`, or the timeout.
    func poll(milliseconds: Int32) {
        curl_multi_poll(pointer, nil, 0, milliseconds, nil)
    }

    func nextDone() -> (easy: UnsafeMutableRawPointer, result: CURLcode)? {
        var result = CURLE_OK
        return diary_curl_next_done(pointer, &result).map { ($0, result) }
    }
}

/// Initialises libcurl once per process and never cleans up (thread-safe since 7.84).
enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
