import type { JsonObject } from '../../core/kube/json.ts';
import { list, map, object, text, textOrNull } from './schema-words.ts';

/** What any command prints under `-o json` where it fails. */
export const ERROR: JsonObject = object('Why a command failed: any command with -o json', {
  code: text('stable word, such as usage'),
  message: text('what is wrong'),
  remedy: textOrNull('what to do about it'),
});

/** `explain-code -o json` of all codes or of several; of one, it is the item alone. */
export const REASON_LIST: JsonObject = object('What codes mean: explain-code -o json', {
  items: list(
    'reasons of decisions; and rules of the admission policies, where those were asked for',
    object(
      'a reason (code, name), or a rule (rule, group)',
      { message: text('what it says, with words in braces for the case at hand'), remedy: textOrNull('what to do about it') },
      {
        code: text('stable code'),
        name: text('its name'),
        disposition: text('what it comes to'),
        severity: text('how grave'),
        why: text('why its rule exists'),
        docs: text('the page that tells more'),
        parameters: map('what the words in braces stand for', text('in a few words')),
        rule: text('id of a rule'),
        group: text('its policy'),
        matches: text('what it looks at'),
        admits: text('what it lets pass'),
        controls: text('controls that it enforces'),
      },
    ),
  ),
});
