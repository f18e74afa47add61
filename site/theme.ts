import DefaultTheme from 'vitepress/theme-without-fonts';

/** The generator's own theme with the fonts of the reader's system. */
export const theme: typeof DefaultTheme = DefaultTheme;
