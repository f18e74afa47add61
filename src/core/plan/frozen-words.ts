/**
 * Of objects that stay as they last were, as long as they do: the platform may have become stricter since, and after the render that
 * wrote it no change shows that any more.
 */
export const MADE_ANEW = 'may be refused when made anew';
