/**
 * Completion scripts. Each gives the typed words to `drover completion words`, the unfinished one last, and falls back to the names of
 * files if nothing is known. A `--` keeps typed options from being options of that call.
 */
export const SCRIPTS = {
  bash: `_drover() {
  local IFS=$'\\n'
  COMPREPLY=($(drover completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -o nosort -F _drover drover 2>/dev/null || complete -o default -F _drover drover`,
  zsh: `_drover() {
  local -a found
  found=("\${(@f)$(drover completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  (( $#found )) && compadd -V drover -- $found || _files
}
compdef _drover drover`,
  fish: `function __drover_complete
  set -l typed (commandline -opc) (commandline -ct)
  set -l found (drover completion words -- $typed[2..-1] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c drover -f -a '(__drover_complete)'`,
} as const;
