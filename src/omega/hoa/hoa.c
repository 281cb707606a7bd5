#include "omega/hoa/hoa.h"

#include <stdlib.h>
#include <string.h>

#include "base/files.h"

bool hoa_parse(const char *text, size_t size, const char *name, struct hoa *out, struct problem *why) {
    return hoa_parse_any(text, size, name, false, out, why);
}

bool hoa_read(const char *path, struct hoa *out, struct problem *why) {
    bool standard = strcmp(path, "-") == 0;
    char *text = files_read(standard ? "/dev/stdin" : path, why);
    if (!text) return false;
    bool fine = hoa_parse(text, strlen(text), standard ? "standard input" : path, out, why);
    free(text);
    return fine;
}

void hoa_fini(struct hoa *h) {
    for (uint32_t s = 0; h->state_name && s < h->ba.states; s++) free(h->state_name[s]);
    free(h->state_name);
    if (h->testing) ta_fini(&h->ta);
    else ba_fini(&h->ba);
    free(h->name);
    *h = (struct hoa){0};
}
