// A program as a user of the installed library would write it; compiled as C and as C++.
#include <rigor/rigor.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  const char* version = rg_version();
  printf("%s\n", version);
  return argc == 2 && strcmp(argv[1], version) != 0;
}
