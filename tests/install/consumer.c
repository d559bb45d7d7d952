#include <inflight/inflight.h>
#include <stdio.h>

int main(void) {
  if (ifl_api_version() != IFL_API_VERSION) {
    fprintf(stderr, "the library isn't that of the header\n");
    return 1;
  }
  return 0;
}
