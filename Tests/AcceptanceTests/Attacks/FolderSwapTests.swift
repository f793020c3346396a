import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Folders that another process exchanges for symlinks while a build reads them.
@Suite(.enabled(if: isInstalled("python3")), .noHang) struct FolderSwapTests {
  /// Files outside the root are never packed, no matter when a symlink to them replaces a folder.
  @Test func `a link in the middle of a scan leads nowhere`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.glob("**/f*", "A")], root: "Assets", members: #""container": "tar.gz""#)
    let script = """
      import gzip, os, random, shutil, subprocess, sys, time
      rng = random.Random(13)
      os.makedirs("outside")
      folders = ["Assets/%02d/%02d" % (n // 50, n % 50) for n in range(1500)]
      for folder in folders:
        os.makedirs(folder)
        for name in "f1", "f2", "f3": open(folder + "/" + name, "w").write("ok")
      for name in "f1", "f2", "f3": open("outside/" + name, "w").write("outside of the root")
      done = 0
      for number in range(25):
        shutil.rmtree("out", ignore_errors=True)
        chosen = rng.choice(folders)
        build = subprocess.Popen([sys.argv[1], "build", "-o", "out", "-q", "--no-cache"], stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.002, 0.2))
        os.rename(chosen, "away")
        os.symlink(os.path.abspath("outside"), chosen)
        status = build.wait()
        os.remove(chosen)
        os.rename("away", chosen)
        if status not in (0, 1): sys.exit("the build ended with %d" % status)
        if status != 0: continue
        done += 1
        for name in os.listdir("out/packs"):
          if b"outside" in gzip.open("out/packs/" + name).read(): sys.exit("a build left the root")
      print(done)
      """
    let builds = try folder.python(script, [try packtoolProgram()])
    #expect(try #require(Int(builds.dropLast())) >= 0)
  }
}
