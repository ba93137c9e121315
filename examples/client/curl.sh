#!/bin/sh
# The service with curl. Usage: sh curl.sh SERVICE URL
service=${1:-http://127.0.0.1:8700}
url=${2:-https://example.com/}
ask() { curl -sS ${WAYLEAVE_KEY:+-H "Authorization: Bearer $WAYLEAVE_KEY"} -H 'Content-Type: application/json' "$@"; echo; }

# A document, stored or fetched.
ask -d "{\"url\":\"$url\"}" "$service/v1/aidocument"
# Only its main content; the site is asked whether it has changed.
ask -H 'Accept: text/markdown' -d "{\"url\":\"$url\",\"freshness_policy\":\"force_refresh\"}" "$service/v1/aidocument"
# What is stored, and nothing is asked of the site.
ask -G --data-urlencode "url=$url" "$service/v1/document"
# Many, a line for each as soon as it is there.
ask -N -d "{\"urls\":[\"$url\"]}" "$service/v1/aidocuments"
# In the background.
ask -d "{\"url\":\"$url\"}" "$service/v1/submit"
