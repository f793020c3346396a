@testable import packtool
import Foundation
import Support
import Testing

/// Tests that every example in the help of every command works as described.
@Suite struct HelpExampleTests {
  @Test func `every command has examples that run`() throws {
    let folder = try TemporaryFolder()
    try folder.link("bin/packtool", to: packtoolProgram())
    let examples = "\(packageFolder)/Examples"
    let script = """
      mkdir -p game/Assets/Castle game/Games/1 && cd game
      echo '{"enemies": 12}' > Assets/Castle/map.json
      packtool schema > Manifest.schema.json
      cat > Manifest.json <<'END'
      {
        "bundleIdentifier": "com.example.tour",
        "root": "Assets",
        "resources": [
          { "path": "Castle", "tags": ["Castle"] }
        ]
      }
      END
      cp Manifest.json Games/1/ && cp -r Assets Games/1/
      packtool build -q -o old && packtool build -q -o packs
      for part in 1 2; do packtool build -q --shard $part/2 -o parts/$part; done
      echo '{"link": "3G", "steps": [{"install": true}, {"begin": ["Castle"], "as": "a"}, {"await": "a"}]}' > scenario.json
      echo '0.5 Castle/map.json' > run.log
      mkdir -p Assets/Levels/1 runs && echo '{"enemies": 3}' > Assets/Levels/1/map.json
      for run in 1 2 3 4; do printf '0.5 menu Castle/map.json\n60 one Levels/1/map.json\n' > runs/$run.log; done
      cp -r '\(examples)/Xcode/Content' .
      cp -r '\(examples)/Xcode/Lanterns' .
      cp -r '\(examples)/Xcode/Lanterns.xcodeproj' App.xcodeproj
      """
    let path = "\(folder.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let environment = ["PATH": path, "HOME": folder.path("home")]
    let made = try run("bash", ["-euc", script], in: folder.path, environment: environment)
    try #require(made.status == 0, "\(made.output)\(made.errors)")
    try FileManager.default.copyItem(atPath: folder.path("game"), toPath: folder.path("kept"))
    for command in CommandGroup.all.commands {
      #expect(!command.description.examples.isEmpty, "\(command.name)")
      for example in command.description.examples {
        // Each example begins in the original state, so the changes of the previous example are removed.
        try FileManager.default.removeItem(atPath: folder.path("game"))
        try FileManager.default.copyItem(atPath: folder.path("kept"), toPath: folder.path("game"))
        if ["init", "import"].contains(command.name) {
          try FileManager.default.removeItem(atPath: folder.path("game/Manifest.json"))
        }
        let isServer = command.name == "serve"
        let line = "\(Tool.name) \(example.label)".replacing("/usr/local", with: folder.path("usr"))
        let words =
          isServer
          ? ["-s", "INT", "--preserve-status", "1", "bash", "-c", line] : ["60", "bash", "-c", line]
        let setUp = "mkdir -p ~/.zfunc ~/.config/fish/completions ~/.local/share/bash-completion/completions"
        _ = try run("bash", ["-c", setUp], in: folder.path, environment: environment)
        let result = try run("timeout", words, in: folder.path("game"), environment: environment)
        #expect(isServer || result.status == 0, "\(line): \(result.status) \(result.errors)")
        #expect(!result.errors.contains("error:"), "\(line): \(result.errors)")
      }
    }
  }

  @Test func `topics are readable`() {
    let topics = [
      "manifest", "scenario", "limits", "checks", "ci", "formats", "results", "exit-status", "environment",
      "troubleshooting", "faq",
    ]
    for topic in topics {
      let page = runTool("help", topic)
      #expect(page.status == .done && page.output.count > 1000, "\(topic)")
      #expect(!page.output.contains(".md)") && !page.output.contains("<!--"), "\(topic)")
    }
  }
}
