# changelog.py NEWS.md VERSION MAINTAINER: the news as Debian's changelog, the newest first, from
# VERSION on. What is not released yet has the date of SOURCE_DATE_EPOCH (default 1980).
import datetime
import email.utils
import os
import re
import sys
import textwrap

news, version, maintainer = sys.argv[1:]
with open(news, encoding="utf-8") as file:
    releases = re.split(r"^## ", file.read(), flags=re.M)[1:]
numbers = [re.match(r"[0-9.]+", release)[0] for release in releases]
if version not in numbers:
    sys.exit(f"{sys.argv[1]} says nothing about version {version}: write what is new for users")
made = int(os.environ.get("SOURCE_DATE_EPOCH") or 315532800)
for number, release in list(zip(numbers, releases))[numbers.index(version) :]:
    head, _, body = release.partition("\n")
    day = re.search(r"\d{4}-\d\d-\d\d", head)
    seconds = made
    if day:
        date = datetime.datetime.fromisoformat(day[0]).replace(tzinfo=datetime.timezone.utc)
        seconds = int(date.timestamp())
    items = re.split(r"^- ", body, flags=re.M)[1:]
    print(f"nbscope ({number}) unstable; urgency=medium\n")
    for item in items:
        text = re.sub(r"[*`]", "", " ".join(item.split()))
        print(textwrap.fill(text, 76, initial_indent="  * ", subsequent_indent="    "))
    print(f"\n -- {maintainer}  {email.utils.formatdate(seconds)}\n")
