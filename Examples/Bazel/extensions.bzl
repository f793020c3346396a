"""packtool as a repository of MODULE.bazel; Bazel 4.2 has no module extensions and does not load this file."""

load("//:packtool.bzl", "packtool_repository")

def _implementation(_ctx):
    packtool_repository(name = "packtool")

packtool_extension = module_extension(implementation = _implementation)
