"""Crawling a site for evidence pages: `prov crawl`."""
