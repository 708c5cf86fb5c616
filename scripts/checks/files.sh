# Sourced by the checks: moves to the root of the repository and lists its files.
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Files of the repository that match the given patterns; without git, of the folder.
repository_files() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
      [ -f "$file" ] && echo "$file"
    done
  else
    local pattern
    for pattern in "$@"; do
      find . -path ./build -prune -o -type f -name "${pattern##*/}" -print | sed 's|^\./||'
    done
  fi
}

# The versioned name where Debian installs one, so that every machine uses the same release.
versioned() {
  command -v "$1-14" || command -v "$1" || { echo "$1 is not installed" >&2; exit 1; }
}
