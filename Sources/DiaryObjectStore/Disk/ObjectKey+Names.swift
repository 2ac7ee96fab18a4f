import DiaryCore

extension ObjectKey {
    var tenantName: String { tenant.description }
    var userName: String { user.description }
    var objectName: String { object.lowercaseText }
}
