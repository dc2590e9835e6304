"""Evidence -> a static site for people: pages as text. Nothing of it is written here, and nothing asks the network."""
