"""The director's forms: facts from the record in, a procedure with orders out."""
