"""Sphinx: how the pages of docs/ become a site. scripts/site runs it on build/site-source."""

import os

project = "Rigor"
author = "the authors of Rigor"
version = release = os.environ["RIGOR_VERSION"]
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["README.md"]
myst_heading_anchors = 4
nitpicky = True
highlight_language = "none"  # of blocks that name no language
pygments_style, pygments_dark_style = "friendly", "monokai"

html_theme = "furo"
html_title = f"Rigor {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_extra_path = ["_extra"]  # the C interface
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5a6e", "color-brand-content": "#0b5a6e"},
    "dark_css_variables": {"color-brand-primary": "#6cc4d8", "color-brand-content": "#6cc4d8"},
}
