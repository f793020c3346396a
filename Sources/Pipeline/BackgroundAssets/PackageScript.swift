package import Model
package import Formats
package import System

/// Generates `package.sh`.
///
/// This script makes an archive of each pack with `ba-package` and uploads the archives in batches.
package struct PackageScript: Sendable {
  /// A pack and the path of its archive.
  package struct Pack: Sendable {
    let id: String
    let archive: String

    package init(id: String, archive: String) {
      self.id = id
      self.archive = archive
    }
  }

  /// The packs in the order in which devices need them.
  private let packs: [Pack]
  private let batchSize: Int
  /// The versions and URLs of packs on the developer's own server; nil for packs that Apple hosts.
  private let downloads: DownloadManifest?
  private let platform: AssetPlatform
  /// The URL of the folder that contains the archives.
  private let base: String

  /// The first line of the text files of this layout.
  package static let mark = "Made by packtool; do not edit."

  package init(
    packs: [Pack], batchSize: Int, downloads: DownloadManifest? = nil,
    platform: AssetPlatform = .iOS, base: String = ""
  ) {
    (self.packs, self.batchSize) = (packs, batchSize)
    (self.downloads, self.platform, self.base) = (downloads, platform, base)
  }

  private var batches: [ArraySlice<Pack>] {
    stride(from: 0, to: packs.count, by: batchSize).map { packs[$0..<min($0 + batchSize, packs.count)] }
  }

  package var text: ShellText {
    if let downloads { return selfHosted(downloads) }
    return """
      \(head)\(packages)  ;;
      upload)
        case ${2:-} in
      \(uploads)  *) echo "name a batch from 1 to \(batches.count)" >&2; exit 2 ;;
        esac
        ;;
      *) echo "usage: sh package.sh [upload BATCH]" >&2; exit 2 ;;
      esac

      """
  }

  private var head: ShellText {
    """
    #!/bin/sh
    # Made by packtool; do not edit.
    #
    #   sh package.sh            make the missing archives; names contain digests, so existing archives are current
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

  private var setUp: ShellText {
    """
    set -eu
    cd "$(dirname "$0")"
    here=$(pwd)
    command -v ba-package >/dev/null || PATH="$PATH:$(dirname "$(xcrun --find ba-package)")"

    # An archive gets its name when it is complete: ba-package replaces no file, and may leave a part of one.
    keep() { mv \(Self.newArchives)/"${1##*/}" "$1"; }
    """
  }

  private var beginning: ShellText {
    """
    case ${1:-package} in
    package)
      rm -rf \(Self.newArchives)
      mkdir -p \(Self.newArchives)
    """
  }

  /// The script for packs on the developer's own server.
  ///
  /// The script makes the archives and the download manifest, and calls the user's upload command for each of
  /// these files.
  private func selfHosted(_ downloads: DownloadManifest) -> ShellText {
    let manifest = PublishedNames.downloadManifest
    let new = "\(manifest).new"
    let listed = packs.compactMap { pack in downloads.pack(pack.id).map { (pack.archive, $0) } }
    let uploads = listed.map { archive, pack -> ShellText in "  ${UPLOAD:?} \(archive) \(pack.url)\n" }
    return """
      #!/bin/sh
      # Made by packtool; do not edit.
      #
      #   sh package.sh                 make the archives, then \(manifest) with sizes and versions
      #   UPLOAD=CMD sh package.sh upload   run CMD FILE URL for each archive, and for the manifest last
      #
      # A manifest is for one platform, PLATFORM: ios, macos, tvos or visionos.
      \(setUp)
      platform=${PLATFORM:-\(platform.rawValue.lowercased())}

      \(beginning)
      \(packages)\
        rm -f \(new)
        ba-package download-manifest create \(ShellText.words(listed.map(\.0))) \\
          --asset-pack-versions \(ShellText.words(listed.map { String($0.1.version) })) \\
          --"$platform" --download-base-url \(base) -o "$here"/\(new)
        mv \(new) \(manifest)
        ;;
      upload)
      \(uploads)\
        $UPLOAD \(manifest) \(base + manifest)
        ;;
      *) echo "usage: sh package.sh [upload]" >&2; exit 2 ;;
      esac

      """
  }

  private var packages: ShellText {
    let lines = packs.map { pack -> ShellText in
      let made = "\(Self.newArchives)/\(lastName(of: pack.archive))"
      return """
          [ -e \(pack.archive) ] || { (cd \(PublishedNames.folderPath(ofPack: pack.id)) && \
        ba-package "$here"/\(PublishedNames.manifestPath(ofPack: pack.id)) \
        -o "$here"/\(made)) && keep \(pack.archive) || exit 1; }

        """
    }
    return "\(lines)  rmdir \(Self.newArchives)\n"
  }

  /// The folder that contains archives until they are complete.
  private static let newArchives = "\(PublishedNames.archivesFolder)/new"

  private var uploads: ShellText {
    batches.enumerated().map { number, batch -> ShellText in
      let lines = batch.map { pack -> ShellText in "    upload \(pack.archive)\n" }
      return "  \(number + 1))\n\(lines)    ;;\n"
    }.joined()
  }

  package var bytes: ByteBuffer {
    var buffer = ByteBuffer()
    buffer.append(text.text)
    return buffer
  }
}
