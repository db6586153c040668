/* folder.h: folders are made and removed. */
#ifndef FOLDER_H
#define FOLDER_H

int folder_make(const char *path);	/* mkdir -p; 0, or -1 and errno */
/* rm -rf that follows no link and enters no other file system; 0, or -1 and errno. */
int folder_remove(const char *path);

#endif
