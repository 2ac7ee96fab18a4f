/// First in, first out; appending and taking are O(1) on average.
struct RequestQueue {
    private var requests: [DatabaseRequest?] = []
    private var head = 0

    var isEmpty: Bool { head == requests.count }
    var count: Int { requests.count - head }
    var first: DatabaseRequest? { isEmpty ? nil : requests[head] }

    mutating func append(_ request: DatabaseRequest) {
        requests.append(request)
    }

    /// For a request returned by a broken connection, which keeps its turn.
    mutating func prepend(_ request: DatabaseRequest) {
        if head > 0 {
            head -= 1
            requests[head] = request
        } else {
            requests.insert(request, at: 0)
        }
    }

    mutating func popFirst() -> DatabaseRequest? {
        guard !isEmpty else { return nil }
        let request = requests[head]
        requests[head] = nil
        head += 1
        if head > 64, head * 2 > requests.count {
            requests.removeFirst(head)
            head = 0
        }
        return request
    }
}
