/* interim.h: a new file that is not seen until it is complete.
 *
 * It is written in the folder where it shall be. Where the file system can do that, it has no name until it is put in
 * its place, and disappears with the program, however that ends. Elsewhere, and for the moment between, it has a name
 * of its own: PLACE.XXXXXXXX, chosen by chance, never one that is there, and never reached through a link. What was at
 * the place before stays until the new file takes it in one step. Two programs that write the same file do not meet:
 * the one that is complete last stays.
 *
 * Names are noted in the process, so that a signal can remove them (this is state of the process, as signals are): a
 * handler that is going to end the program calls interim_remove_all. Kill -9 leaves at most a file with such a name.
 */
#ifndef BASE_INTERIM_H
#define BASE_INTERIM_H

#include <stdbool.h>
#include <sys/stat.h>

struct interim {
    int fd;      /* to write, and to read back */
    char *place; /* where it shall be */
    char *name;  /* where it is; NULL: it has no name */
    int noted;   /* which of the noted names this is; -1: none */
};

enum interim_kind { INTERIM_NAMELESS, INTERIM_NAMED }; /* nameless: if the file system can do that */

/* With the rights of `old`; NULL: with those of a new file. False: errno. */
bool interim_open(struct interim *i, const char *place, const struct stat *old, enum interim_kind kind);

/* It takes its place and is closed. False: errno, and nothing has changed. */
bool interim_place(struct interim *i);

/* Instead: nothing was there. */
void interim_drop(struct interim *i);

/* For a signal handler, and for whoever ends the program: removes the names that are left. */
void interim_remove_all(void);

#endif
