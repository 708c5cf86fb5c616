#include <cstdio>

extern "C" double square_length(const char* weights);

int main(int, char** argv) {
  std::printf("%d %d\n", square_length(argv[1]) >= 4, square_length("/nonexistent") == -1);
}
