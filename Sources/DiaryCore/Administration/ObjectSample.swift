/// A number of objects out of many, each as likely as the others, without keeping the others in memory (reservoir sampling).
struct ObjectSample {
    let most: Int
    private(set) var chosen: [NamedObject] = []
    private var offered = 0

    init(_ most: Int) { self.most = most }

    mutating func offer(_ object: NamedObject) {
        offered += 1
        if chosen.count < most {
            chosen.append(object)
        } else if most > 0 {
            let place = Int.random(in: 0..<offered)
            if place < most { chosen[place] = object }
        }
    }
}
