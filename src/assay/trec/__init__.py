"""The drop-in for trec_eval: its names, options, files and printing, on assay's kernels."""
