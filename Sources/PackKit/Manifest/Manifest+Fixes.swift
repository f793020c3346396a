import Findings
import Formats
import Spelling

extension Manifest {
  /// The edit that gives a text what it was surely meant to be; nil if that is not sure.
  func fix(of text: Located<String>, _ meant: NearName?) -> TextEdit? {
    meant?.sureName.flatMap { self.text.replacing(stringAt: text.offset, by: $0) }
  }
}
