"""Rules for packs of On-Demand Resources: one action for each pack, and one that merges the packs.

The rules use only what Bazel 4.2 and later have in common. packtool's page "Bazel" explains them.
"""

# Files and folders with these names are never packed.
_NEVER_PACKED = [".DS_Store", "Thumbs.db", "desktop.ini", ".git", ".svn", ".hg", "CVS"]

# The same output on every machine, and input files that are symlinks.
_FLAGS = ["--no-state", "--symlinks=follow", "--quiet", "--jobs=1"]

def _is_packed(path):
    for name in path.split("/"):
        if name in _NEVER_PACKED or name.startswith("._"):
            return False
    return True

def _joined(*parts):
    return "/".join([part for part in parts if part])

def _path_in_pack(ctx, file):
    """The path of a file below the folder that strip_prefix names."""
    start = _joined(ctx.label.package, ctx.attr.strip_prefix.strip("/"))
    if start and not file.short_path.startswith(start + "/"):
        fail("%s is not below %s, where strip_prefix of %s begins" % (file.short_path, start, ctx.label))
    return file.short_path[len(start) + 1:] if start else file.short_path

def _folder_name(tags, taken):
    """A name for the shard of a tag set, which does not change if other tag sets are added."""
    text = "+".join(tags)
    safe = "".join([text[i] if text[i].isalnum() or text[i] in " +-_." else "_" for i in range(len(text))])
    name = "%s-%d" % (safe[:80], hash(json.encode(tags)))
    if name in taken:
        fail("the tags %s and %s lead to one name; rename a tag" % (tags, taken[name]))
    taken[name] = tags
    return name

def _write_manifest(ctx, name, members):
    """Writes a manifest whose paths begin at the folder in which actions run."""
    file = ctx.actions.declare_file(name)
    depth = len(file.dirname.split("/"))
    root = {"bundleIdentifier": ctx.attr.bundle_identifier, "root": "/".join([".."] * depth)}
    manifest = dict(root.items() + members.items())
    if ctx.attr.severity:
        manifest["severity"] = ctx.attr.severity
    ctx.actions.write(file, json.encode_indent(manifest, indent = "  ") + "\n")
    return file

def _run(ctx, mnemonic, message, arguments, inputs, output):
    ctx.actions.run(
        executable = ctx.executable._packtool,
        arguments = arguments + ["--output=" + output.path] + _FLAGS,
        inputs = inputs,
        outputs = [output],
        mnemonic = mnemonic,
        progress_message = message,
    )

def _asset_packs_impl(ctx):
    tags_of_files = {}
    for target, tags in ctx.attr.resources.items():
        for file in target.files.to_list():
            if _is_packed(_path_in_pack(ctx, file)):
                tags_of_files.setdefault(file, {}).update([(tag, None) for tag in json.decode(tags)])
    files_of_tags = {}
    for file, tags in tags_of_files.items():
        files_of_tags.setdefault(json.encode(sorted(tags.keys())), []).append(file)

    lists = {
        "initialInstallTags": ctx.attr.initial_install_tags,
        "prefetchTagOrder": ctx.attr.prefetch_tag_order,
    }
    layout = ["--layout=" + ctx.attr.layout]
    shards = []
    taken = {}
    for key in sorted(files_of_tags.keys()):
        tags, files = json.decode(key), files_of_tags[key]
        name = "%s.shards/%s" % (ctx.label.name, _folder_name(tags, taken))
        members = {
            "container": ctx.attr.container,
            "compression": ctx.attr.compression,
            "resources": [
                {"path": file.path, "destination": _path_in_pack(ctx, file), "tags": tags}
                for file in files
            ],
        }

        # A pack in this layout contains its priority, which depends on the lists of tags.
        if ctx.attr.layout == "xcode":
            members.update(lists)
        manifest = _write_manifest(ctx, name + ".json", members)
        shard = ctx.actions.declare_directory(name)
        arguments = ["build", manifest.path, "--shard=manifest"] + layout
        _run(ctx, "AssetPack", "Packing " + " + ".join(tags), arguments, files + [manifest], shard)
        shards.append(shard)

    members = dict(lists)
    if ctx.attr.app_bundle_size:
        members["appBundle"] = {"size": int(ctx.attr.app_bundle_size)}
    if ctx.attr.limits:
        members["limits"] = json.decode(ctx.attr.limits)
    manifest = _write_manifest(ctx, ctx.label.name + ".release.json", members)
    output = ctx.actions.declare_directory(ctx.label.name)
    arguments = ["merge", "--manifest=" + manifest.path] + [shard.path for shard in shards]
    message = "Merging %d packs of %s" % (len(shards), ctx.label)
    _run(ctx, "MergeAssetPacks", message, arguments, shards + [manifest], output)
    return [DefaultInfo(files = depset([output]), runfiles = ctx.runfiles(files = [output]))]

