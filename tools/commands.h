/* The commands of `taut`. Each gets the words after its name on the command line and returns the exit code. */
#ifndef TOOLS_COMMANDS_H
#define TOOLS_COMMANDS_H

int command_run(int argc, char **argv);
int command_render(int argc, char **argv);
int command_hash(int argc, char **argv);
int command_bench(int argc, char **argv);
int command_train(int argc, char **argv);
int command_info(int argc, char **argv);
int command_check(int argc, char **argv);
int command_mesh(int argc, char **argv);
int command_materials(int argc, char **argv);
int command_lab(int argc, char **argv);
int command_paper(int argc, char **argv);

#endif
