#include "cli/commands.h"
int command_replay(const struct options *o, struct problem *why) { (void)o; (void)why; return 4; }
