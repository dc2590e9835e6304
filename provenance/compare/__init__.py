"""Pure decisions: a quote and a file's lines -> a judgement."""
