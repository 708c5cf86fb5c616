// Replaced by the command line proper.
int main() {
  return 0;
}
