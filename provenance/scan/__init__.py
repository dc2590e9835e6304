"""Documents -> evidence: links are found, paired with what they are quoted by, and judged like citations."""
