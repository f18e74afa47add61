import { readFile } from 'node:fs/promises';
import type { Clock } from '../clock.ts';
import { type CredentialSource, CredentialsError } from './connection.ts';

/** The kubelet writes a new token well before the old one ends (at four fifths of its life); client-go looks once a minute too. */
const FRESH = 60_000;

/** A token in a file that somebody else keeps fresh. */
export function tokenFile(path: string, clock: Clock): CredentialSource {
  let read: { readonly token: string; readonly at: number } | undefined;
  return {
    current: async () => {
      if (read !== undefined && clock.now() - read.at < FRESH) return { token: read.token };
      const token = await tokenIn(path);
      read = { token, at: clock.now() };
      return { token };
    },
    refused: ({ token }) => {
      // another request may have read the file again already
      if (read?.token === token) read = undefined;
      return true;
    },
  };
}

async function tokenIn(path: string): Promise<string> {
  let token: string;
  try {
    token = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    throw new CredentialsError(`The token file ${path} cannot be read.`, { cause: error });
  }
  if (token === '') throw new CredentialsError(`The token file ${path} is empty.`);
  return token;
}
