/* identity.h: what a file of states was made of, so that it is not taken for something else.
 *
 * An identity is a list of labels with values, all of them text: "parameter n" is "8", "stubborn" is "no". Two of them
 * are the same if they have the same labels with the same values. The last word of a label is what people call it. One
 * label is but a note, for messages: IDENTITY_FILE, the name of the model's file.
 */
#ifndef STORE_IDENTITY_H
#define STORE_IDENTITY_H

#include "base/problem.h"
#include "store/archive.h"
#include "ts/ts.h"

#define IDENTITY_FILE "file"
#define IDENTITY_PROCESS "process" /* of that file; there is none where files are one model */

struct identity {
    struct identity_entry {
        char *label, *value;
    } * entries;
    size_t count;
};

void identity_fini(struct identity *id);
void identity_add(struct identity *id, const char *label, const char *value);
void identity_add_number(struct identity *id, const char *label, int64_t value);
void identity_add_flag(struct identity *id, const char *label, bool value); /* "yes" or "no" */

/* NULL: there is no such label. */
const char *identity_value(const struct identity *id, const char *label);

/* Adds what makes the model what it is: version of onager, process of the file, hash of all that is compiled,
 * parameters, the form of its states. Where its file lies, what it is called, and which reductions are used, is no part
 * of that; but the name is noted. */
void identity_of_model(struct identity *id, const struct ts *ts);

/* Whether both are the same; else the problem names what differs: "the WHAT is of parameter n=8, now n=9". If only
 * the text of the model is another, it tells whether it is of another model, or that the text has changed. */
bool identity_same(const struct identity *then, const struct identity *now, const char *what, struct problem *why);

/* The name of the file of the model that `then` is of, if that is known, and not what the file at `path` is called.
 * NULL: there is nothing odd about it. */
const char *identity_other_file(const struct identity *then, const char *path);

bool identity_write(const struct identity *id, struct archive_writer *w, const char *section);
bool identity_read(struct identity *id, struct archive_reader *r, const char *section, struct problem *why);

#endif
