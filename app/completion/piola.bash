# Completion of the piola command for bash. Installed under its name, or sourced.

_piola()
{
    local word=${COMP_WORDS[COMP_CWORD]} before='' words=''
    [ "$COMP_CWORD" -lt 1 ] || before=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    case $before in
    --isa) words='auto sse4 avx2 avx512 neon' ;;
    --solver) words='descent energy compliant explicit' ;;
    --format) words='vtu obj png mp4' ;;
    --colour) words='body material strain stress speed cluster colour contact' ;;
    --at | --size | --passes | --columns | --fps | --width | --height) return ;;
    --steps | --seconds | --threads | --iterations | --substeps | --every) return ;;
    --out | --sensors | --record | --scene) ;;
    *)
        if [ "$COMP_CWORD" -eq 1 ]; then
            words='run check replay diff mesh render view info bench schema help --version'
        else
            words=$(_piola_words)
        fi
        ;;
    esac
    if [ -n "$words" ] && { [[ $word == -* ]] || [[ $words != --* ]]; }; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}

# What the command so far takes.
_piola_words()
{
    case ${COMP_WORDS[1]}:${COMP_WORDS[2]} in
    run:*)
        echo --steps --seconds --threads --isa --solver --iterations --substeps --times --json --hash --sensors --out \
            --every --format --sheet --film --fps --strict --record
        ;;
    replay:*) echo --verify --steps --scene --threads --isa --hash ;;
    diff:*) echo --scene ;;
    render:*) echo --out --at --size --colour --passes --columns --fps --threads ;;
    view:*) echo --width --height --colour --paused --seconds --log --threads ;;
    mesh:make) [ "$COMP_CWORD" -eq 3 ] && echo box beam ball torus rope capsule organ grid sphere chain rod helix curve || echo --out ;;
    bench:latency) echo --rate --seconds --threads --spin --plain --png --json ;;
    bench:*) [ "$COMP_CWORD" -ne 2 ] || echo latency ;;
    mesh:tetrahedralise) echo --tetrahedra ;;
    mesh:inspect | info:*) echo --json ;;
    mesh:*) echo make tetrahedralise inspect ;;
    help:*) echo run check mesh render view info bench schema ;;
    esac
}

complete -o filenames -F _piola piola
