"""`python -m assay`, the same as `assay`."""

from assay.cli import main

main()
