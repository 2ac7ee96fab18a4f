/// The two stages whose work an engine does.
package enum EngineStage: String, Sendable, CaseIterable, Codable { case speech, text }
