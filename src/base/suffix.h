/* suffix.h: what a file is, by the end of its name. This is the one table of suffixes; what is not in it is unknown,
 * and nobody guesses. */
#ifndef BASE_SUFFIX_H
#define BASE_SUFFIX_H

#include <stdbool.h>

enum file_kind {
    FILE_UNKNOWN,
    FILE_C,       /* a model */
    FILE_ASSET,   /* a model in ASSET's language, which is C++ */
    FILE_FSP,     /* processes */
    FILE_AUT,     /* an LTS in the Aldebaran format */
    FILE_FSM,     /* an LTS in the text format of mCRL2 */
    FILE_MCRL2,   /* an LTS in the binary format of mCRL2: .lts, too */
    FILE_DOT,     /* a graph in the language of Graphviz */
    FILE_PICTURE, /* what Graphviz makes of it */
};

enum packing { PACKED_NOT, PACKED_GZIP, PACKED_ZSTD };

struct file_type {
    enum file_kind kind;
    enum packing packing; /* of LTSs: .aut.gz, .aut.zst */
};

/* Of the end of a path. Letters are as they are: .AUT is unknown. What is called .lts is FILE_FSP here, since only its
 * first bytes tell (lts/lts_file.h); if it is packed, FILE_MCRL2. */
struct file_type suffix_type(const char *path);
bool suffix_is_shared(const char *path); /* .lts, which FSP and mCRL2 both use, not packed */

/* The suffixes of a kind, as ".fsp or .lts", for messages. To be freed. */
char *suffix_list(enum file_kind kind);

bool suffix_is_lts(enum file_kind kind);   /* that can be read */
bool suffix_is_model(enum file_kind kind); /* that is compiled or composed */

#endif
