"""What `assay plot` reads, asks and draws, kind by kind."""
