"""What a person sees: tables and file formats, without arithmetic of their own."""
