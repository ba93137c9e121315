"""Scrapy with its frontier on disk, the text of every page in a file."""

import json
import os
import re
import resource
import sys
import time

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

start = time.monotonic()
origin, _, folder = sys.argv[1:4]


class Site(scrapy.Spider):
    name = "site"
    start_urls = [f"{origin}/"]
    links = LinkExtractor(allow=[f"^{re.escape(origin)}/"])

    def parse(self, response):
        text = " ".join(response.xpath("//body//text()[not(ancestor::script or ancestor::style)]").getall())
        yield {"url": response.url, "title": response.xpath("//title/text()").get(), "text": text}
        for link in self.links.extract_links(response):
            yield response.follow(link, self.parse)


process = CrawlerProcess(
    {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 8,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "DOWNLOAD_DELAY": 0,
        "JOBDIR": f"{folder}/job",
        "FEEDS": {f"{folder}/pages.jsonl": {"format": "jsonlines"}},
        "LOG_LEVEL": "ERROR",
    }
)
crawler = process.create_crawler(Site)
process.crawl(crawler)
process.start()
usage = resource.getrusage(resource.RUSAGE_SELF)
report = {
    "pages": crawler.stats.get_value("item_scraped_count", 0),
    "cpu": usage.ru_utime + usage.ru_stime,
    "seconds": time.monotonic() - start,
    "rss": usage.ru_maxrss / 1024,
}
os.write(3, (json.dumps(report) + "\n").encode())
