"""The use case that makes a site of judged manifests: what pages need, and the folder that they are written to."""
