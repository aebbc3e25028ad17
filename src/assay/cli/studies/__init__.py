"""The commands of `assay study`, one module for each study."""
