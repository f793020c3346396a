import Foundation
import Support
import Testing
@testable import packtool

/// Tests `verify` and `inspect` with files that Xcode and other tools make: signed packs, and property lists
/// inside an app.
@Suite struct ExportTests {
  private static let project = "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj"

  /// Builds the example, and changes the build with a Python script.
  ///
  /// The script runs in the folder that contains `out`.
  private func export(_ script: String, _ flags: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    #expect(
      runTool(words: ["build", Self.project, "-o", folder.path("out"), "-q"] + flags).status == .done)
    let head = """
      import os, plistlib, shutil, zipfile, glob
      def sign(path):
        os.mkdir(path + '/_CodeSignature')
        for name in ('CodeResources', 'CodeDirectory', 'CodeSignature'):
          open(path + '/_CodeSignature/' + name, 'w').write('signed' * 99)
      def lists(*places):
        for name in os.listdir('out'):
          if name.endswith('.plist'):
            for place in places: shutil.copy('out/' + name, place)
      def edit(path, change):
        content = plistlib.load(open(path, 'rb'))
        change(content)
        plistlib.dump(content, open(path, 'wb'), fmt=plistlib.FMT_BINARY)
      packs = sorted(glob.glob('out/OnDemandResources/*')) or sorted(glob.glob('out/*.assetpack'))

      """
    let result = try run("python3", ["-c", head + script], in: folder.path)
    try #require(result.status == 0, "\(result.errors)")
    return folder
  }

  private static let whole = "6 packs, 15 files: all packs and lists agree\n"

  /// Commands read a build in any layout.
  ///
  /// If a layout lacks files that a command needs, the command reports this.
  @Test(arguments: [
    ["--layout", "xcode", "--embed-packs"], ["--layout", "background-assets"],
    ["--layout", "hosted", "--url-prefix", "https://a.b/"],
  ])
  func `builds in every layout are read`(layout: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write("Assets/a", "a")
    try folder.write("Assets/b", "bb")
    try folder.writeManifest([.path("a", "A")], root: "Assets")
    let (built, own) = (folder.path("built"), folder.path("own"))
    let build = ["build", folder.path, "-o", built] + layout
    #expect(runTool(words: build + ["-q"]).status == .done)
    #expect(runTool("build", folder.path, "-o", own, "-q").status == .done)
    // The output is the same as for these packs in packtool's own layout, except for the sizes of archives.
    let plan = runTool("plan", built).output
    #expect(plan.contains("untagged, in the app bundle: 1 file, 2 bytes") && plan.contains("compressed"))
    let update = runTool("diff", own, built)
    #expect(update.status == .done && update.output.contains(/unchanged +1 +1 byte/), "\(update.output)")
    let page = ["report", built, "-o", folder.path("no.html")]
    for words in [
      ["plan", built, "--merge", "1"], ["plan", built, "--baseline", built], ["plan", built, "--root", "."],
      ["plan", built, "--format", "thinning-report"], page + ["--built", built], page + ["--pointers"],
      page + ["--target", "App"],
    ] {
      let run = runTool(words: words)
      #expect(run.status == .usage && run.errors.refuses(naming: built), "\(run.errors)")
    }
    #expect(runTool("plan", folder.path, "--built", built).output.contains("compressed"))
    #expect(runTool("report", built, "-o", folder.path("r.html")).status == .done)
    try folder.write("s.json", #"{"link": "LTE", "steps": [{"install": true}]}"#)
    let simulated = runTool("simulate", folder.path("s.json"), built)
    #expect(simulated.status == .done, "\(simulated.errors)")
    #expect(runTool("verify", built).status == .done)
    let unpacked = runTool("unpack", built, "--all", "-o", folder.path("u"))
    #expect(
      unpacked.status == .inputHasErrors && unpacked.errors.refuses(naming: layout[1]))
    // A file that stays in the app does not change any pack, but later commands report it.
    try folder.write("Assets/c", "cc")
    #expect(runTool(words: build).output.contains("up to date"))
    #expect(runTool("plan", built).output.contains("untagged, in the app bundle: 2 files"))
    try FileManager.default.removeItem(atPath: folder.path("built/.packtool"))
    // Builds for Background Assets contain other lists. These commands use them to compare releases.
    for words in [["report", built, "-o", folder.path("r.html")], ["plan", built], ["diff", built, own]]
    where layout[1] != "background-assets" || words[0] != "diff" {
      let errors = runTool(words: words).errors
      #expect(errors.refuses(naming: layout[1], ".packtool"), "\(errors)")
    }
  }

  @Test func `archives and addresses are no releases`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", "a")
    try folder.writeManifest([.path("a", "A")])
    try folder.write("b.tar.gz", Data([0x1f, 0x8b, 8, 0xaa]))
    let plan = ["plan", folder.path, "--baseline"]
    #expect(
      runTool(words: plan + [folder.path("b.tar.gz")]).errors.reports("missing-index"))
    #expect(
      runTool(words: plan + ["https://a.b/index.json"]).errors.reports("missing-index"))
  }

  @Test func `a signature is no content`() throws {
    let folder = try export("for pack in packs: sign(pack)", "--layout", "xcode")
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .done && run.output == Self.whole)
    #expect(run.errors.isEmpty, "\(run.errors)")
    let pack = try #require(
      try folder.files(below: "out").keys.first { $0.hasSuffix("_CodeSignature/CodeSignature") })
    let name = pack.dropLast("/_CodeSignature/CodeSignature".count)
    #expect(!runTool("inspect", folder.path("out/\(name)")).output.contains("_CodeSignature"))
  }

  @Test func `a signed pack of a web server is read as Xcode exports it`() throws {
    // The size is the size before signing, including the sizes of the folders, as in published exports.
    let script = """
      size = {}
      for path in packs:
        old = zipfile.ZipFile(path)
        new = zipfile.ZipFile(path + '.new', 'w')
        for name in ('_CodeSignature/', ): new.writestr(name, '')
        new.writestr('_CodeSignature/CodeSignature', 'signed' * 99)
        folders = {}
        for entry in old.infolist():
          new.writestr(entry.filename, old.read(entry))
          if not entry.filename.startswith('META-INF'):
            parts = entry.filename.rstrip('/').split('/')
            for depth in range(1, len(parts)): folders.setdefault('/'.join(parts[:depth]), set()).add(parts[depth])
        size[plistlib.loads(old.read('Info.plist'))['CFBundleIdentifier']] = sum(len(f) + 2 for f in folders.values())
        new.close()
        os.rename(path + '.new', path)
      def change(manifest):
        for resource in manifest['resources']: resource['uncompressedSize'] += 32 * size[resource['bundleKey']]
        assert sum(size.values()) > 20
      edit('out/AssetPackManifest.plist', change)
      """
    let folder = try export(script, "--layout", "hosted", "--url-prefix", "https://x.y/")
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .done && run.output == Self.whole, "\(run.errors)")
  }

  @Test(arguments: [
    ("out/Build", "os.makedirs('X/App.app'); lists('X/App.app'); shutil.move('out/OnDemandResources', 'X')"),
    (
      "out/Build/App.app",
      "os.makedirs('X/App.app'); lists('X/App.app'); shutil.move('out/OnDemandResources', 'X')"
    ),
    (
      "out/Build",
      "os.makedirs('X/App.app'); lists('X/App.app'); shutil.move('out/OnDemandResources', 'X/App.app')"
    ),
    (
      "out/App.xcarchive",
      """
      app = 'X/Products/Applications/App.app'; os.makedirs(app); lists(app);
      shutil.move('out/OnDemandResources', 'X/Products/Applications')
      """
    ),
    (
      "out/App.xcarchive",
      """
      app = 'X/Products/Applications/App.app'; os.makedirs(app); lists(app);
      shutil.move('out/OnDemandResources', 'X/Products')
      """
    ),
    (
      "out/ipa",
      "os.makedirs('X/Payload/App.app'); lists('X/Payload/App.app'); shutil.move('out/OnDemandResources', 'X')"
    ),
  ])
  func `lists lie in the app, and packs inside or beside it`(path: String, script: String) throws {
    let place = path.hasSuffix(".app") ? path.replacingOccurrences(of: "/App.app", with: "") : path
    let folder = try export(script.replacingOccurrences(of: "X", with: place), "--layout", "xcode")
    let run = runTool("verify", folder.path(path))
    #expect(run.status == .done && run.output == Self.whole, "\(run.errors)")
    #expect(run.errors.isEmpty)
    let shown = runTool("inspect", folder.path(path))
    #expect(shown.status == .done && shown.output.contains("AssetPackManifestTemplate.plist:\n{"))
    let pack = try #require(try folder.files(below: place).keys.first { $0.hasSuffix("Maps/harbour.json") })
    try folder.write("\(place)/\(pack)", "changed to another size")
    #expect(runTool("verify", folder.path(path)).errors.reports("wrong-contents"))
  }

  /// The property lists of an app as XML.
  ///
  /// Editors and scripts write such forms, and Apple's readers accept them.
  @Test(arguments: [
    "t.replace('<true/>', '<true></true>').replace('<false/>', '<false></false>')",
    "re.sub('<string>([^<&]*)</string>', '<string><![CDATA[\\\\1]]></string>', t)",
    "t.replace('<string>', '<string><!-- a <b> & c -->').replace('</key>', '<!-- a --></key>')",
    "re.sub('<integer>([0-9]+)', lambda m: '<integer>' + hex(int(m[1])), t)",
    "t.replace('\\n', '\\r\\n')", "t.replace('UTF-8', 'UTF-16')",
  ])
  func `an app's lists are read as Apple reads them`(change: String) throws {
    let script = """
      import re
      os.makedirs('App.app')
      lists('App.app')
      shutil.move('out/OnDemandResources', 'App.app')
      plistlib.dump({'CFBundleIdentifier': 'com.example.lanterns'}, open('App.app/Info.plist', 'wb'))
      count = 0
      for root, _, names in os.walk('App.app'):
        for name in names:
          # What is in a pack counts for its size.
          if not name.endswith('.plist') or '.assetpack' in root: continue
          t = plistlib.dumps(plistlib.load(open(root + '/' + name, 'rb'))).decode()
          t = \(change)
          count += 1
          open(root + '/' + name, 'wb').write(t.encode('utf-16' if 'UTF-16' in t else 'utf-8'))
      assert count >= 3, count
      """
    let folder = try export(script, "--layout", "xcode", "--embed-packs")
    let run = runTool("verify", folder.path("App.app"))
    #expect(run.status == .done && run.output == Self.whole && run.errors == "", "\(run.errors)")
  }

  @Test(arguments: ["OnDemandResources", "Payload/App.app/OnDemandResources"])
  func `an ipa is read in place`(packs: String) throws {
    let script = """
      ipa = zipfile.ZipFile('App.ipa', 'w', zipfile.ZIP_DEFLATED)
      ipa.writestr('Payload/', '')
      ipa.writestr('Payload/App.app/App', b'code' * 1000)
      for pack in packs: sign(pack)
      for root, _, names in os.walk('out/OnDemandResources'):
        for name in names:
          path = root + '/' + name
          ipa.write(path, '\(packs)' + path[len('out/OnDemandResources'):])
      for name in os.listdir('out'):
        if name.endswith('.plist'): ipa.write('out/' + name, 'Payload/App.app/' + name)
      ipa.writestr('Payload/App.app/PlugIns/Other.appex/OnDemandResources.plist', b'not ours')
      ipa.close()
      """
    let folder = try export(script, "--layout", "xcode", "--embed-packs")
    let run = runTool("verify", folder.path("App.ipa"))
    #expect(run.status == .done && run.output == Self.whole, "\(run.errors)")
    #expect(runTool("inspect", folder.path("App.ipa")).output.contains("OnDemandResources.plist:\n{"))
    try folder.write("cut.ipa", folder.read("App.ipa").prefix(3000))
    let cut = runTool("verify", folder.path("cut.ipa"))
    #expect(cut.status == .inputHasErrors && cut.errors.reports("damaged-index"), "\(cut.errors)")
    try folder.write("text.ipa", "no zip")
    #expect(runTool("verify", folder.path("text.ipa")).status == .inputHasErrors)
  }

  @Test func `a store app has neither manifest nor packs`() throws {
    let folder = try export(
      "os.makedirs('App.app'); shutil.copy('out/OnDemandResources.plist', 'App.app')", "--layout", "xcode")
    let run = runTool("verify", folder.path("App.app"))
    #expect(run.status == .done, "\(run.errors)")
    #expect(run.errors.reports("missing-pack", naming: "6"))
    // If there are neither packs nor an app around the lists, the folder was not copied completely.
    try FileManager.default.removeItem(atPath: folder.path("out/OnDemandResources"))
    #expect(runTool("verify", folder.path("out")).errors.reports("missing-pack"))
  }

  @Test func `packs on a server are noted, packs of the app are missed`() throws {
    let script = "os.makedirs('App.app'); lists('App.app'); shutil.rmtree('out')"
    let remote = try export(script, "--layout", "xcode", "--url-prefix", "https://x.y/")
    let run = runTool("verify", remote.path("App.app"))
    #expect(run.status == .done && run.errors.reports("missing-pack"), "\(run.errors)")
    let embedded = try export(script, "--layout", "xcode", "--embed-packs")
    #expect(runTool("verify", embedded.path("App.app")).errors.reports("missing-pack"))
  }

  @Test func `thinned packs have a name for each kind of device`() throws {
    let script = """
      for pack in packs: shutil.copytree(pack, pack[:-10] + '-iPhone.assetpack'); os.rename(pack, pack[:-10] + '-iPad.assetpack')
      """
    let folder = try export(script, "--layout", "xcode", "--embed-packs")
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .done && run.errors.isEmpty, "\(run.errors)")
    let renamed = try export(
      "os.rename(packs[0], 'out/OnDemandResources/other.assetpack')", "--layout", "xcode", "--embed-packs")
    #expect(runTool("verify", renamed.path("out")).errors.reports("wrong-contents"))
    let copied = try export(
      "shutil.copytree(packs[0], 'out/OnDemandResources/other.assetpack')", "--layout", "xcode",
      "--embed-packs")
    #expect(runTool("verify", copied.path("out")).errors.reports("wrong-contents"))
  }

  @Test func `identifiers of other tools are any text`() throws {
    let script = """
      info = packs[0] + '/Info.plist'
      old = plistlib.load(open(info, 'rb'))['CFBundleIdentifier']
      new = old[:-4] + 'beef'
      edit(info, lambda item: item.update(CFBundleIdentifier=new))
      for name in ('OnDemandResources.plist', 'AssetPackManifestTemplate.plist'):
        data = open('out/' + name, 'rb').read()
        open('out/' + name, 'wb').write(data.replace(old.encode(), new.encode()))
      """
    let folder = try export(script, "--layout", "xcode")
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .done, "\(run.errors)")
    #expect(
      run.errors.reports("wrong-contents", naming: "1"),
      "\(run.errors)")
  }

  @Test func `what Xcode built is named by the folder of the product`() throws {
    let script = """
      def change(list):
        packs = list['NSBundleResourceRequestAssetPacks']
        for key, paths in packs.items():
          if 'de.lproj/Story.strings' in paths: packs[key] = ['de.lproj', 'en.lproj']
          elif 'chime.wav' in paths: packs[key] = ['', 'drum.wav']
      edit('out/OnDemandResources.plist', change)
      """
    let folder = try export(script, "--layout", "xcode")
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .done && run.output == Self.whole, "\(run.errors)")
    let wrong = try export(
      script.replacingOccurrences(of: "['de.lproj', 'en.lproj']", with: "['']"), "--layout", "xcode")
    #expect(runTool("verify", wrong.path("out")).errors.reports("wrong-contents"))
  }

  @Test func `an empty folder of a reference is there`() throws {
    let script = """
      os.mkdir(packs[0] + '/Empty')
      key = plistlib.load(open(packs[0] + '/Info.plist', 'rb'))['CFBundleIdentifier']
      edit('out/OnDemandResources.plist', lambda list: list['NSBundleResourceRequestAssetPacks'][key].append('Empty'))
      """
    let folder = try export(script, "--layout", "xcode")
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .done && run.output == Self.whole, "\(run.errors)")
  }

  @Test func `several apps in one folder are distinguished`() throws {
    let folder = try export(
      "os.makedirs('B/A.app'); os.makedirs('B/B.app'); lists('B/A.app', 'B/B.app'); shutil.move('out/OnDemandResources', 'B')",
      "--layout", "xcode")
    let run = runTool("verify", folder.path("B"))
    #expect(run.status == .inputHasErrors && run.errors.reports("unknown-file", naming: "2"))
    #expect(runTool("verify", folder.path("B/B.app")).status == .done)
  }

  /// With these mistakes, devices cannot use a pack although its file is complete.
  @Test(arguments: [
    ("r['URL'] = r['URL'].replace('.assetpack', 'x.assetpack')", "[wrong-contents]"),
    ("r['hash'] = r.pop('primaryContentHash')", #"[damaged-index] "primaryContentHash" "hash""#),
    ("r['URL'] = 'x' + r['URL'][1:]", #"[damaged-index] "http:" "https:""#),
    ("del r['URL']", #"[damaged-index] "URL""#),
  ])
  func `a list that leads nowhere is found`(change: String, facts: String) throws {
    let script = """
      def change(content):
        r = content['resources'][0]
        \(change)
      edit('out/AssetPackManifest.plist', change)
      """
    let hosted = try export(script, "--layout", "hosted", "--url-prefix", "http://localhost/")
    let run = runTool("verify", hosted.path("out"))
    #expect(run.status == .inputHasErrors && run.errors.hasFacts(facts), "\(run.errors)")
  }

  @Test func `a URL inside the app that leads elsewhere is found`() throws {
    let script = """
      def change(content):
        r = content['resources'][0]
        r['URL'] = 'Other/' + r['URL'].split('/')[-1]
      edit('out/AssetPackManifest.plist', change)
      """
    let embedded = try export(script, "--layout", "xcode", "--embed-packs")
    let run = runTool("verify", embedded.path("out"))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("missing-pack"), "\(run.errors)")
  }

  /// Archives that libarchive can read, but other readers cannot.
  @Test(arguments: [
    ("z[c + 8] |= 1", #"[damaged-pack] "Info.plist""#), ("z[c + 6] = 99", "[damaged-pack] 99"),
    ("z[c + 41] |= 8", "[damaged-pack]"), ("z += b'behind'", "[damaged-pack]"),
    ("z[:0] = b'before'", "[damaged-pack]"),
  ])
  func `a zip that others cannot read is found`(change: String, facts: String) throws {
    let script = """
      z = bytearray(open(packs[0], 'rb').read())
      c = z.rindex(b'PK\\x01\\x02')
      \(change)
      open(packs[0], 'wb').write(z)
      """
    let hosted = try export(script, "--layout", "hosted", "--url-prefix", "http://localhost/")
    let run = runTool("verify", hosted.path("out"))
    #expect(run.status == .inputHasErrors && run.errors.hasFacts(facts), "\(run.errors)")
  }
}
