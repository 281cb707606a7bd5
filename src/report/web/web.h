/* web.h: what pages are made of, as the files of this folder have it, embedded in the program. */
#ifndef REPORT_WEB_WEB_H
#define REPORT_WEB_WEB_H

extern const char web_page_css[], web_player_js[], web_report_js[];

#endif
