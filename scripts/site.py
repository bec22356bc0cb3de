"""Hooks of mkdocs for the site of docs/: links that leave docs/ go to the repository."""

import posixpath
import re

LINK = re.compile(r"(\]\()(\.\./[^)\s]*)(\))")


def on_page_markdown(markdown, page, config, **_):
    folder = posixpath.dirname(page.file.src_path)
    repository = config.extra["repository"]

    def absolute(match):
        target = posixpath.normpath(posixpath.join("docs", folder, match[2]))
        if target.startswith("docs/"):
            return match[0]
        return f"{match[1]}{repository}/blob/main/{target}{match[3]}"

    return LINK.sub(absolute, markdown)
