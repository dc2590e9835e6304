"""Documents that cite code -> citations. Adapters: they read what people publish."""
