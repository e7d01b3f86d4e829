// page.h - a self-contained HTML page: text, tables and plots, for light and dark screens.
//
// Nothing is loaded from elsewhere. All texts are escaped here; callers give plain text.
#ifndef CLI_PAGE_H
#define CLI_PAGE_H

#include "cli/text/plot.h"

typedef struct CliPage {
  FILE* stream;
  int plots; // written so far
  // the present table
  const char* const* headings;
  int column, columns;
  bool records; // its cells carry their headings
} CliPage;

void cli_page_open(CliPage* page, FILE* stream, const char* title);
void cli_page_close(CliPage* page);

void cli_page_heading(CliPage* page, const char* text);
void cli_page_paragraph(CliPage* page, const char* text);
// A sentence that stands out, as good news or bad.
void cli_page_verdict(CliPage* page, bool good, const char* text);
// A paragraph that must not be overlooked.
void cli_page_warning(CliPage* page, const char* text);
// A line to type, after its label, which is HTML.
void cli_page_command(CliPage* page, const char* label, const char* text);
void cli_page_plot(CliPage* page, const CliPlot* plot);

// A table: its headings, which must live until its end, then cell after cell; a row ends by itself.
// A heading that begins with '>' sets its column, of numbers, to the right.
void cli_page_table(CliPage* page, const char* const* headings, int columns);
// The same, but on a narrow screen each row is a block with the headings before its cells.
void cli_page_records(CliPage* page, const char* const* headings, int columns);
// `tone` is "" or "good", "bad" or "soft".
void cli_page_cell(CliPage* page, const char* text, const char* tone);
// A cell with a link to a file beside the page.
void cli_page_link(CliPage* page, const char* text, const char* address);
void cli_page_table_end(CliPage* page);

// Writes text with the characters that HTML and XML take for their own replaced.
void cli_page_escape(FILE* stream, const char* text);

#endif
