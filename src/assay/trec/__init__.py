"""The drop-in for trec_eval: its names, options, files, printing on assay's align and kernels."""
