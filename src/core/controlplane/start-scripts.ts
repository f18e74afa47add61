import { TENANT_API_PORT } from './endpoint.ts';
import { PATH } from './k3s-arguments.ts';
import { BEGUN_FILE } from './names.ts';

/**
 * What runs before k3s, in its own image and as its own user. Only what every build of k3s' image has: a shell, cat, cp, mkdir, mv, sleep.
 */

/**
 * Puts the authorities where k3s looks for them at its first start (docs.k3s.io/cli/certificate); it signs its other certificates with
 * them, into the same folder, which therefore cannot be the mounted Secret. A key of a Secret holds no slash: `etcd.peer-ca.crt` is
 * `etcd/peer-ca.crt`. A volume with others on it is another control plane's: k3s would run under authorities that nobody else has.
 */
export const PLACE_AUTHORITIES: string = `set -eu
umask 077
tls=${PATH.data}/server/tls
mkdir -p "$tls/etcd"
cd ${PATH.authorities}
for file in *; do
  case "$file" in
    etcd.*) to="$tls/etcd/\${file#etcd.}" ;;
    *) to="$tls/$file" ;;
  esac
  if [ ! -e "$to" ]; then
    cp "$file" "$to.new"
    mv "$to.new" "$to"
  elif [ "$(cat "$file")" != "$(cat "$to")" ]; then
    echo "The volume holds $file of another control plane: the Secret of its authorities is not the one that it was made with." >&2
    exit 1
  fi
done
`;

/** `/ping` is for anybody; but kubectl asks a person for a name and a password where it is given no credentials, so it is given some. */
const ANSWERS: string = `answers() {
  k3s kubectl --kubeconfig=/dev/null --server="https://$1:${TENANT_API_PORT}" --certificate-authority=${PATH.authorities}/server-ca.crt \\
    --token=none get --raw /ping --request-timeout=5s >/dev/null 2>&1
}`;

/**
 * Tells an etcd member its address and whom it joins. Pods of a set start together, so that a quorum can come back after all were down; at
 * the first start all others wait for one that answers. The first one begins the cluster only where nobody answers and it was never begun:
 * with its volume lost it joins the others, however long they take to answer, and does not begin a second, empty one.
 *
 * The address stands in the environment that the kubelet makes of Services; where it is not there yet, the container is started again.
 */
export const CONFIGURE_MEMBER: string = `set -eu
ordinal="\${POD_NAME##*-}"
eval "address=\\\${CONTROL_PLANE_\${ordinal}_SERVICE_HOST:?is not known yet}"
${ANSWERS}
join=
tries=0
if [ ! -d ${PATH.data}/server/db/etcd/member ]; then
  while :; do
    for other in $OTHERS; do
      case "$other" in "$POD_NAME".*) continue ;; esac
      if answers "$other"; then join="$other"; break 2; fi
    done
    if [ "$ordinal" = 0 ]; then
      if [ ! -e ${PATH.config}/${BEGUN_FILE} ]; then break; fi
      tries=$((tries + 1))
      if [ "$tries" = 30 ]; then
        echo "The volume is empty, this control plane was begun before, and no other member answers: restore it from a backup." >&2
        exit 1
      fi
    fi
    sleep 2
  done
  if [ -z "$join" ]; then start="cluster-init: true"; else start="server: https://$join:${TENANT_API_PORT}"; fi
else
  start=
fi
printf 'node-ip: %s\\n%s\\n' "$address" "$start" > ${PATH.k3sConfig}/member.yaml
`;
