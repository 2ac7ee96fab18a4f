@testable import DiaryCore

extension RotationOutcome {
    var isRotated: Bool { if case .rotated = self { true } else { false } }
    var isRepeated: Bool { if case .withinGrace = self { true } else { false } }
}
