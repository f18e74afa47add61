/** A line that is longer than was allowed. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  readonly limit: number;

  constructor(limit: number) {
    super(`a line is longer than ${limit} bytes`);
    this.limit = limit;
  }
}

/**
 * The lines of a stream. Characters of several bytes may be cut between two chunks; what comes after the last line break is no line.
 * @throws LineTooLong before more than `most` bytes of one line are kept
 */
export async function* lines(chunks: AsyncIterable<Buffer>, most: number): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...rest, chunk.subarray(start, end)]).toString('utf8');
      [rest, size, start] = [[], 0, end + 1];
      if (line !== '') yield line;
    }
    if (start === chunk.length) continue;
    rest.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > most) throw new LineTooLong(most);
  }
}
