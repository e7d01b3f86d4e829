// page.c - a self-contained HTML page: text, tables and plots, for light and dark screens.
#include "cli/text/page.h"

#include <rigor/rigor.h>

static const char* const style =
    "<style>\n"
    ":root{color-scheme:light dark;--ink:#222;--paper:#fdfdfc;--soft:#666;--rule:#ddd;"
    "--good:#1a7f4b;--bad:#b3261e}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e6e6;--paper:#191a1b;--soft:#a8a8a8;"
    "--rule:#3a3a3a;--good:#6fd39b;--bad:#ff8a80}}\n"
    "body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper);"
    "max-width:58rem;margin:2.5rem auto;padding:0 1.2rem}\n"
    "h1{font-size:1.6rem;line-height:1.25;margin:0 0 .4rem}h2{font-size:1.1rem;margin:2.2rem 0 "
    ".5rem}p{margin:.5rem 0;max-width:44rem}\n"
    "table{border-collapse:collapse;margin:.8rem 0;font-size:.92rem;"
    "font-variant-numeric:tabular-nums}\n"
    "th{text-align:left;font-weight:600;color:var(--soft);border-bottom:1px solid var(--soft)}\n"
    "th,td{padding:.28rem .9rem .28rem 0;vertical-align:top}td{border-bottom:1px solid "
    "var(--rule)}\n"
    ".number{text-align:right;white-space:nowrap}.good{color:var(--good)}.bad{color:var(--bad);"
    "font-weight:600}\n"
    ".verdict{font-weight:600}.scroll{overflow-x:auto}\n"
    ".warning{border-left:.25rem solid var(--bad);padding:.1rem 0 .1rem .8rem}\n"
    "a{color:inherit}code{font-size:.92em}.soft{color:var(--soft)}\n"
    "figure{margin:1rem 0}figcaption{color:var(--soft);font-size:.9rem;max-width:44rem}\n"
    "svg.plot{max-width:100%;height:auto}footer{margin-top:3rem;color:var(--soft);"
    "font-size:.85rem}\n"
    // On a phone a row of a table of records becomes a block, each cell with its heading before it.
    "svg.scene{max-width:100%;height:auto}\n"
    "@media(max-width:40rem){body{margin:1.2rem auto}figure{overflow-x:auto}"
    "svg.plot{max-width:none;width:38rem}svg.single{width:100%}table.records,.records "
    "tbody{display:block}"
    ".records thead{display:none}.records tr{display:block;padding:.6rem 0;border-bottom:1px solid "
    "var(--rule)}.records td{display:flex;justify-content:space-between;gap:1rem;border:0;"
    "padding:.06rem 0;text-align:right;white-space:normal}"
    ".records td::before{content:attr(data-label);color:var(--soft);text-align:left}"
    ".records td:first-child{font-weight:600;text-align:left}"
    ".records td:first-child::before,.records td:empty{display:none}}\n"
    "@media "
    "print{:root{color-scheme:light;--paper:#fff}body{margin:0;max-width:none;font-size:10pt}"
    "tr,figure{break-inside:avoid}h2{break-after:avoid}thead{display:table-header-group}}\n"
    "</style>\n";

void cli_page_escape(FILE* stream, const char* text) {
  for (; *text; ++text)
    switch (*text) {
    case '<':
      fputs("&lt;", stream);
      break;
    case '>':
      fputs("&gt;", stream);
      break;
    case '&':
      fputs("&amp;", stream);
      break;
    case '"':
      fputs("&quot;", stream);
      break;
    default:
      fputc((unsigned char)*text < 0x20 ? ' ' : *text, stream);
    }
}

// <tag more>text</tag>
static void element(FILE* stream, const char* tag, const char* more, const char* text) {
  fprintf(stream, "<%s%s>", tag, more);
  cli_page_escape(stream, text);
  fprintf(stream, "</%s>\n", tag);
}

void cli_page_open(CliPage* page, FILE* stream, const char* title) {
  *page = (CliPage){.stream = stream};
  fprintf(stream, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
  element(stream, "title", "", title);
  fprintf(stream, "%s</head>\n<body>\n", style);
  element(stream, "h1", "", title);
}

void cli_page_close(CliPage* page) {
  fprintf(page->stream, "<footer>rigor %s</footer>\n</body>\n</html>\n", rg_version());
}

void cli_page_heading(CliPage* page, const char* text) { element(page->stream, "h2", "", text); }

void cli_page_paragraph(CliPage* page, const char* text) { element(page->stream, "p", "", text); }

void cli_page_warning(CliPage* page, const char* text) {
  element(page->stream, "p", " class=\"warning\"", text);
}

void cli_page_command(CliPage* page, const char* label, const char* text) {
  fprintf(page->stream, "<p>%s <code>", label);
  cli_page_escape(page->stream, text);
  fprintf(page->stream, "</code></p>\n");
}

void cli_page_verdict(CliPage* page, bool good, const char* text) {
  element(page->stream, "p", good ? " class=\"verdict good\"" : " class=\"verdict bad\"", text);
}

void cli_page_plot(CliPage* page, const CliPlot* plot) {
  fprintf(page->stream, "<figure>\n");
  element(page->stream, "h2", "", cli_plot_title(plot));
  cli_plot_write(plot, page->stream, ++page->plots);
  element(page->stream, "figcaption", "", cli_plot_caption(plot));
  fprintf(page->stream, "</figure>\n");
}

static void open_table(CliPage* page, bool records, const char* const* headings, int columns) {
  page->records = records;
  page->headings = headings;
  page->columns = columns;
  page->column = 0;
  fprintf(page->stream, "<div class=\"scroll\"><table%s>\n<thead><tr>",
          records ? " class=\"records\"" : "");
  for (int i = 0; i < columns; ++i) {
    bool number = headings[i][0] == '>';
    element(page->stream, "th", number ? " class=\"number\"" : "", headings[i] + number);
  }
  fprintf(page->stream, "</tr></thead>\n<tbody>\n");
}

void cli_page_table(CliPage* page, const char* const* headings, int columns) {
  open_table(page, false, headings, columns);
}

void cli_page_records(CliPage* page, const char* const* headings, int columns) {
  open_table(page, true, headings, columns);
}

static void open_cell(CliPage* page, const char* tone) {
  if (page->column == 0)
    fprintf(page->stream, "<tr>");
  const char* heading = page->headings[page->column];
  bool number = heading[0] == '>';
  fprintf(page->stream, "<td");
  if (page->records) {
    fprintf(page->stream, " data-label=\"");
    cli_page_escape(page->stream, heading + number);
    fprintf(page->stream, "\"");
  }
  fprintf(page->stream, " class=\"%s%s%s\">", number ? "number" : "", number && tone[0] ? " " : "",
          tone);
}

static void close_cell(CliPage* page) {
  fprintf(page->stream, "</td>");
  if (++page->column == page->columns) {
    fprintf(page->stream, "</tr>\n");
    page->column = 0;
  }
}

void cli_page_cell(CliPage* page, const char* text, const char* tone) {
  open_cell(page, tone);
  cli_page_escape(page->stream, text);
  close_cell(page);
}

void cli_page_link(CliPage* page, const char* text, const char* address) {
  open_cell(page, "");
  fprintf(page->stream, "<a href=\"");
  cli_page_escape(page->stream, address);
  fprintf(page->stream, "\">");
  cli_page_escape(page->stream, text);
  fprintf(page->stream, "</a>");
  close_cell(page);
}

void cli_page_table_end(CliPage* page) { fprintf(page->stream, "</tbody></table></div>\n"); }
