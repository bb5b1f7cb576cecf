#!/usr/bin/env bash
# Certificates of a venue: its own authority, the broker, and one for each device.
#
#   certificates.sh FOLDER make WHO:NAME[,NAME...] ...   what is missing, in FOLDER/WHO/NAME.crt and .key
#   certificates.sh FOLDER revoke NAME                   the broker refuses NAME after its next start
#
# WHO is the machine or container that gets a folder of its own: broker, recorder, dashboard, table-7.
# The broker's names are those by which tables reach it: broker:broker,venue.example; those of the dashboard's
# pages likewise: web:overlays.example makes what `tilecast dashboard --tls` takes. FOLDER/authority
# holds the key that signs: whoever has it can make devices. BROKER_UID, CLIENT_UID: who owns the files.
set -euo pipefail
umask 077
if [ $# -lt 3 ]; then
    sed -n '2,11s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
folder=$1 action=$2
shift 2
authority=$folder/authority
days=825

# What a command says is of interest only when it fails.
quiet() {
    local said
    if ! said=$("$@" 2>&1); then
        printf '%s\n' "$said" >&2
        exit 1
    fi
}

begin() {
    [ -e "$authority/ca.key" ] && return
    mkdir -p "$authority"
    : >"$authority/index.txt"
    cat >"$authority/ca.cnf" <<CNF
[ca]
default_ca = venue
[venue]
database = $authority/index.txt
certificate = $authority/ca.crt
private_key = $authority/ca.key
default_md = sha256
default_crl_days = 3650
CNF
    quiet openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 \
        -subj "/CN=Tilecast venue" -addext keyUsage=critical,keyCertSign,cRLSign \
        -keyout "$authority/ca.key" -out "$authority/ca.crt"
    list_revoked
}

list_revoked() {
    quiet openssl ca -config "$authority/ca.cnf" -gencrl -out "$authority/ca.crl"
}

# sign WHO NAME EXTENSIONS
sign() {
    local to=$folder/$1 name=$2
    [ -e "$to/$name.crt" ] && return
    if [ -e "$authority/issued/$name.crt" ]; then
        echo "$name: another has this name; the broker tells devices apart by their names" >&2
        exit 1
    fi
    quiet openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$name" \
        -keyout "$to/$name.key" -out "$to/$name.csr"
    # The certificate comes last: a run that is stopped here begins this one again.
    printf '%s\n' "$3" >"$to/$name.ext"
    quiet openssl x509 -req -in "$to/$name.csr" -CA "$authority/ca.crt" -CAkey "$authority/ca.key" \
        -set_serial "0x$(openssl rand -hex 15)" -days "$days" -sha256 \
        -extfile "$to/$name.ext" -out "$to/$name.part"
    mkdir -p "$authority/issued"
    cp "$to/$name.part" "$authority/issued/$name.crt"
    mv "$to/$name.part" "$to/$name.crt"
    rm "$to/$name.csr" "$to/$name.ext"
    echo "made $1/$name"
}

owned() {
    if [ "$(id -u)" = 0 ]; then chown -R "$1" "$2"; fi
}

make() {
    local who=${1%%:*} names=${1#*:} name
    if [[ ! $1 =~ ^[a-z0-9-]+:[a-z0-9-][a-z0-9.-]*(,[a-z0-9-][a-z0-9.-]*)*$ || $who = authority ]]; then
        echo "$1: WHO:NAME[,NAME...] is needed, in small letters, digits and hyphens" >&2
        exit 2
    fi
    mkdir -p "$folder/$who"
    if [ "$who" = broker ] || [ "$who" = web ]; then
        sign "$who" "$who" "subjectAltName=DNS:localhost,IP:127.0.0.1,DNS:${names//,/,DNS:}
extendedKeyUsage=serverAuth"
        if [ "$who" = broker ]; then cp "$authority/ca.crl" "$folder/broker/"; fi
    else
        for name in ${names//,/ }; do
            sign "$who" "$name" "extendedKeyUsage=clientAuth"
        done
    fi
    cp "$authority/ca.crt" "$folder/$who/"
    if [ "$who" = broker ]; then owned "${BROKER_UID:-1883}" "$folder/$who"
    else owned "${CLIENT_UID:-10001}" "$folder/$who"; fi
}

case $action in
make)
    begin
    for one in "$@"; do make "$one"; done
    ;;
revoke)
    issued=$authority/issued/$1.crt
    if [ ! -e "$issued" ]; then
        echo "$1: this authority has made no such certificate; it has made: $(
            cd "$authority/issued" && ls | sed 's/[.]crt$//' | paste -sd ' ')" >&2
        exit 1
    fi
    quiet openssl ca -config "$authority/ca.cnf" -revoke "$issued"
    list_revoked
    cp "$authority/ca.crl" "$folder/broker/"
    owned "${BROKER_UID:-1883}" "$folder/broker"
    rm -f "$issued" "$folder"/*/"$1".crt "$folder"/*/"$1".key
    echo "revoked $1: restart the broker, then make a new one if it is to come back"
    ;;
*)
    echo "$action: make or revoke" >&2
    exit 2
    ;;
esac
