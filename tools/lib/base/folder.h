/* folder.h: folders are made and removed. */
#pragma once

int folder_make(const char *path);	/* mkdir -p; 0, or -1 and errno */
/* rm -rf that follows no link and enters no other file system; 0, or -1 and errno. */
int folder_remove(const char *path);
