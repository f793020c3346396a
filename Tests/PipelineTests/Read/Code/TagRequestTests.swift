@testable import Formats
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests which tags the code of an app requests, and which tags it possibly requests.
@Suite struct TagRequestTests {
  private func requests(_ code: String, _ language: CodeLanguage = .swift) -> TagRequests {
    TagRequests(in: CodeTokens(SourceText(path: "code", bytes: Array(code.utf8)), language: language))
  }

  /// The result of a function call is not known before the app runs, but an argument of the call may be the
  /// tag.
  @Test func `strings in calls within a request are possible tags`() {
    let found = requests(#"let a = NSBundleResourceRequest(tags: [name(of: "Level 1"), "Menu"])"#)
    #expect(found.tags.map(\.value) == ["Menu"])
    #expect(found.possible == ["Level 1"])
    #expect(found.computed.count == 1)
  }

  @Test func `names stand for the strings that they were given`() {
    let found = requests(
      """
      let menu = ["Menu", "Title"]
      let request = NSBundleResourceRequest(tags: [menu, other])
      """)
    #expect(found.tags.map(\.value) == ["Menu", "Title"])
    // A name without a known string is treated as a tag that is made at run time only if the request contains
    // no known name.
    #expect(found.possible.isEmpty)
    let unknown = requests("let request = NSBundleResourceRequest(tags: [other])")
    #expect(unknown.tags.isEmpty && unknown.computed.count == 1)
    let plain = requests(#"let request = NSBundleResourceRequest(tags: ["A", "B"])"#)
    #expect(plain.tags.map(\.value) == ["A", "B"] && plain.computed.isEmpty && plain.possible.isEmpty)
    #expect(plain.tags.map(\.offset) == [45, 50])
  }

  /// Returns all that was found in one line, for example `tags A, B; computed 1`.
  ///
  /// `REQUEST` in the code stands for the name of Apple's class.
  private func facts(_ code: String, _ language: CodeLanguage) -> String {
    let code = code.replacingOccurrences(of: "REQUEST", with: "NSBundleResourceRequest")
    let found = requests(code, language)
    for string in found.tags + found.named {
      // The offset is the one of the quotes.
      #expect(Array(code.utf8)[string.offset] == UInt8(ascii: "\""), "\(code): \(string)")
    }
    let parts = [
      ("tags", found.tags.map(\.value)), ("named", found.named.map(\.value)), ("possible", found.possible),
      ("computed", found.computed.map { String(code.utf8.dropFirst($0).prefix(4)) ?? "" }),
    ]
    return parts.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
      .joined(separator: "; ")
  }

  @Test(arguments: [
    // The arguments of requests
    (#"REQUEST(tags: ["A"])"#, "tags A"), (#"REQUEST(tags: ["A"])REQUEST(tags: ["B"])"#, "tags A, B"),
    (#"REQUEST.init(tags: ["A"])"#, "tags A"), (#"REQUEST.load(["A"])"#, ""), (#"x: REQUEST = ["A"]"#, ""),
    (#"REQUEST: ["A"]"#, ""), (#"REQUEST ["A"]"#, ""), ("REQUEST", ""), ("REQUEST()", ""),
    ("REQUEST(tags:", ""), ("REQUEST(tags", "computed NSBu"), (#"REQUEST(tags: "A""#, "tags A"),
    (#"REQUEST(tags: "A"+"#, "possible A; computed NSBu"),
    (#"REQUEST(tags: ["A", "B"], bundle: "C")"#, "tags A, B"),
    (#"REQUEST(tags: ["("], bundle: "C")"#, "tags ("), (#"REQUEST("A", "B")"#, "tags A, B"),
    (#"REQUEST(tags "A")"#, "tags A; computed NSBu"),
    (#"REQUEST(tags: Set<String>(["A"]))"#, "tags A"),
    (#"REQUEST(tags: Set.all(["A"]))"#, "possible A; computed NSBu"),
    // The value that the request computes
    (#"REQUEST(tags: [REQUEST(tags: ["A"])])"#, "possible A; computed NSBu"),
    (#"REQUEST(tags: ["A" + "B"])"#, "possible A, B; computed NSBu"),
    (#"REQUEST(tags: ["\(a)"])"#, "computed NSBu"),
    (#"REQUEST(tags: [a, "A"])"#, "tags A; computed NSBu"),
    (#"REQUEST(tags: [a["A"]])"#, "possible A; computed NSBu"),
    (#"REQUEST(tags: [x: "A"])"#, "tags A; computed NSBu"),
    (#"REQUEST(tags: [a("X"), "A"])"#, "tags A; possible X; computed NSBu"),
    (#"let b = "B"; REQUEST(tags: [a("X") b])"#, "tags B; possible X; computed NSBu"),
    (#"let a = "A"; REQUEST(tags: [a("X")])"#, "tags A; possible X"),
    (#"let a = "A"; REQUEST(tags: [f(a, "B"), g(a)])"#, "possible A, B; computed NSBu"),
    // Requests whose type the context shows
    (#"let r: REQUEST = .init(tags: ["A"], bundle: "B")"#, "tags A"),
    (#"REQUEST? = .init(tags: ["A"])"#, "tags A"), (#"var r: REQUEST! = .init(tags: ["A"])"#, "tags A"),
    (#"-> REQUEST { .init(tags: ["A"]) }"#, "tags A"),
    (#"REQUEST { get { return .init(tags: ["A"]) } }"#, "tags A"),
    (#"x: REQUEST = .init(tags: ["A"])REQUEST(tags: ["B"])"#, "tags A, B"),
    (#"x: REQUEST = .init(tags: [REQUEST(tags: ["A"])])"#, "possible A; computed init"),
    (#"x: REQUEST = .init(names: ["A"])"#, ""), (#"x: REQUEST = init(tags: ["A"])"#, ""),
    (#"x: REQUEST = .init(tags ["A"])"#, ""), (#"x: REQUEST = .init[tags: ["A"]]"#, ""),
    (#"let n: Note = .init(tags: ["A"])"#, "possible A"), (#"make(.init(tags: ["A"]))"#, "possible A"),
    (#".init(tags: ["A"])"#, "possible A"), (#"= .init(tags: ["A"])"#, "possible A"),
    (#"let a = "A"; f(.init(tags: a))"#, "possible A"),
    (#"Note.init(tags: ["A"])"#, ""), (#"f().init(tags: ["A"])"#, ""), (#"a[0].init(tags: ["A"])"#, ""),
    (#"Set<A>.init(tags: ["A"])"#, ""), (#"return .init(tags: ["A"])"#, "possible A"),
    (#"x in .init(tags: ["A"])"#, "possible A"), (#"case .init(tags: ["A"])"#, "possible A"),
    (#"else .init(tags: ["A"])"#, "possible A"), (#"try await .init(tags: ["A"])"#, "possible A"),
    (#"try .init(tags: ["A"])"#, "possible A"), (#"get .init(tags: ["A"])"#, "possible A"),
  ])
  func `requests in Swift have tags`(_ code: String, _ expected: String) {
    #expect(facts(code, .swift) == expected)
  }

  @Test(arguments: [
    // With the OnDemand library, and without
    (#"import OnDemand; s.request(for: ["A"])"#, "tags A"),
    (#"s: PackStore; s.request(for: ["A"])"#, "tags A"),
    (#"s.request(for: ["A"])"#, "possible A"), (#"s.request(for: x)"#, ""), (#"s.request(for: "A")"#, ""),
    (#"OnDemand; s.request(for: x)"#, "computed requ"), (#"OnDemand; s.request(for: "A")"#, "tags A"),
    (#"OnDemand; request(for: ["A"])"#, ""), (#"OnDemand; s.request[for: ["A"]]"#, ""),
    (#"OnDemand; s.request(of: ["A"])"#, ""),
    (#"OnDemand; s.state(of: "A")"#, "named A"), (#"s.state(of: "A")"#, ""),
    (#"OnDemand; s.state(of: ["A"])"#, ""),
    (#"OnDemand; s.state(of: x)"#, ""), (#"OnDemand; x = "X"; s.state(of: x)"#, "named X"),
    (#"x = "X"; s.state(of: x)"#, ""), (#"x = "X"; s.request(for: x)"#, "possible X"),
    (#"OnDemand; s.downloadSize(of: ["A"])"#, "named A"), (#"s.downloadSize(of: ["A"])"#, ""),
    (#"OnDemand; s.downloadSize(of: "A")"#, ""),
    (#"OnDemand; s.remove(["A"] + ["B"])"#, "named A, B"), (#"OnDemand; s.remove(at: ["A"])"#, ""),
    (#"OnDemand; s.remove("A")"#, ""), (#"s.remove(["A"])"#, ""), (#"OnDemand; s.remove()"#, ""),
    // Calls that only this library and Apple's class have
    (#"b.setPreservationPriority(0.5, for: ["A"])"#, "named A"),
    (#"b.setPreservationPriority(0.5, forTags: ["A"])"#, "named A"),
    (#"b.setPreservationPriority(for: ["A", "C"], other: ["B"])"#, "named A, C"),
    (#"b.setPreservationPriority(max(for: ["B"]), for: ["A"])"#, "named A"),
    (#"b.setPreservationPriority(for, for: ["A"])"#, "named A"),
    (#"b.setPreservationPriority(0, for: "A")"#, ""), (#"b.setPreservationPriority(0, of: ["A"])"#, ""),
    (#"b.setPreservationPriority(0, for:"#, ""),
    (#"b.setPreservationPriority(0, for: Set(["A"]))"#, "named A"),
    (#"b.setPreservationPriority(0, for: NSSet(["A"]))"#, "named A"),
    (#"b.setPreservationPriority(0, for: Array(["A"]))"#, "named A"),
    (#"b.setPreservationPriority(0, for: CollectionOfOne("A"))"#, "named A"),
    (#"b.setPreservationPriority(0, for: ["A" + "B", "C", "\(d)"])"#, "named C"),
    (#"x = "X"; b.setPreservationPriority(0, for: [x])"#, "named X"),
    (#"x = "X"; b.setPreservationPriority(0, for: x)"#, "named X"),
    // Tags that a request has are not named again.
    (#"x = "X"; REQUEST(tags: [x]); b.setPreservationPriority(0, for: x)"#, "tags X"),
    // Calls on values that load URLs
    (#"OnDemand; URLSession.shared.request(for: ["A"])"#, "possible A"),
    (#"URLSession.shared.request(for: ["A"]); OnDemand"#, "possible A"),
    (#"OnDemand; URLSession.shared?.request(for: ["A"])"#, "possible A"),
    (#"OnDemand; let w = URLSession.shared; self.w!.request(for: ["A"])"#, "possible A"),
    (#"OnDemand; let w: URLSession; w?.task.request(for: ["A"])"#, "possible A"),
    (#"OnDemand; let w: Session; w.request(for: ["A"])"#, "tags A"),
    (#"OnDemand; let w, URLSession; w.request(for: ["A"])"#, "tags A"),
    (#"OnDemand; let w: URLSession; s.request(for: ["A"])"#, "tags A"),
    ("OnDemand\nlet w: URLSession\ns.request(for: [\"A\"])", "tags A"),
    (#"OnDemand; f(URLSession).request(for: ["A"])"#, "tags A"),
    (#".request(for: ["A"]); OnDemand"#, "tags A"),
    (#"URLSession.shared.setPreservationPriority(0, for: ["A"])"#, "named A"),
  ])
  func `calls of methods in Swift have tags`(_ code: String, _ expected: String) {
    #expect(facts(code, .swift) == expected)
  }

  @Test(arguments: [
    (#"[[REQUEST alloc] initWithTags:@"A"]"#, "tags A"), (#"[[REQUEST alloc] initWithNames:@"A"]"#, ""),
    (#"[[REQUEST alloc] initWithTags, @"A"]"#, ""), (#"[[REQUEST alloc], initWithTags:@"A"]"#, ""),
    (#"[[REQUEST alloc] init]; [a b:@"A"];"#, ""), (#"[[REQUEST alloc] initWithTags:"#, ""),
    (#"[[REQUEST alloc] initWithTags:@"A" bundle:@"B"]; [a b:@"C"];"#, "tags A"),
    (#"REQUEST alloc] initWithTags:@"A"; @"B""#, "tags A"),
    (#"[[REQUEST alloc] initWithTags:@"A""#, "tags A"),
    (#"[[REQUEST alloc] initWithTags:bundle:@"A"]"#, "possible A; computed NSBu"),
    (#"[[REQUEST alloc] initWithTags:[NSSet setWithObject:@"A"]]"#, "tags A"),
    (
      #"[[REQUEST alloc] initWithTags:[NSSet setWithObjects:@"A" @"B", @"C", nil]]"#,
      "tags C; possible A, B; computed NSBu"
    ),
    (#"[[REQUEST alloc] initWithTags:"Z" @"A"]"#, "possible Z, A; computed NSBu"),
    (#"[[REQUEST alloc] initWithTags:@"A" "Z"]"#, "possible A, Z; computed NSBu"),
    (#"[[REQUEST alloc] initWithTags:@[@"Q", @"A", @"B"]]"#, "tags Q, A, B"),
    (#"[[REQUEST alloc] initWithTags:[@"A" by:@"B"]]"#, "possible A, B; computed NSBu"),
    (#"[[REQUEST alloc] initWithTags:[@"A"]]"#, "tags A"),
    (#"[[REQUEST alloc] initWithTags:[@"A""#, "tags A"),
    (#"[[REQUEST alloc] initWithTags:[x, @"A"]]"#, "tags A; computed NSBu"),
    (#"[[REQUEST alloc] initWithTags:@[[self at:@"X"], @"A"]]"#, "tags A; possible X; computed NSBu"),
    (#"[[REQUEST alloc] initWithTags:@[[self at:[x y] @"Z"], @"A"]]"#, "tags A; possible Z; computed NSBu"),
    (#"at = @"T"; [[REQUEST alloc] initWithTags:[self at:@"X"]]"#, "tags T; possible X; computed NSBu"),
    (#"NSString *a = x ? @"A" : @"B"; [[REQUEST alloc] initWithTags:a]"#, "tags A, B"),
    ("NSString *a = x\n? @\"A\" : @\"B\"; [[REQUEST alloc] initWithTags:a]", "tags A, B"),
    (#"NSString *a = [@"A" by:@"B"]; [[REQUEST alloc] initWithTags:a]"#, "computed NSBu"),
    (#"[b setPreservationPriority:0.5 forTags:[NSSet setWithObject:@"A"]]"#, "named A"),
    (#"[b setPreservationPriority:p forTags:[NSSet setWithObject:@"A"] x:@[@"B"]]"#, "named A"),
    (#"[b setPreservationPriority:p forNames:[NSSet setWithObject:@"A"]]"#, ""),
    (#"[b setPreservationPriority p forTags:[NSSet setWithObject:@"A"]]"#, ""),
    (#"[b setPreservationPriority:[a b:1] forTags:[NSSet setWithObject:@"A"]]"#, "named A"),
    (#"OnDemand; [b request:p for:[NSSet setWithObject:@"A"]]"#, ""),
    (#"b.setPreservationPriority(0, forTags: ["A"])"#, ""),
  ])
  func `requests in Objective-C have tags`(_ code: String, _ expected: String) {
    #expect(facts(code, .objectiveC).replacingOccurrences(of: "self", with: "") == expected)
    #expect(facts(code, .objectiveCPlus) == expected)
  }

  @Test(arguments: [
    (CodeLanguage.json, #"{"REQUEST": ["A"], "b": ["B"]}"#, "tags A"),
    (.json, #"{"REQUEST": "A", "b": "B"}"#, "tags A"),
    (.json, #"{"REQUEST": "REQUEST": "A"}"#, "tags NSBundleResourceRequest"),
    (.json, #""REQUEST" "A""#, ""), (.json, #"{"REQUEST":"#, ""), (.json, #"{"Request": ["A"]}"#, ""),
    (.json, #"{"REQUEST": [x ["A"]]}"#, "tags A; computed \"NSB"), (.swift, #""REQUEST": ["A"]"#, ""),
    (.kotlin, #"REQUEST(tags = setOf("A"), bundle = "B")"#, "tags A"),
    (.kotlin, #"OnDemand; s.request(for: ["A"])"#, ""), (.kotlin, #"x: REQUEST = .init(tags: ["A"])"#, ""),
    (.kotlin, #"REQUEST(x: "A")"#, "tags A; computed NSBu"),
    (.cSharp, #"new REQUEST($"A{b}", "B")"#, "tags B; computed NSBu"),
    (.cSharp, "a = new[] { \"A\",\n\"B\" };\nREQUEST(a)", "tags A, B"), (.lua, "a = {'A'}\nREQUEST(a)", ""),
    (.kotlin, "a = b { (\"A\") }\nREQUEST(a)", "computed NSBu"),
  ])
  func `requests in other languages have tags`(_ language: CodeLanguage, _ code: String, _ expected: String) {
    // In Lua, strings have single quotes in this test, which `facts` does not check.
    if language == .lua {
      let found = requests(code.replacingOccurrences(of: "REQUEST", with: "NSBundleResourceRequest"), .lua)
      #expect(found.tags.map(\.value) == ["A"])
    } else {
      #expect(facts(code, language) == expected)
    }
  }

  /// Each code is followed by a request of the tag `a`.
  @Test(arguments: [
    ("a = \"A\"", "tags A"), ("b = \"B\"\na = \"A\"", "tags A"),
    ("b = \"B\"\nREQUEST(tags: b)\na = \"A\"", "tags B, A"), ("a = \"A\"\na = \"C\"", "tags A, C"),
    ("let a: Set<String> = [\"A\"]", "tags A"), ("a: T? = \"A\"", "tags A"),
    ("a: A.B.C.D.E? = \"A\"", "tags A"), ("a: A.B.C.D.E.F = \"A\"", "computed NSBu"),
    ("a: T\nc = \"C\"", "computed NSBu"), ("a == [\"A\"]", "computed NSBu"), ("a = f()", "computed NSBu"),
    ("a = [\"A\",\n\"C\"]", "tags A, C"), ("a =\n[\"A\"]\n[\"C\"]", "tags A"),
    ("a = [\"A\"]; [\"C\"]", "tags A"),
    ("(a = [\"A\"]) [\"C\"]", "tags A"), ("a = [\"A\"] { [\"C\"] }", "tags A"),
    ("b = a = \"A\"", "computed NSBu"),
    ("c = a\n= \"A\"", "computed NSBu"), ("a = Set([\"A\"])", "tags A"),
    ("a = [f(\"X\"), \"A\"]", "tags A"), ("a = [f(\"X\") g(\"Y\")]", "computed NSBu"),
    ("a = [f[\"X\"], \"A\"]", "tags A"), ("a = [\"A\", \"\\(c)\"]", "tags A"),
    // Strings that are only a part of a value
    ("a = \"A\" + \"C\"", "computed NSBu"), ("a = \"A\" \"C\"", "computed NSBu"),
    ("a = \"A\" \"\\(c)\"", "computed NSBu"),
    ("a = \"A\"\n(c)", "tags A"), ("a = \"A\"\n(+ c)", "tags A"), ("a = \"A\" (c)", "computed NSBu"),
    ("a = \"A\" (\nc)", "computed NSBu"), ("a = \"A\"\n+ c", "computed NSBu"),
    ("a = \"A\"\n.c", "computed NSBu"),
    ("a = \"A\"\n% c", "computed NSBu"), ("a = \"A\"\n== c", "computed NSBu"),
    ("a = \"A\"\n!= c", "computed NSBu"),
    ("a = \"A\"\n< c", "computed NSBu"), ("a = \"A\"\n> c", "computed NSBu"),
    ("a = \"A\"\n&& c", "computed NSBu"),
    ("a = \"A\"\n|| c", "computed NSBu"), ("a = c == \"A\"", "computed NSBu"),
    ("a = c != \"A\"", "computed NSBu"),
    ("a = c <= \"A\"", "computed NSBu"), ("a = c >= \"A\"", "computed NSBu"),
    ("a = c += \"A\"", "computed NSBu"),
    ("a = c ? \"A\" : \"C\"", "tags A, C"), ("a = [\"A\".c]", "computed NSBu"),
    ("a = [-\"A\"]", "computed NSBu"),
    ("a = [\"A\" c]", "tags A"), ("a = #\"A\"#", "computed NSBu"), ("a = [\"A\" + c, \"C\"]", "tags C"),
    ("a = [c: \"A\", d: (\"C\")]", "tags A, C"), ("a = \"A\" as B", "tags A"),
  ])
  func `names have the complete strings of their statement`(_ code: String, _ expected: String) {
    #expect(facts(code + "\nREQUEST(tags: [a])", .swift) == expected)
  }

  /// A value at the end of the file ends with the file.
  @Test func `code may end anywhere`() {
    for (code, expected) in [
      ("a = \"A\"", "tags A"), ("a =", "computed NSBu"), ("a: T", "computed NSBu"),
      ("a: T =", "computed NSBu"),
      ("a = [\"A\"", "tags A"), ("a", "computed NSBu"),
    ] {
      #expect(facts("REQUEST(tags: [a])\n\(code)", .swift) == expected)
    }
  }

  /// A group or a statement has at most 2,000 tokens, so that reading a file takes no more than linear time.
  @Test func `long lists are read to a limit`() {
    let list = Array(repeating: "\"A\"", count: 1500).joined(separator: ",")
    #expect(requests("NSBundleResourceRequest([\(list)])").tags.count == 999)
    #expect(requests("a = [\(list)]\nNSBundleResourceRequest(tags: a)").tags.count == 1000)
    let message = "[[NSBundleResourceRequest alloc] initWithTags:\(list)]"
    #expect(requests(message, .objectiveC).tags.count == 1000)
  }
}
