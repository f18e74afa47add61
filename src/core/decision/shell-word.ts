/**
 * Text as one word of a command that is printed to be pasted. Who pastes has more rights than the tenant whose words may stand in it,
 * and nobody knows into which shell: bash, zsh, fish and PowerShell agree on single quotes only where nothing inside is a quote (for
 * PowerShell a typographic one too) or a backslash. Those, and all that is not seen, become `?`: no name of Kubernetes has them.
 */
export function shellWord(text: string): string {
  // an option of the command, were it left as it is; the same path, and no name
  const word = (text.startsWith('-') ? `./${text}` : text).replace(UNQUOTABLE, '?');
  const short = word.length <= LONGEST ? word : `${[...word.slice(0, LONGEST)].slice(0, -1).join('')}…`;
  return BARE.test(short) ? short : `'${short}'`;
}

const BARE = /^[\w./:+][\w./:=+-]*$/;
const UNQUOTABLE = /[^\p{L}\p{M}\p{N} !-&(-[\]-~]|\p{Default_Ignorable_Code_Point}/gu;
/** A few of them fit into a line that `visible` leaves whole: cut, it would leave a quote open. */
const LONGEST = 400;
