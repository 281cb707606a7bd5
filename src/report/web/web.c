#include "report/web/web.h"

/* The assembler finds files from the folder of the Makefile, where compilers are started. */
#define EMBED(name, file)                                                                                              \
    __asm__(".pushsection .rodata\n.global " #name "\n" #name ":\n.incbin \"src/report/web/" file "\"\n.byte 0\n"      \
            ".popsection")

EMBED(web_page_css, "page.css");
EMBED(web_player_js, "player.js");
EMBED(web_report_js, "report.js");
