import { type CommandModel, everyCommand, type OptionModel } from './command-model.ts';
import { NAMING } from './naming.ts';

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

/** A completion script for one shell, made from the tree of commands. */
export function completionScript(shell: Shell, program: CommandModel): string {
  return SCRIPTS[shell](program);
}

const SCRIPTS: Readonly<Record<Shell, (program: CommandModel) => string>> = { bash, zsh, fish, powershell };

const pathOf = (model: CommandModel): string => model.path.join(' ');
const flagsOf = (model: CommandModel): string[] => [
  ...model.options.flatMap((option) => [option.long, ...(option.short ?? '').split(' ').filter(Boolean)]),
  '--help',
];
const namesOf = (model: CommandModel): string[] => [...model.commands.map((child) => child.path.at(-1) ?? ''), ...model.choices];
const closed = (model: CommandModel): readonly OptionModel[] => model.options.filter((option) => option.choices.length > 0);
const spellings = (option: OptionModel): readonly string[] => [option.long, option.short].filter((flag) => flag !== undefined);
const single = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function bash(program: CommandModel): string {
  const models = everyCommand(program);
  const values = models.flatMap((model) =>
    closed(model).map((option) => {
      const patterns = spellings(option).map((flag) => single(`${pathOf(model)} ${flag}`));
      return `    ${patterns.join('|')}) COMPREPLY=($(compgen -W ${single(option.choices.join(' '))} -- "$cur")); return ;;`;
    }),
  );
  return `# tenantplane completion for bash: source <(tenantplane completion bash)
_tenantplane() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" word flags="" names="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$at $word" in
${steps(models, (from, word, to) => `      ${single(`${from} ${word}`)}) at=${single(to)} ;;`)}
    esac
  done
  case "$at $prev" in
${values.join('\n')}
  esac
  case "$at" in
${models.map((model) => `    ${single(pathOf(model))}) flags=${single(flagsOf(model).join(' '))}; names=${single(namesOf(model).join(' '))} ;;`).join('\n')}
  esac
  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$names" -- "$cur"))
    case "$at" in
      ${NAMING.join('|')})
        while read -r word; do COMPREPLY+=("$word"); done < <(tenantplane __names -- "$at" "\${COMP_WORDS[@]:2:COMP_CWORD-1}" 2>/dev/null) ;;
    esac
  fi
}
complete -o bashdefault -o default -F _tenantplane tenantplane
`;
}

function zsh(program: CommandModel): string {
  const models = everyCommand(program);
  const described = (name: string, text: string): string => single(`${name.replaceAll(':', '\\:')}:${text}`);
  const cases = models.map((model) => {
    const flags = model.options.map((option) => described(option.long, option.description)).join(' ');
    const names = [
      ...model.commands.map((child) => described(child.path.at(-1) ?? '', child.description)),
      ...model.choices.map((choice) => described(choice, '')),
    ].join(' ');
    return `    (${single(pathOf(model))}) flags=(${flags}); names=(${names}) ;;`;
  });
  const values = models.flatMap((model) =>
    closed(model).map(
      (option) =>
        `    (${spellings(option)
          .map((flag) => single(`${pathOf(model)} ${flag}`))
          .join('|')}) compadd -- ${option.choices.map(single).join(' ')}; return ;;`,
    ),
  );
  return `#compdef tenantplane
# tenantplane completion for zsh: source <(tenantplane completion zsh), or save it as _tenantplane in your fpath
_tenantplane() {
  local at="" word
  local -a flags names
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${steps(models, (from, word, to) => `      (${single(`${from} ${word}`)}) at=${single(to)} ;;`)}
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${values.join('\n')}
  esac
  case "$at" in
${cases.join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then _describe option flags
  else
    (( \${#names} )) && _describe command names
    case "$at" in
      (${NAMING.join('|')}) compadd -- \${(f)"$(tenantplane __names -- "$at" "\${(@)words[3,CURRENT]}" 2>/dev/null)"} ;;
    esac
    _files
  fi
}
if [ "\${funcstack[1]}" = "_tenantplane" ]; then _tenantplane "$@"; else compdef _tenantplane tenantplane; fi
`;
}

function fish(program: CommandModel): string {
  const lines = ['# tenantplane completion for fish: tenantplane completion fish > ~/.config/fish/completions/tenantplane.fish'];
  const text = (words: string): string => `'${words.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  for (const model of everyCommand(program)) {
    const seen = model.path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const here = seen.length === 0 ? '__fish_use_subcommand' : seen.join('; and ');
    for (const child of model.commands) {
      const name = child.path.at(-1) ?? '';
      lines.push(`complete -c tenantplane -n ${text(here)} -a ${text(name)} -d ${text(child.description)}`);
    }
    for (const choice of model.choices) lines.push(`complete -c tenantplane -n ${text(here)} -a ${text(choice)}`);
    if (NAMING.includes(pathOf(model)))
      lines.push(
        `complete -c tenantplane -n ${text(here)} -a ${text(`(tenantplane __names -- ${pathOf(model)} (commandline -opc)[3..-1] (commandline -ct) 2>/dev/null)`)}`,
      );
    for (const option of model.options) {
      const value = option.choices.length > 0 ? ` -x -a ${text(option.choices.join(' '))}` : option.takesValue ? ' -r' : '';
      const short = option.short === undefined ? '' : option.short.replace(/^--?/, (dashes) => (dashes === '--' ? ' -l ' : ' -s '));
      lines.push(`complete -c tenantplane -n ${text(here)} -l ${option.long.slice(2)}${short}${value} -d ${text(option.description)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function powershell(program: CommandModel): string {
  const models = everyCommand(program);
  const text = (words: string): string => `'${words.replaceAll("'", "''")}'`;
  const list = (words: readonly string[]): string => `@(${words.map(text).join(', ')})`;
  const tables = models.map((model) => `    ${text(pathOf(model))} = ${list([...namesOf(model), ...flagsOf(model)])}`);
  const values = models.flatMap((model) =>
    closed(model).flatMap((option) => spellings(option).map((flag) => `    ${text(`${pathOf(model)} ${flag}`)} = ${list(option.choices)}`)),
  );
  return `# tenantplane completion for PowerShell: tenantplane completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName tenantplane -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${tables.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $at = ''
  $previous = ''
  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
    $text = $element.ToString()
    if ($element.Extent.EndOffset -ge $cursorPosition -and $wordToComplete -ne '') { break }
    $next = "$at $text".Trim()
    if ($words.ContainsKey($next)) { $at = $next }
    $previous = $text
  }
  $found = if ($values.ContainsKey("$at $previous")) { $values["$at $previous"] } else { $words[$at] }
  if (@(${NAMING.map((name) => `'${name}'`).join(', ')}) -contains $at) {
    $typed = @($commandAst.CommandElements | Select-Object -Skip 2 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $typed += '' }
    $found = @($found) + @(tenantplane __names -- $at @typed 2>$null)
  }
  $found | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

/** One line for each word that leads from a command to one below it. */
function steps(models: readonly CommandModel[], line: (from: string, word: string, to: string) => string): string {
  return models
    .filter((model) => model.path.length > 0)
    .map((model) => line(model.path.slice(0, -1).join(' '), model.path.at(-1) ?? '', pathOf(model)))
    .join('\n');
}
