"""Where contents are had: git, release artifacts, the Software Heritage archive. Adapters: they do I/O."""
