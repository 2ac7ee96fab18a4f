/// A rule that deletes objects, or moves them to another class of storage, by age.
package struct S3LifecycleRule: Sendable, Equatable {
    /// Empty for the whole bucket.
    package let prefix: String
    package let isEnabled: Bool
    package let expiresAfterDays: Int?
    package let abortsUploadsAfterDays: Int?
    package let expiresOldVersionsAfterDays: Int?
    /// The day on which it deletes, as the service writes it.
    package var expiresOn: String?
    /// Classes of storage to which it moves, whatever the age.
    package var transitions: [String] = []
    /// It is for objects with certain tags alone. This service gives its objects none.
    package var hasTags = false
}

extension S3LifecycleRule {
    /// - Parameter rule: an element `Rule` of a configuration. Its filter is a prefix, a tag, or several of them in `And`.
    init(_ rule: XMLElement) {
        let filter = rule.first("Filter")
        let and = filter?.first("And")
        let days = { (element: String, name: String) in rule.first(element)?.text(name).flatMap { Int($0) } }
        self.init(
            prefix: rule.text("Prefix") ?? filter?.text("Prefix") ?? and?.text("Prefix") ?? "", isEnabled: rule.text("Status") == "Enabled",
            expiresAfterDays: days("Expiration", "Days"),
            abortsUploadsAfterDays: days("AbortIncompleteMultipartUpload", "DaysAfterInitiation"),
            expiresOldVersionsAfterDays: days("NoncurrentVersionExpiration", "NoncurrentDays"),
            expiresOn: rule.first("Expiration")?.text("Date"), transitions: rule.all("Transition").map { $0.text("StorageClass") ?? "?" },
            hasTags: [filter, and].contains { $0?.first("Tag") != nil })
    }
}
