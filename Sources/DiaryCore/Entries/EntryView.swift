/// How much of an entry a list shows. `summary` leaves out the long texts; the machine's part is not even read.
package enum EntryView: String, Sendable, CaseIterable { case full, summary }
