import type { Command } from 'commander';

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

export function commandModel(command: Command, path: readonly string[] = [], inherited: readonly OptionModel[] = []): CommandModel {
  const own = command.options.filter((option) => !option.hidden && option.long !== '--version').map(optionModel);
  const options = [...own, ...inherited];
  return {
    path,
    description: command.description(),
    options,
    commands: command.commands.map((child) => commandModel(child, [...path, child.name()], options)),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  };
}

function optionModel(option: Command['options'][number]): OptionModel {
  return {
    long: option.long ?? '',
    ...(option.short !== undefined && { short: option.short }),
    description: option.description,
    takesValue: option.required || option.optional,
    choices: option.argChoices ?? [],
  };
}

/** The command itself and all below it. */
export function everyCommand(model: CommandModel): readonly CommandModel[] {
  return [model, ...model.commands.flatMap(everyCommand)];
}