def _from_manifest_impl(ctx):
    output = ctx.actions.declare_directory(ctx.label.name)
    arguments = ["build", ctx.file.manifest.path, "--layout=" + ctx.attr.layout]
    inputs = ctx.files.srcs + [ctx.file.manifest]
    _run(ctx, "AssetPacks", "Packing %s" % ctx.label, arguments, inputs, output)
    return [DefaultInfo(files = depset([output]), runfiles = ctx.runfiles(files = [output]))]

def _packs_test_impl(ctx):
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    words = [ctx.executable._packtool.short_path, "verify", ctx.files.packs[0].short_path, "--symlinks=follow"]
    words += ["--submission"] if ctx.attr.submission else []
    words += ["--limits=" + ctx.attr.limits] if ctx.attr.limits else []
    quoted = ["'" + word.replace("'", "'\\''") + "'" for word in words]
    ctx.actions.write(script, "#!/bin/sh\nexec %s\n" % " ".join(quoted), is_executable = True)
    runfiles = ctx.runfiles(files = ctx.files.packs + [ctx.executable._packtool])
    return [DefaultInfo(executable = script, runfiles = runfiles)]

_packtool = {
    "_packtool": attr.label(
        default = "@packtool//:packtool",
        executable = True,
        allow_single_file = True,
        cfg = "exec",
    ),
}

_layout = {"layout": attr.string(default = "packtool", values = ["packtool", "xcode"])}

_asset_packs = rule(
    implementation = _asset_packs_impl,
    attrs = dict({
        "app_bundle_size": attr.string(),
        "bundle_identifier": attr.string(mandatory = True),
        "compression": attr.string(default = "default"),
        "container": attr.string(default = "zip"),
        "initial_install_tags": attr.string_list(),
        "limits": attr.string(),
        "prefetch_tag_order": attr.string_list(),
        "resources": attr.label_keyed_string_dict(allow_files = True, mandatory = True),
        "severity": attr.string_dict(),
        "strip_prefix": attr.string(),
    }.items() + _layout.items() + _packtool.items()),
)

asset_packs_from_manifest = rule(
    doc = "Builds the packs of a Manifest.json with one action.",
    implementation = _from_manifest_impl,
    attrs = dict({
        "manifest": attr.label(allow_single_file = True, mandatory = True),
        "srcs": attr.label_list(allow_files = True),
    }.items() + _layout.items() + _packtool.items()),
)

packs_test = rule(
    doc = "Verifies built packs; with submission, exceeded limits of the store are errors.",
    implementation = _packs_test_impl,
    test = True,
    attrs = dict({
        "limits": attr.string(),
        "packs": attr.label(mandatory = True),
        "submission": attr.bool(),
    }.items() + _packtool.items()),
)

def _label(text):
    """One spelling for a label of this package, so that a file can be listed for several tags."""
    here = "//%s:" % native.package_name()
    return text[len(here):] if text.startswith(here) else text.lstrip(":")

def asset_packs(name, bundle_identifier, resource_tags, limits = None, app_bundle_size = None, **attributes):
    """Groups files by their exact tags, builds each pack with one action, and merges the packs.

    Args:
      name: the name of the target, whose output is a folder of this name.
      bundle_identifier: the identifier of the app.
      resource_tags: for each tag, the files that have the tag: labels, often from a glob.
      limits: a profile or an object with limits, as "limits" in a Manifest.json.
      app_bundle_size: the size of the app in bytes, which some limits include.
      **attributes: initial_install_tags, prefetch_tag_order, strip_prefix, layout, container, compression,
        severity, and attributes of all rules, such as tags, testonly and visibility.
    """
    tags_of_labels = {}
    for tag, labels in resource_tags.items():
        for label in labels:
            tags_of_labels.setdefault(_label(label), {})[tag] = None
    _asset_packs(
        name = name,
        app_bundle_size = str(app_bundle_size) if app_bundle_size else "",
        bundle_identifier = bundle_identifier,
        limits = json.encode(limits) if limits else "",
        resources = {label: json.encode(sorted(tags.keys())) for label, tags in tags_of_labels.items()},
        **attributes
    )

def _repository_impl(ctx):
    path = ctx.os.environ.get("PACKTOOL") or ctx.which("packtool")
    if not path:
        fail("packtool is not in the PATH; install it, or set PACKTOOL to its path")
    ctx.symlink(path, "packtool")
    ctx.file("BUILD.bazel", "exports_files([\"packtool\"], visibility = [\"//visibility:public\"])\n")

packtool_repository = repository_rule(
    doc = "The packtool of this machine: the program that PACKTOOL names, or the one in the PATH.",
    implementation = _repository_impl,
    environ = ["PACKTOOL", "PATH"],
    local = True,
)
