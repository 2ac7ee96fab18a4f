/// How much of an entry a list shows. `summary` is without its long texts, and the machine's are not read.
package enum EntryView: String, Sendable, CaseIterable { case full, summary }
