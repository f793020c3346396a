import Findings
import PackKit
package import System

/// Models `package.sh`: makes an archive of each pack by `ba-package`, and uploads the archives in batches.
package struct PackageScript: Sendable {
  /// The packs with the paths of their archives, in the order in which devices need them.
  private let packs: [(id: String, archive: String)]
  private let batchSize: Int
  /// The versions and URLs of packs on a server of one's own; nil of those that Apple hosts.
  private let downloads: DownloadManifest?
  private let platform: AssetPlatform
  /// The URL of the folder that archives are put into.
  private let base: String

  /// The beginning of the layout's texts.
  package static let mark = "Made by packtool; do not edit."

  package init(
    packs: [(id: String, archive: String)], batchSize: Int, downloads: DownloadManifest? = nil,
    platform: AssetPlatform = .iOS, base: String = ""
  ) {
    (self.packs, self.batchSize) = (packs, batchSize)
    (self.downloads, self.platform, self.base) = (downloads, platform, base)
  }

  private var batches: [ArraySlice<(id: String, archive: String)>] {
    stride(from: 0, to: packs.count, by: batchSize).map { packs[$0..<min($0 + batchSize, packs.count)] }
  }

  package var text: String {
    if let downloads { return selfHosted(downloads) }
    return head + packages
      + "  ;;\nupload)\n  case ${2:-} in\n" + uploads
      + "  *) echo \"name a batch from 1 to \(batches.count)\" >&2; exit 2 ;;\n  esac\n  ;;\n"
      + "*) echo \"usage: sh package.sh [upload BATCH]\" >&2; exit 2 ;;\nesac\n"
  }

  private var head: String {
    """
    #!/bin/sh
    # \(Self.mark)
    #
    #   sh package.sh            make the archives; their names say what they hold, so those that are there are current
    #   sh package.sh upload N   upload batch N of \(batches.count): one submission takes at most \(batchSize) packs
    #
    # An upload needs APPLE_ID (the app's number), API_KEY and API_ISSUER.
    \(setUp)
    upload() {
      xcrun altool --upload-asset-pack "$1" --apple-id "${APPLE_ID:?}" \\
        --apiKey "${API_KEY:?}" --apiIssuer "${API_ISSUER:?}"
    }

    \(beginning)

    """
  }

  private var setUp: String {
    """
    set -eu
    cd "$(dirname "$0")"
    here=$(pwd)
    command -v ba-package >/dev/null || PATH="$PATH:$(dirname "$(xcrun --find ba-package)")"

    # An archive gets its name once it is whole: ba-package replaces none, and leaves a part if it is stopped.
    keep() { mv "\(Self.newArchives)/${1##*/}" "$1"; }
    """
  }

  private var beginning: String {
    """
    case ${1:-package} in
    package)
      rm -rf \(Self.newArchives)
      mkdir -p \(Self.newArchives)
    """
  }

  /// The script of packs on a server of one's own: makes archives and the download manifest, and hands out uploads.
  private func selfHosted(_ downloads: DownloadManifest) -> String {
    let manifest = PublishedNames.downloadManifest
    let listed = packs.compactMap { pack in downloads.pack(pack.id).map { (pack.archive, $0) } }
    return """
      #!/bin/sh
      # \(Self.mark)
      #
      #   sh package.sh                 make the archives, and \(manifest) of their sizes and the ledger's versions
      #   UPLOAD=CMD sh package.sh upload   run CMD FILE URL for each archive, and for the manifest last
      #
      # A manifest is for one platform, PLATFORM: ios, macos, tvos or visionos.
      \(setUp)

      \(beginning)
      \(packages)\
        rm -f \(manifest).new
        ba-package download-manifest create \(listed.map(\.0).joined(separator: " ")) \\
          --asset-pack-versions \(listed.map { String($0.1.version) }.joined(separator: " ")) \\
          --"${PLATFORM:-\(platform.rawValue.lowercased())}" --download-base-url '\(base)' -o "$here/\(manifest).new"
        mv \(manifest).new \(manifest)
        ;;
      upload)
      \(listed.map { "  ${UPLOAD:?} \($0.0) '\($0.1.url)'\n" }.joined())\
        $UPLOAD \(manifest) '\(base)\(manifest)'
        ;;
      *) echo "usage: sh package.sh [upload]" >&2; exit 2 ;;
      esac

      """
  }

  private var packages: String {
    packs.map { id, archive in
      "  [ -e \(archive) ] || { (cd \(PublishedNames.folderPath(ofPack: id)) && "
        + "ba-package \"$here/\(PublishedNames.manifestPath(ofPack: id))\" "
        + "-o \"$here/\(Self.newArchives)/\(lastName(of: archive))\") && keep \(archive) || exit 1; }\n"
    }.joined() + "  rmdir \(Self.newArchives)\n"
  }

  /// The folder of archives while they are made.
  private static let newArchives = "\(PublishedNames.archivesFolder)/new"

  private var uploads: String {
    batches.enumerated().map { number, batch in
      "  \(number + 1))\n" + batch.map { "    upload \($0.archive)\n" }.joined() + "    ;;\n"
    }.joined()
  }

  package var bytes: ByteBuffer {
    var buffer = ByteBuffer()
    buffer.append(text)
    return buffer
  }
}
