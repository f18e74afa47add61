import type { Command } from 'commander';
import { isListed } from '../commands/not-here.ts';

/** The tree of commands as completion scripts need it. */
export interface CommandModel {
  /** words from the program to here: `['render', 'tenantcluster']` */
  readonly path: readonly string[];
  readonly description: string;
  readonly options: readonly OptionModel[];
  readonly commands: readonly CommandModel[];
  /** closed sets that the first argument comes from */
  readonly choices: readonly string[];
}

export interface OptionModel {
  /** `--output` */
  readonly long: string;
  /** `-o` */
  readonly short?: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** Words that the parser itself does not know, by place: `render --output`, or `schema` for its first argument. */
export type MoreWords = Readonly<Record<string, readonly string[]>>;

export function commandModel(
  command: Command,
  more: MoreWords = {},
  path: readonly string[] = [],
  inherited: readonly OptionModel[] = [],
): CommandModel {
  const here = path.join(' ');
  const own = command.options
    .filter((option) => !option.hidden && option.long !== '--version')
    .map((option) => optionModel(option, more[`${here} ${option.long}`]));
  const options = [...own, ...inherited];
  // those of the program go everywhere; those of a command with commands below it stay its own
  const below = path.length === 0 ? options : inherited;
  return {
    path,
    description: command.description(),
    options,
    commands: command.commands.filter(isListed).map((child) => commandModel(child, more, [...path, child.name()], below)),
    choices: command.registeredArguments[0]?.argChoices ?? more[here] ?? [],
  };
}

function optionModel(option: Command['options'][number], words: readonly string[] = []): OptionModel {
  return {
    long: option.long ?? '',
    ...(option.short !== undefined && { short: option.short }),
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? words,
  };
}

/** The command itself and all below it. */
export function everyCommand(model: CommandModel): readonly CommandModel[] {
  return [model, ...model.commands.flatMap(everyCommand)];
}
