"""The commands of `assay spark`, one file each."""
