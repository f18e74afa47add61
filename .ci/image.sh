#!/usr/bin/env bash
# Builds the images from the Dockerfile, on a base that is made here of this machine's Node and the shared libraries that it
# needs: no registry of images can be reached. Usage: .ci/image.sh [prefix]; prints one image name a line.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix="${1:-localhost/tenantplane}"
export CONTAINERS_CONF="$PWD/.ci/containers.conf" BUILDAH_ISOLATION=chroot
[ -f dist/tenantplane.mjs ] || { echo "image.sh: dist/ is not there: run npm run build first" >&2; exit 1; }

node="$(node -p process.execPath)"
base="$prefix-base:$(sha256sum "$node" | cut -c1-12)"
if ! podman image exists "$base"; then
  root="$(mktemp -d)"
  trap 'rm -rf "$root"' EXIT
  mkdir -p "$root/usr/bin" "$root/etc" "$root/work"
  mkdir -m 1777 "$root/tmp"
  cp -L "$node" "$root/usr/bin/node"
  # ldd prints a path for each library, the loader among them
  ldd "$node" | grep -o '/[^ ]*' | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
  printf 'root:x:0:0::/:/none\nnobody:x:65534:65534::/:/none\nnonroot:x:65532:65532::/tmp:/none\n' >"$root/etc/passwd"
  printf 'root:x:0:\nnogroup:x:65534:\nnonroot:x:65532:\n' >"$root/etc/group"
  chmod -R a+rX "$root"
  container="$(buildah from scratch)"
  buildah copy -q "$container" "$root" / >/dev/null
  buildah config --env PATH=/usr/bin "$container"
  buildah commit -q "$container" "$base" >/dev/null
  buildah rm "$container" >/dev/null
fi

for target in render-tenant render-sync render-isolation validate-tenant tenantplane; do
  image="$prefix/$target"
  buildah bud -q --layers --pull-never --build-arg "BASE=$base" --target "$target" -t "$image" . >/dev/null
  echo "$image"
done
