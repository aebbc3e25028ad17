"""The report as a page that stands by itself, as Markdown for a pull request, and as LaTeX."""
