import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandData, commandProperty, markdownText, visible, visibleJson, visibleLines } from '../../src/report/escape.ts';
import { jsonText } from '../../src/report/json-text.ts';

describe('text of a tenant on a terminal', () => {
  test.each([
    ['an escape sequence that clears the screen', '\u001b[2Jgone', '\\u001b[2Jgone'],
    ['the 8-bit form of the same', '\u009b2J', '\\u009b2J'],
    ['a link sequence', '\u001b]8;;http://x\u0007', '\\u001b]8;;http://x\\u0007'],
    ['a line break that would fake a line of ours', 'a\n  + host/x', 'a\\n  + host/x'],
    ['a carriage return that overwrites the line', 'bad\rok ', 'bad\\rok '],
    ['a bidi override', 'user\u202egpj.exe', 'user\\u202egpj.exe'],
    ['a zero-width space', 'ng\u200binx', 'ng\\u200binx'],
    ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a byte order mark', '\ufeffx', '\\ufeffx'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
    ['a lone surrogate', 'a\ud800', 'a\\ud800'],
    ['a variation selector', 'a\ufe0f', 'a\\ufe0f'],
    ['DEL', 'a\u007f', 'a\\u007f'],
    ['a command of GitHub at its beginning', ' ::error::x', ' \\u003a:error::x'],
    ['commands of runners anywhere', 'a ##vso[b]c ##[d]', 'a \\u0023#vso[b]c \\u0023#[d]'],
    ['a section of GitLab', 'section_start:1:a', 'section_start\\u003a1:a'],
    ['an address, a heading and a path of C++', '::/0 ## a ::std::x', '::/0 ## a ::std::x'],
    ['ordinary letters of any script', 'Größe 名前 😀', 'Größe 名前 😀'],
  ])('%s', (_, text, wanted) => {
    expect(visible(text)).toBe(wanted);
  });

  test('a megabyte of text is cut, and says so', () => {
    expect(visible('a'.repeat(1_000_000))).toMatch(/^a{2000}… \(998000 more characters\)$/);
  });

  test('the cut does not leave half a character', () => {
    expect(visible(`a${'😀'.repeat(2000)}`)).toMatch(/^a(😀){999}… /u);
  });

  test('a file keeps its lines', () => {
    expect(visibleLines('a\n\tb\u001b\n')).toBe('a\n\tb\\u001b\n');
  });

  test('nothing unseen comes through, whatever goes in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(visible(text) + commandData(text))).toBe(false);
      }),
    );
  });
});

describe('text of a tenant in a workflow command', () => {
  test('a line break cannot begin a command of its own', () => {
    const data = commandData('x\n::set-output name=a::b');
    expect(data.split('\n')).toHaveLength(1);
  });

  test('an encoded line break does not become one', () => {
    expect(commandData('x%0A::error::y')).toBe('x%250A::error::y');
  });

  test('a property ends nowhere before its end', () => {
    expect(commandProperty('a,line=1::b')).toBe('a%2Cline=1%3A%3Ab');
  });
});

describe('JSON', () => {
  test('reads back as the same value, with nothing unseen in it', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.constantFrom(0, 2), (json, indent) => {
        const value = JSON.parse(json);
        const text = jsonText(value, indent);
        expect(JSON.parse(text)).toEqual(value);
        expect(/[\p{Cf}\u0080-\u009f\u007f]/u.test(text)).toBe(false);
      }),
    );
  });

  test('keeps every digit of an int64', () => {
    expect(jsonText({ uid: 9223372036854775807n })).toBe('{"uid":9223372036854775807}');
  });

  test('keeps a key called __proto__', () => {
    expect(jsonText(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
  });

  test('escapes beyond the basic plane as a pair', () => {
    expect(visibleJson('"\u{e0041}"')).toBe('"\\udb40\\udc41"');
  });
});

describe('a sentence in Markdown', () => {
  test.each([
    ['Line 75: between [ ] or { } two follow.', 'Line 75: between `[ ]` or `{ }` two follow.'],
    ['Quote values that hold , [ ] { or }.', 'Quote values that hold `,` `[ ]` `{` or `}`.'],
    ['Run a --flag -x: then go.', 'Run a `--flag -x`: then go.'],
    ['Set spec[0].`a`, or `b`.', 'Set ``spec[0].`a`,`` or `` `b`. ``'],
    ['supplies cpu (limit 500m), then', 'supplies cpu (limit `500m`), then'],
    ['min.cpu (4).', 'min.cpu `(4)`.'],
    ['75. at the start', '`75`. at the start'],
  ])('%s', (text, markdown) => {
    expect(markdownText(text)).toBe(markdown);
  });
});
