#include <stdio.h>
#include <stdlib.h>

#include "report/execution/pictures.h"
#include "report/web/web.h"

/* JSON inside a script: no end tag may come up in it. */
static void print_data(const char *text, FILE *out) {
    for (; *text; text++) {
        if (*text == '<') fputs("\\u003c", out);
        else fputc(*text, out);
    }
}

/* Nothing is loaded from anywhere. */
char *pictures_html(const json_t *document) {
    char *page = NULL, *data = json_dumps(document, JSON_COMPACT | JSON_REAL_PRECISION(6));
    size_t size = 0;
    FILE *out = open_memstream(&page, &size);
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
          "style-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
          "<title>onager</title>\n<style>\n",
          out);
    fputs(web_page_css, out);
    fputs("</style>\n</head>\n<body>\n<script type=\"application/json\" id=\"document\">", out);
    print_data(data ? data : "null", out);
    fputs("</script>\n<script>\n", out);
    fputs(web_player_js, out);
    fputs(web_report_js, out);
    fputs("</script>\n</body>\n</html>\n", out);
    fclose(out);
    free(data);
    return page;
}
